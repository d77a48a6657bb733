import type { Outcome, ToolCall } from '#core/action/reading.ts'
import type { ToolUse } from '#core/turn.ts'
import type { HookEventOf } from '#protocol/hook-event.ts'
import { isObject } from '#protocol/json.ts'

/** The events around the run of a tool: before it, after it, and after it failed. */
export type RunEvent = HookEventOf<'PreToolUse'> | HookEventOf<'PostToolUse'> | HookEventOf<'PostToolUseFailure'>

/** Every event that names a tool call. */
export type ToolEvent = { [Name in keyof typeof OUTCOMES]: HookEventOf<Name> }[keyof typeof OUTCOMES]

const OUTCOMES = {
  PreToolUse: 'announced',
  PermissionRequest: 'announced',
  PostToolUse: 'ran',
  PostToolUseFailure: 'failed',
  PermissionDenied: 'denied',
} satisfies Record<string, Outcome>

/** The tool call in a hook event. */
export function callOf(event: ToolEvent): ToolCall {
  const { tool_use_id: id, tool_name: tool, tool_input: input, hook_event_name: name } = event
  return { id, tool, input, outcome: OUTCOMES[name] }
}

/** A tool use of an answer, with what is known of what became of it, and what a command said. */
export type SeenUse = ToolUse & { outcome?: Outcome; output?: string }

/** What a command said, as far as a hook tells. */
export function outputIn(event: ToolEvent): string | undefined {
  if (event.hook_event_name === 'PostToolUseFailure') return event.error
  if (event.hook_event_name !== 'PostToolUse' || !isObject(event.tool_response)) return undefined
  const { stdout, stderr } = event.tool_response
  const said = [stdout, stderr].filter((text) => typeof text === 'string' && text !== '')
  return said.length > 0 ? said.join('\n') : undefined
}

/** The call that an answer asks for. */
export function callIn({ id, name, input, outcome = 'announced' }: SeenUse): ToolCall {
  return { id, tool: name, input, outcome }
}
