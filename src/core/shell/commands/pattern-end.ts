/**
 * Where a regular expression ends that began just before `from`: behind the first mark that is neither escaped nor inside
 * brackets. Undefined where it has no end. Walked letter by letter: as one regular expression this could take for ever.
 */
export function patternEnd(text: string, from: number, mark: string): number | undefined {
  for (let at = from; at < text.length; at++) {
    const letter = text[at]
    if (letter === mark) return at + 1
    if (letter === '\n' && mark !== '\n') return undefined
    if (letter === '\\') at++
    else if (letter === '[') at = classEnd(text, at) ?? at
  }
  return undefined
}

/** The bracket that closes `[…]`; one right after the opening bracket is a letter. */
function classEnd(text: string, from: number): number | undefined {
  const first = from + (text[from + 1] === '^' ? 2 : 1)
  for (let at = first; at < text.length && text[at] !== '\n'; at++) {
    if (text[at] === ']' && at > first) return at
    // Another bracket opens nothing inside, but `[` after `[` without end would be looked through again and again.
    if (at - from > LONGEST_CLASS) return undefined
  }
  return undefined
}

const LONGEST_CLASS = 500
