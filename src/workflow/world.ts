import type { AgentDriver, RunLogs } from '#core/ports/agent-driver.ts'
import type { Judge, TodoQuestion } from '#core/ports/judge.ts'
import type { FeatureRepository, ProjectCommands, PullRequests, TodoScanner } from '#core/ports/repository.ts'
import type { Clock, Log } from '#core/ports/runtime.ts'
import type { StateStore } from '#core/ports/state.ts'
import type { ToolReader } from '#core/ports/tools.ts'
import type { FreeText } from '#core/workflow/free-text.ts'
import type { Report } from '#core/workflow/reports.ts'
import type { LiveEvent } from '#protocol/live.ts'
import type { EventRecord } from '#protocol/workflow/events.ts'
import type { FeatureFiles } from '#protocol/workflow/feature-files.ts'
import type { OutputLine } from '#protocol/workflow/output.ts'
import type { PlanFile } from '#protocol/workflow/plan.ts'
import type { SessionFile } from '#protocol/workflow/session.ts'
import type { ProgressFile } from '#protocol/workflow/status.ts'

export type { FeatureFiles }

export interface EventLog {
  readonly last: number
  after(number: number, limit: number): EventRecord[]
}

export interface OutputLog {
  readonly last: number
  add(line: Omit<OutputLine, 'number'>): OutputLine
  page(view: {
    after: number
    before?: number | undefined
    limit: number
    wanted(line: OutputLine): boolean
  }): OutputLine[]
  /** The numbers of the lines that contain the text, ignoring case. */
  found(words: string): Promise<number[]>
  flush(): Promise<void>
}

export interface OpenedFeature<Events extends EventLog = EventLog> {
  files: FeatureFiles
  events: Events
  output: OutputLog
  problems: string[]
  /** Files that begin empty, since nothing of them could be read. */
  lost: (keyof FeatureFiles)[]
}

/** Feature sessions on disk; `storage/files/workflow-store.ts` keeps them. */
export interface FeatureStore<Events extends EventLog = EventLog> {
  readonly root: string
  folder(projectId: string, featureId: string): string
  list(): Promise<{ projectId: string; featureId: string }[]>
  claim(projectId: string, featureId: string): Promise<boolean>
  open(
    projectId: string,
    featureId: string,
    empty: (session: SessionFile) => Omit<FeatureFiles, 'session'>,
  ): Promise<OpenedFeature<Events> | 'corrupted' | undefined>
  openEvents(projectId: string, featureId: string, sessionId: string): Promise<{ log: Events }>
  openOutput(projectId: string, featureId: string): Promise<OutputLog>
  write(
    before: FeatureFiles | undefined,
    after: FeatureFiles,
    events: readonly EventRecord[],
    log: Events,
  ): Promise<void>
  writeProgress(projectId: string, featureId: string, progress: ProgressFile): Promise<void>
  planVersion(projectId: string, featureId: string, version: number): Promise<PlanFile | undefined>
  versions(projectId: string, featureId: string): Promise<PlanFile[]>
  index(session: SessionFile): Promise<void>
  /** Moves a session's folder aside; resolves to its new place. */
  setAside(projectId: string, featureId: string): Promise<string>
}

/** Memories and learnings that bear on a feature, as Claude is given them. */
export interface Recalled {
  text: string
  items: SessionFile['recalled']
}

/** The guard's part in a run: which paths a step owns, and who works for it. */
export interface StepGuard {
  /** Declares the steps as intents in the worktree's own folder. */
  declare(folder: string, steps: readonly GuardedStep[]): Promise<void>
  /** Selects the step's intent for this agent. */
  select(folder: string, claudeId: string, intentId: string): Promise<void>
  close(folder: string, intentId: string): Promise<void>
}

export interface GuardedStep {
  intentId: string
  title: string
  paths: string[]
  criteria: string[]
}

export interface WorkflowSettings {
  baseBranch: string
  branchPattern: string
  mode: 'worktree' | 'in_place'
  autoPush: boolean
  deleteBranchAfterMerge: boolean
  recommendedReviews: number
  expiryHours: number
  maxCallsPerHour: number
  timeoutMinutes: number
  subagentTimeoutMinutes: number
  checkTimeoutMinutes: number
  ciPollSeconds: number
  ciLimitMinutes: number
  tokenBudget: number
  copyUntracked: string[]
  setup: boolean
}

/** Everything that the workflow asks of the world; built in `daemon/compose/workflow.ts`. */
export interface WorkflowWorld {
  store: FeatureStore
  driver: AgentDriver
  repository: FeatureRepository
  pulls: PullRequests
  commands: ProjectCommands
  todos: TodoScanner
  tools: ToolReader
  states: StateStore
  guard: StepGuard
  clock: Clock
  log: Log
  newId(): string
  /** A hash of a text. */
  digest(text: string): string
  /** Waits; an abort ends it early. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  settings: WorkflowSettings
  worktrees: string
  runLogs: RunLogs
  /** The answer of Grove's other parts to a hook event of a run. */
  hook(event: object): Promise<object>
  recall(about: { text: string; files: string[]; projectId: string; cwd: string; claudeId: string }): Promise<Recalled>
  /** The judge reads comments, and reports that are not in the expected form; its cost counts for the session. */
  readTodo(sessionId: string, block: TodoQuestion): ReturnType<Judge['readTodo']>
  readReport(sessionId: string, said: FreeText): Promise<Report | undefined>
  /** A finished feature becomes a memory. */
  remember(files: FeatureFiles): Promise<void>
  /** When the usage limit ends, if the proxy has seen it. */
  usageResetAt(): number | undefined
  publish(event: LiveEvent): void
}
