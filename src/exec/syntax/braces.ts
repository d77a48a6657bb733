/** Longer brace expansions are not worth following: `{1..1000}` becomes "some number". */
export const MOST_WORDS = 64

/** How many braces may stand inside or after each other in one word. */
export const DEEPEST_BRACE = 12

/** What a brace stands for: `{a,b{c,d}}` → a, b{c,d}; `{1..3}` → 1, 2, 3. */
export function alternatives(brace: string): string[] {
  const inner = brace.slice(1, -1)
  const range = /^(-?\w+)\.\.(-?\w+)(?:\.\.(-?\d+))?$/.exec(inner)
  if (range) return rangeOf(range[1]!, range[2]!, Math.abs(Number(range[3] ?? 1)) || 1)
  const choices: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < inner.length; at++) {
    const letter = inner[at]!
    if (letter === '\\') at++
    else if (letter === "'" || letter === '"') at = Math.max(at, inner.indexOf(letter, at + 1))
    else if (letter === '{') depth++
    else if (letter === '}') depth--
    else if (letter === ',' && depth === 0) {
      choices.push(inner.slice(from, at))
      from = at + 1
    }
  }
  return [...choices, inner.slice(from)]
}

function rangeOf(from: string, to: string, step: number): string[] {
  const isNumber = /^-?\d+$/.test(from)
  const [first, last] = isNumber ? [Number(from), Number(to)] : [from.codePointAt(0)!, to.codePointAt(0)!]
  const width = isNumber && /^-?0\d/.test(from) ? from.length : 0
  const count = Math.min(Math.floor(Math.abs(last - first) / step) + 1, MOST_WORDS + 1)
  return Array.from({ length: count || 0 }, (_, at) => {
    const value = first + (last < first ? -1 : 1) * at * step
    return isNumber ? String(value).padStart(width, '0') : String.fromCodePoint(value)
  })
}
