import type { Outcome } from '#core/action/reading.ts'
import { NO_TOKENS, type TokenUsage } from '#core/session.ts'
import { isObject } from './json.ts'

/** What is read of every turn, also by processes that start anew with each: plain functions, no schemas to build. */

/** The text blocks of any content, in order. */
export function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (!Array.isArray(value)) return []
  return value.flatMap((block) =>
    isObject(block) && block.type === 'text' && typeof block.text === 'string' ? [block.text] : [],
  )
}

/** How the client words it when the user, a rule or a hook kept a tool from running. */
const NOT_RUN =
  /doesn't want to (?:proceed|take this action)|tool use was rejected|^\[?Request interrupted|^PreToolUse:\S+ hook (?:error|blocking)|hook denied|permission (?:to use|was denied|denied)|haven't granted|requires approval|was (?:blocked|denied|cancelled)|"code":\s*"(?:recovery_required|scope_violation|intent_required)"/i

/** What became of a tool call, by its result. */
export function outcomeOf(isError: boolean, content: unknown): Outcome {
  if (!isError) return 'ran'
  return textsOf(content).some((text) => NOT_RUN.test(text.slice(0, 400))) ? 'denied' : 'failed'
}

/** The API's usage object in our own words; counters that are missing or odd are 0. */
export function tokenUsage(json: unknown): TokenUsage {
  if (!isObject(json)) return NO_TOKENS
  const count = (name: string) => (Number.isFinite(json[name]) ? (json[name] as number) : 0)
  return {
    input: count('input_tokens'),
    output: count('output_tokens'),
    cacheRead: count('cache_read_input_tokens'),
    cacheWrite: count('cache_creation_input_tokens'),
  }
}
