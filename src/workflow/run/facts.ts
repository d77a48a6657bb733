import type { AgentProcess, TurnEnd } from '#core/ports/agent-driver.ts'
import type { TaskType } from '#core/workflow/flow.ts'
import type { Feature } from '../feature.ts'
import type { Prompt } from '../prompts/prompt.ts'
import type { FeatureFiles, WorkflowWorld } from '../world.ts'

/** One run of Claude: a process, its turns, and what came of them. */
export interface RunSpec {
  task: TaskType
  /** The conversation of planning and implementation goes on; other work begins with fresh eyes. */
  conversation: 'work' | 'fresh'
  prompt: Prompt
  /** Said when a turn ends without a report; as often as there are words. */
  nudges: string[]
  /** Shortens the conversation first, with what to look at again afterwards. */
  compact?: { keep: string; afterwards: string } | undefined
  answerSchema?: object
  /** The rest of Grove listens: goal, drift, guard, memory; `gate` lets it ask to reflect at the end. */
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
  /** Nothing that was said has moved the session on: what was to be done is still to be done. */
  unanswered: boolean
}

/** What people can do with a run while it lasts. */
export interface RunHandle {
  signal: AbortSignal
  process?: AgentProcess
  /** The conversation, where the rest of Grove listens to it. */
  watched?: string | undefined
}

/** What every part of a run knows. */
export interface RunFacts {
  world: WorkflowWorld
  feature: Feature
  spec: RunSpec
  spawnId: string
  /** The very task: the next one may be of the same kind. */
  task: FeatureFiles['session']['task']
}

/** What is gathered on the way, from calls and from words. */
export interface Noted {
  /** A plan that was only written down. */
  plan: string
  testOnly: boolean
}

/** The run was stopped from outside; the command that stopped it has recorded what comes next. */
export class Aborted extends Error {}
