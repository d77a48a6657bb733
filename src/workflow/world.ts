import type { AgentDriver, RunLogs } from '#core/ports/agent-driver.ts'
import type { Judge, TodoQuestion } from '#core/ports/judge.ts'
import type { FeatureRepository, ProjectCommands, PullRequests, TodoScanner } from '#core/ports/repository.ts'
import type { Clock, Log } from '#core/ports/runtime.ts'
import type { StateStore } from '#core/ports/state.ts'
import type { ToolReader } from '#core/ports/tools.ts'
import type { FeatureStore, RecalledContext, StepGuard, WorkflowSettings } from '#core/ports/workflow.ts'
import type { FreeText } from '#core/workflow/free-text.ts'
import type { Report } from '#core/workflow/reports.ts'
import type { LiveEvent } from '#protocol/live.ts'
import type { FeatureFiles, FeatureRecords } from '#protocol/workflow/feature-files.ts'

/** Everything that the workflow asks of the world; built in `daemon/compose/workflow.ts`. */
export interface WorkflowWorld {
  store: FeatureStore<FeatureRecords>
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
  recall(about: {
    text: string
    files: string[]
    projectId: string
    cwd: string
    claudeId: string
  }): Promise<RecalledContext>
  /** The judge reads comments, and reports that are not in the expected form; its cost counts for the session. */
  readTodo(sessionId: string, block: TodoQuestion): ReturnType<Judge['readTodo']>
  readReport(sessionId: string, said: FreeText): Promise<Report | undefined>
  /** A finished feature becomes a memory. */
  remember(files: FeatureFiles): Promise<void>
  /** When the usage limit ends, if the proxy has seen it. */
  usageResetAt(): number | undefined
  publish(event: LiveEvent): void
}
