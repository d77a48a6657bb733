/** What JSON from outside may be before it is parsed, and before anything walks through it. */

export const DEEPEST = 1000
/** No client says as much; each takes some microseconds to look at, copy and keep. */
export const MOST_VALUES = 100_000

/**
 * The text with `null` in place of what is nested too deep, so that everything beside it is still heard; undefined when it holds too
 * many values. One look at each character: it costs far less than parsing. Broken JSON stays broken.
 */
export function boundedJson(text: string): string | undefined {
  let kept = ''
  let from = 0
  let depth = 0
  let values = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign === QUOTE) at = endOfString(text, at)
    else if (sign === COMMA) values++
    else if (sign === LIST || sign === MAP) {
      values++
      if (++depth === DEEPEST + 1) kept += `${text.slice(from, at)}null`
    } else if ((sign === LIST_END || sign === MAP_END) && depth-- === DEEPEST + 1) from = at + 1
    if (values > MOST_VALUES) return undefined
  }
  return kept === '' ? text : depth > DEEPEST ? kept : kept + text.slice(from)
}

const QUOTE = 0x22
const COMMA = 0x2c
const LIST = 0x5b
const BACKSLASH = 0x5c
const LIST_END = 0x5d
const MAP = 0x7b
const MAP_END = 0x7d

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign === BACKSLASH) at++
    else if (sign === QUOTE) return at
  }
  return text.length
}
