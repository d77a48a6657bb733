import type { Config } from '#config/config.ts'
import type { Baseline, Ticket, TicketSystem } from '#core/gate/session.ts'
import type { Learning } from '#core/learning/learning.ts'
import type { LearningBackend } from '#core/learning/query.ts'
import type { StatsLog } from '#core/learning/stats.ts'
import type { Clock, Log, StateStore } from '#core/ports/store.ts'
import type { ParseShell } from '#core/shell/ast.ts'
import type { TranscriptLine } from '#protocol/transcript.ts'
import type { BackgroundJobs } from '../queue/background-jobs.ts'
import type { Foresight } from './prefetch.ts'

/** Everything the learning gate needs. Built in `daemon/compose/learning.ts`. */
export interface LearningWorld {
  states: StateStore
  clock: Clock
  log: Log
  newId(prefix: string): string
  /** The settings as they hold for a folder: a project may have its own. */
  settingsAt(cwd: string): LearningSettings
  /** The project's folder. */
  rootOf(cwd: string): string
  parseShell: ParseShell
  tickets: Tickets
  changes: Changes
  libraryAt(root: string, settings: LearningSettings): Library
  /** The lines of a transcript from a place on, at most so many bytes, and where it was read to. */
  transcript(path: string, from: number, most: number): Promise<{ lines: TranscriptLine[]; to: number }>
  /** How long a transcript is now; 0 before it is written. */
  transcriptEnd(path: string): Promise<number>
  /** How an agent calls `grove`. */
  command: string
  /** Runs what no answer depends on. */
  background: BackgroundJobs
  /** Where a daemon finds out beforehand what it will be asked. */
  foresight?: Foresight
  /** Finishes what was left to do, and ends what was started to reach a backend. */
  close(): Promise<void>
}

export type LearningSettings = Pick<
  Config,
  'ticketing' | 'backends' | 'gate' | 'decay' | 'retrieval' | 'circuitBreaker' | 'home'
>

export interface Tickets {
  detectSystem(root: string, order: readonly TicketSystem[]): Promise<TicketSystem>
  currentTicket(root: string, system: TicketSystem, at: number): Promise<Ticket | undefined>
  findTicket(root: string, system: TicketSystem, id: string, at: number): Promise<Ticket>
}

export interface Changes {
  treeNow(root: string): Promise<Baseline | undefined>
  /** Which files lay changed at the last look, if that was lately enough; costs no look. */
  changedFiles(root: string): string[] | undefined
  linesChanged(root: string, baseline: Baseline | undefined): Promise<number | undefined>
}

/** Where one project's learnings are, and where a person's own are. */
export interface Library {
  /** What the team shares; all of these are written to. */
  shared: LearningBackend[]
  /** Takes what none of the shared ones took. */
  fallback?: LearningBackend
  personal: LearningBackend
  /** Where passing insights go, if there is such a place. */
  daily?: { note(learning: Learning): Promise<void> }
  stats: StatsLog
  personalStats: StatsLog
  /** Lets one reflection at a time look for twins and write, whichever process it is in. */
  alone<T>(work: () => Promise<T>): Promise<T>
  /** Rewrites a learning where it stands; false when none of the files holds it. */
  change(id: string, change: (learning: Learning) => Learning): Promise<boolean>
  /** Whether the project has its folder for learnings already; what happens by itself does not make it. */
  isBegun(): boolean
}
