import type { InScope } from '#core/intent/scope.ts'
import type { Recalled } from '#core/intent/text-for-agents.ts'
import type {
  Files,
  GuardedProject,
  GuardSettings,
  Intents,
  Ledger,
  Lessons,
  McpServers,
  Paths,
  Projects,
  SetUp,
  Transcripts,
  WorkTree,
} from '#core/ports/guard.ts'
import type { Clock, Log } from '#core/ports/runtime.ts'
import type { StateStore } from '#core/ports/state.ts'
import type { ToolReader } from '#core/ports/tools.ts'
import type { ContentSource } from '#core/shell/call.ts'
import type { Mutation } from '#core/trace/mutation/mutation.ts'
import type { GuardEvent } from '#protocol/live.ts'
import type { BackgroundJobs } from '../queue/background-jobs.ts'

/** Everything the guard asks of the world; built in `daemon/compose/guard.ts`. */
export interface GuardWorld {
  states: StateStore
  clock: Clock
  log: Log
  /** What no answer depends on. What comes next from a session waits for it. */
  background: BackgroundJobs
  version: string
  newId(): string
  /** A project may have settings of its own. */
  settings(project: GuardedProject): GuardSettings
  projects: Projects
  intents: Intents
  inScope: InScope
  paths: Paths
  tools: ToolReader
  files: Files
  tree: WorkTree
  setUp: SetUp
  /** The files that a patch, an archive or commits would write. */
  contents(source: ContentSource): Promise<string[] | undefined>
  ledger: Ledger
  transcripts: Transcripts
  lessons: Lessons
  servers: McpServers
  /** What an agent session works on now. */
  taskOf(sessionId: string): Promise<{ id: string; goal: string } | undefined>
  classify(before: string | undefined, after: string | undefined, path: string): Promise<Mutation>
  /** What the team remembers that may help with an intent; absent when that part is off. */
  recall?: (about: string, project: GuardedProject) => Promise<Recalled[]>
  /** Hands a lesson to the write gate; absent when that part is off. */
  offerLesson?: (lesson: string, session: string | undefined, project: GuardedProject) => Promise<void>
  /** This process outlives its hooks, so that a person can answer while one waits. */
  isDaemon: boolean
  /** Called when the inbox changes; must not throw. */
  notify(event: GuardEvent): void
}
