import type { WorkSoFar } from '../context/clear.ts'
import type { Goal } from '../goal/goal.ts'
import type { CurrentWork, TaskAction } from '../goal/orchestrate.ts'
import type { Decision } from '../memory/memory.ts'
import type { FreeText } from '../workflow/free-text.ts'
import type { Report } from '../workflow/reports.ts'
import type { ReadTodo } from '../workflow/todo.ts'

/**
 * What scores, extracts and summarises. The heuristic judge answers everything without a model; a model judge answers
 * better and later. Nothing ever waits for one: its answer applies to the next request or hook.
 */
export interface Judge {
  readonly name: 'heuristic' | 'anthropic' | 'claude-cli'
  extractIntent(question: { instruction: string; earlier: string[] }): Promise<Goal>
  analyseTask(question: TaskQuestion): Promise<TaskVerdict>
  checkDrift(question: DriftQuestion): Promise<DriftVerdict>
  checkRecovery(question: { plan: string[]; action: string }): Promise<RecoveryVerdict>
  forcedRecovery(question: DriftQuestion & { failed: string[] }): Promise<ForcedRecovery>
  extractReasoning(question: WorkQuestion): Promise<Reasoning>
  summarise(question: WorkSoFar): Promise<{ summary: string }>
  /** What a comment in the code asks people to decide, and whether it asks anything. */
  readTodo(question: TodoQuestion): Promise<ReadTodo & { isReal: boolean }>
  /** What a run of a feature session meant that reported nothing in the right form. */
  readReport(question: FreeText): Promise<Report | undefined>
}

export interface TodoQuestion {
  type: 'TODO' | 'FIXME' | 'DEPENDENCY'
  file: string
  line: number
  text: string
}

export interface TaskQuestion {
  current: CurrentWork | undefined
  instruction: string
  recentActions: string[]
  answer: string
  wroteFiles: boolean
}

export interface TaskVerdict {
  action: TaskAction
  goal: string
  reasoning: string
}

export interface DriftQuestion {
  goal: string
  instruction: string
  constraints: string[]
  scope: string[]
  /** The recent actions in words, oldest first. */
  actions: string[]
  /** Earlier steps that bear on them (4-query retrieval). */
  relevant: string[]
}

export interface DriftVerdict {
  /** 1 (another task altogether) to 10 (exactly what was asked). */
  score: number
  diagnostic: string
  recoverySteps: string[]
  /** No model was asked, or none answered: this proves nothing. */
  byRules?: true
}

export interface RecoveryVerdict {
  aligned: boolean
  reason: string
}

export interface ForcedRecovery {
  instruction: string
  mandatoryAction: string
}

export interface WorkQuestion {
  goal: string
  instruction: string
  /** What was done, oldest first, valid steps only. */
  actions: string[]
  files: string[]
  closingWords: string
  /** What the agent said of the outcome when it ended its last turn. */
  outcome?: string
}

export interface Reasoning {
  reasoningTrace: string[]
  decisions: Decision[]
  constraints: string[]
}
