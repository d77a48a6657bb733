import { mkdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { environment } from '#config/load.ts'
import { projectRoot } from '#config/paths.ts'
import type { Approval } from '#core/intent/approval.ts'
import type { Denial } from '#core/intent/denial.ts'
import { type Intent, isOpen } from '#core/intent/intent.ts'
import { leavesProject } from '#core/intent/scope.ts'
import type { GuardedProject, IntentBook } from '#core/ports/guard.ts'
import type { TraceView } from '#core/trace/view.ts'
import { inbox } from '#supervisor/guard/approvals/approvals.ts'
import { answerRequest } from '#supervisor/guard/approvals/scope-request.ts'
import { addIntent, type NewIntent, setStatus } from '#supervisor/guard/intents/change-intents.ts'
import { checkPaths, type PathAnswer } from '#supervisor/guard/intents/check-paths.ts'
import { select } from '#supervisor/guard/intents/select-intent.ts'
import { type BlamedLine, traceBlame } from '#supervisor/guard/trace/blame.ts'
import { type LogPage, type LogQuery, traceLog } from '#supervisor/guard/trace/log.ts'
import { type CommitStats, traceStats } from '#supervisor/guard/trace/stats.ts'
import { traceVerify, type Verification } from '#supervisor/guard/trace/verify.ts'
import type { OpenWorld } from '../compose/world.ts'

export type {
  Approval,
  BlamedLine,
  CommitStats,
  Denial,
  Intent,
  IntentBook,
  LogPage,
  NewIntent,
  PathAnswer,
  TraceView,
  Verification,
}

/** What a person can do with intents and the trace from the command line; the daemon may run or not. */
export interface GuardCommands {
  project: GuardedProject | undefined
  /** The one whose changes are recorded, with intents or without. */
  traced: GuardedProject | undefined
  /** The project; creates its folder `.orchestration` where there is none. */
  begin(): GuardedProject
  book(): Promise<IntentBook>
  isOpen(intent: Intent): boolean
  /** Whether a glob is not counted from the project's root, or climbs out of it. */
  leavesProject(glob: string): boolean
  /** Whether a hook of Grove runs when Claude Code is started here. */
  isAttached(): Promise<boolean>
  add(intent: NewIntent): Promise<Intent | undefined>
  setStatus(id: string, status: string): Promise<boolean>
  select(id: string, sessionId: string | undefined, agentId?: string): Promise<string | Denial>
  check(paths: readonly string[], intentId?: string): Promise<PathAnswer[]>
  /** The files of the project, each with the open intents that own it, or with the one that is named. */
  scope(intentId?: string): Promise<{ path: string; intents: string[] }[]>
  needApproval(): Promise<string[]>
  inbox(): Promise<Approval[]>
  answer(id: string, approve: boolean, note?: string): Promise<Approval | undefined>
  /** Live sessions that work in this project, newest first. */
  sessions(): Promise<string[]>
  log(query: LogQuery): Promise<LogPage>
  /** Undefined when the project has no such text file. */
  blame(path: string, revision?: string): Promise<BlamedLine[] | undefined>
  revision(name: string): Promise<string | undefined>
  verify(revision: string, since?: string): Promise<Verification>
  stats(limit: number, range?: string): Promise<CommitStats[]>
}

/** More files than a person looks through. */
const MOST_FILES = 50_000
const LIVE_MS = 12 * 3600_000

/** The commands on the project that a folder lies in. */
export async function guardCommands(opened: OpenWorld, cwd: string): Promise<GuardCommands> {
  const [store, world, trace] = await Promise.all([opened.store(), opened.guard(), opened.trace()])
  let project = world.projects.at(cwd)
  const here = () => {
    if (!project) throw new Error('this project has no intents')
    return project
  }
  const traced = world.projects.traced(cwd)
  const recorded = () => {
    if (!traced) throw new Error('nothing is recorded here')
    return traced
  }
  const fromRoot = (path: string) => {
    const { relative: inside } = world.paths.resolve(recorded().root, cwd, path)
    return inside ?? relative(recorded().root, path)
  }
  return {
    project,
    traced,
    begin() {
      if (project) return project
      const root = projectRoot(cwd, opened.config.home) ?? cwd
      project = { root, orchestration: join(root, '.orchestration') }
      mkdirSync(project.orchestration, { recursive: true })
      return project
    },
    book: () => world.intents.open(here()),
    isOpen,
    leavesProject,
    async isAttached() {
      const { hookFacts } = await import('../attach/hook-facts.ts')
      const files = hookFacts(opened.config, environment(), (project ?? recorded()).root)
      return !files.some(({ disabled }) => disabled) && files.some(({ hooks }) => hooks > 0)
    },
    add: (intent) => addIntent(world, here(), intent),
    setStatus: (id, status) => setStatus(world, here(), id, status),
    select: (id, sessionId, agentId) =>
      select(world, here(), sessionId === undefined ? undefined : { sessionId, ...(agentId && { agentId }) }, id),
    check: (paths, intentId) => checkPaths(world, here(), cwd, paths, intentId),
    async scope(intentId) {
      const { featureRepository } = await import('#exec/repository/repository.ts')
      const { root } = here()
      const files = await featureRepository({ env: environment(), helpers: [] }).files(root, MOST_FILES)
      const book = await world.intents.open(here())
      const wanted = book.all().filter((intent) => (intentId === undefined ? isOpen(intent) : intent.id === intentId))
      const owns = (path: string) => wanted.filter(({ ownedScope }) => world.inScope(ownedScope, path).allowed)
      return files.map((path) => ({ path, intents: owns(path).map(({ id }) => id) }))
    },
    needApproval: () => world.intents.ignored(here()),
    inbox: () => inbox(world),
    answer: (id, approve, note) => answerRequest(world, id, { approve, in: 'terminal', ...(note && { note }) }),
    async sessions() {
      const live = await store.sessions.live(Date.now() - LIVE_MS)
      const isHere = (folder: string | undefined) =>
        folder !== undefined && world.projects.at(folder)?.root === here().root
      return live.filter((session) => isHere(session.cwd)).map(({ id }) => id)
    },
    log: (query) => traceLog(trace, recorded(), { ...query, ...(query.path && { path: fromRoot(query.path) }) }),
    async blame(path, revision) {
      const { root } = recorded()
      if (world.paths.resolve(root, cwd, path).outside) return undefined
      return traceBlame(trace, recorded(), fromRoot(path), revision)
    },
    revision: (name) => trace.git.revision(recorded().root, name),
    verify: (revision, since) => traceVerify(trace, recorded(), { revision, ...(since && { since }) }),
    stats: (limit, range) => traceStats(trace, recorded(), { limit, ...(range && { range }) }),
  }
}
