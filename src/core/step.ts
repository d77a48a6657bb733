import type { TokenUsage } from './session.ts'

/** A step is one action the agent took, keyed by its `tool_use_id`: seen through proxy and hooks, it is still one step. */
export interface Step {
  id: string
  sessionId: string
  taskId: string
  /** Set when a subagent took the step. */
  agentId?: string
  tool: string
  kind: ActionKind
  files: string[]
  folders: string[]
  command?: string
  query?: string
  /** A short piece of what was written, for scoring and summaries. */
  excerpt?: string
  reasoning?: string
  keywords: string[]
  driftScore?: number
  driftType?: DriftType
  keyDecision: boolean
  at: number
  /** What became of it; missing when it ran. What did not run changed nothing. */
  outcome?: 'failed' | 'denied'
  /** Files and folders that it changed: written, made or taken away, by a tool or through the shell. */
  changes?: string[]
  /** What a command did to work that was there already; missing where it did nothing of the kind. */
  earlierWork?: EarlierWork
  /** How it was answered, and with which words. */
  level?: CorrectionLevel
  correction?: string
}

/** Files and folders as in `changes`; `.` is the whole working directory. */
export interface EarlierWork {
  /** Taken away; what was only moved is not among them. */
  removed?: string[]
  /** What was moved, and where it came to lie. */
  moved?: string[]
  landed?: string[]
  /** Put back to what was last committed. */
  restored?: string[]
  git?: GitDeed[]
}

/** What a command does to git's record of the work. `joins` makes commits of those of others: a merge, a rebase, a revert. */
export type GitDeed = 'commits' | 'joins' | 'leaves commits' | 'stashes' | 'unstashes'

export type ActionKind = 'read' | 'edit' | 'write' | 'search' | 'bash' | 'web' | 'agent' | 'mcp' | 'other'
export type DriftType = 'none' | 'minor' | 'major' | 'critical'
export type CorrectionLevel = 'nudge' | 'correct' | 'intervene' | 'halt'

/** A drift event is a rejected action (score under 5) with its correction and recovery plan. */
export interface DriftEvent {
  id: string
  sessionId: string
  taskId: string
  /** The `tool_use_id` of the rejected action. */
  stepId: string
  tool: string
  kind: ActionKind
  files: string[]
  score: number
  level: CorrectionLevel
  reason: string
  correction: string
  recoveryPlan: string[]
  recovered: boolean
  at: number
}

/** A turn is one answered model call. */
export interface Turn {
  /** The API's message id. */
  id: string
  sessionId: string
  agentId?: string
  model: string
  usage: TokenUsage
  stopReason?: string
  toolUses: number
  at: number
}
