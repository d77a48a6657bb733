import type { ToolCall, ToolEffect } from '#core/action/reading.ts'
import type { GuardedProject } from '#core/ports/guard.ts'
import type { HookEventOf } from '#protocol/hook-event.ts'
import type { Agent } from '../intents/active-intent.ts'

export type CallEvent = HookEventOf<'PreToolUse'>

export type AnyCallEvent = CallEvent | HookEventOf<'PermissionRequest'>

/** One call on its way through the gate. */
export interface Call extends Agent {
  project: GuardedProject
  cwd: string
  tool: string
  toolUseId?: string
  effect: ToolEffect
  asked: ToolCall
  event: CallEvent
  /** The session was not started in this project. */
  isElsewhere?: boolean
}
