/** How large the context window of a model is. */

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
