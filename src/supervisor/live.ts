import type { GuardEvent } from '#core/ports/guard.ts'
import type { CorrectionLevel } from '#core/step.ts'
import type { TaskMode } from '#core/task.ts'

/** What is published while agents work. */
export type LiveEvent =
  | { type: 'session:seen'; sessionId: string }
  | { type: 'session:ended'; sessionId: string }
  | { type: 'task:started'; sessionId: string; taskId: string; goal: string }
  | { type: 'task:finished'; sessionId: string; taskId: string; status: 'completed' | 'abandoned' }
  | { type: 'step'; sessionId: string; taskId: string; stepId: string; tool: string; files: string[]; score: number }
  | {
      type: 'drift'
      sessionId: string
      taskId: string
      level: CorrectionLevel
      score: number
      reason: string
      mode: TaskMode
    }
  | { type: 'recovered'; sessionId: string; taskId: string }
  | { type: 'injected'; sessionId: string; kind: string; tokens: number; why: string }
  | { type: 'tokens'; sessionId: string; contextTokens: number; window: number }
  | { type: 'cleared'; sessionId: string; before: number }
  | GuardEvent
