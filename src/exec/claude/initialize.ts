import type { AgentRun } from '#core/ports/agent-driver.ts'
import { isObject } from '#protocol/json.ts'
import type { HostRequest } from '#protocol/stream-json/input.ts'

/** The hook events that a host is told; PreToolUse always comes, since it decides about tools. */
const HOOK_EVENTS = [
  'UserPromptSubmit',
  'PostToolUse',
  'PostToolUseFailure',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'Stop',
  'SessionEnd',
]

/** In seconds. A host may take as long as a person; when the client gives up waiting, it refuses the call. */
const HOOK_TIMEOUT = 7 * 24 * 3600

/** The first request to a client: hooks, words and helpers go in before any message. */
export function initializeRequest({ system, subagents, askedOnce = [] }: AgentRun, hasHooks: boolean): HostRequest {
  const callback = { matcher: '', hookCallbackIds: ['grove'], timeout: HOOK_TIMEOUT }
  const others = askedOnce.length > 0 ? `^(?!(?:${askedOnce.join('|')})$)` : ''
  return {
    subtype: 'initialize',
    hooks: {
      PreToolUse: [{ ...callback, matcher: others }],
      ...(hasHooks && Object.fromEntries(HOOK_EVENTS.map((event) => [event, [callback]]))),
    },
    ...(system !== undefined && { appendSystemPrompt: system }),
    ...(subagents && { agents: subagents }),
  }
}

/** What `get_session_cost` says was spent: a text for people, and the only place that tells. */
export function costIn(answer: unknown): number {
  const text = isObject(answer) && typeof answer.text === 'string' ? answer.text : ''
  return Number(/Total cost:\s*\$([\d.]+)/.exec(text)?.[1] ?? 0)
}
