import type { AgentDriver, RunLogs } from '#core/ports/agent-driver.ts'
import type { Judge, TodoQuestion } from '#core/ports/judge.ts'
import type { FeatureRepository, ProjectCommands, PullRequests, TodoScanner } from '#core/ports/repository.ts'
import type { Clock, Log } from '#core/ports/runtime.ts'
import type { StateStore } from '#core/ports/state.ts'
import type { ToolReader } from '#core/ports/tools.ts'
import type { FreeText } from '#core/workflow/free-text.ts'
import type { Report } from '#core/workflow/reports.ts'
import type { LiveEvent } from '#protocol/live.ts'
import type { FeatureFiles } from '#protocol/workflow/feature-files.ts'
import type { SessionFile } from '#protocol/workflow/session.ts'
import type { FeatureStore } from './feature-store.ts'

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
