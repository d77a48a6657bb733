import type { AgentProcess, TurnEnd } from '#core/ports/agent-driver.ts'
import type { TaskType } from '#core/workflow/flow.ts'
import type { FeatureFiles } from '#protocol/workflow/feature-files.ts'
import type { Feature } from '../feature.ts'
import type { Prompt } from '../prompts/prompt.ts'
import type { WorkflowWorld } from '../world.ts'

/** One run of Claude: a process, its turns, and what came of them. */
export interface RunSpec {
  task: TaskType
  /** `work` continues the conversation of planning and implementation; `fresh` begins a new one. */
  conversation: 'work' | 'fresh'
  prompt: Prompt
  /** Reminders for a turn that ends without a report, one per turn. */
  nudges: string[]
  /** Compacts the conversation first; the text says what to look at again afterwards. */
  compact?: { keep: string; afterwards: string } | undefined
  answerSchema?: object
  /**
   * Whether the rest of Grove (goal, drift, guard, memory) supervises the run; `gate` lets it ask for a reflection at
   * the end.
   */
  hooks?: { gate: boolean }
}

export interface RunResult {
  end: TurnEnd
  /** Everything that the main conversation said. */
  text: string
  /** A plan that was only written down, not handed in. */
  plan: string
  markers: number
  unclosed: string[]
  testOnly: boolean
  /** No report has moved the session on: the task is still open. */
  unanswered: boolean
}

/** What people can do with a run while it lasts. */
export interface RunHandle {
  signal: AbortSignal
  process?: AgentProcess
  /** The session id, where the rest of Grove supervises it. */
  watched?: string | undefined
}

/** What every part of a run knows. */
export interface RunFacts {
  world: WorkflowWorld
  feature: Feature
  spec: RunSpec
  spawnId: string
  /** The task that this run works on, kept by identity: the next task may be of the same kind. */
  task: FeatureFiles['session']['task']
}

/** What calls and text have reported so far. */
export interface Noted {
  /** A plan that was only written down. */
  plan: string
  testOnly: boolean
}

/** The run was stopped from outside; the command that stopped it has recorded what comes next. */
export class Aborted extends Error {}
