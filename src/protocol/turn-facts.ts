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

const MILLION = 1_000_000
const DEFAULT_WINDOW = 200_000
/** Models with the long window, as the newest client counts them with any base URL. Older clients compact some earlier. */
const LONG_WINDOW = /opus-4-[78](?!\d)|(?:opus|sonnet)-5|haiku-5-5|fable|mythos/
const SAYS_LONG = /\[1m\]$/i

/** How many tokens fit into the model's window. The long one shows in the model's name or in the `anthropic-beta` header. */
export function contextWindow(model: string, beta = ''): number {
  const isLong = SAYS_LONG.test(model) || LONG_WINDOW.test(model) || beta.includes('context-1m')
  return isLong ? MILLION : DEFAULT_WINDOW
}

/** The model by the name that answers carry, and whether the client's own name for it promises the long window. */
export function namedModel(name: string): { model: string; isLong: boolean } {
  return { model: name.replace(SAYS_LONG, ''), isLong: SAYS_LONG.test(name) }
}

/** The smallest window that can have held so many tokens. */
export function windowHolding(tokens: number): number {
  return tokens > DEFAULT_WINDOW ? MILLION : DEFAULT_WINDOW
}
