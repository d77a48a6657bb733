/**
 * Words and phrases in the short form that people can keep: `touch(?:ed|es)?`, `off[- ]?limits?`, `refactor\p{L}*`. Written
 * out they are found by comparing letters. An expression for all of them would say the same, and take a third of a second to
 * be made, because letters of every language in either case are a large set.
 */

/** Any letters up to the end of the word: none or more, one or more. */
const ANY = '\ue000'
const SOME = '\ue001'

/** All that a short form stands for; nothing where it says more than this can tell. */
export function writtenOut(source: string): string[] | undefined {
  const rest = source.replace(/\\p\{L\}(?:\*|\+|\{1,4\})$/, (sign) => (sign.endsWith('*') ? ANY : SOME))
  if (/[\\*+{}^$]|\(\?[^:]/.test(rest)) return undefined
  const [found, end] = sequence(rest, 0)
  return end === rest.length ? found : undefined
}

/** Alternatives up to the end of a group. */
function alternatives(source: string, start: number): [string[], number] {
  const found: string[] = []
  let at = start
  for (;;) {
    const [more, end] = sequence(source, at)
    found.push(...more)
    if (source[end] !== '|') return [found, end]
    at = end + 1
  }
}

function sequence(source: string, start: number): [string[], number] {
  let found = ['']
  let at = start
  while (at < source.length && source[at] !== '|' && source[at] !== ')') {
    let next: string[]
    if (source.startsWith('(?:', at)) {
      const [inside, end] = alternatives(source, at + 3)
      next = inside
      at = end + 1
    } else if (source[at] === '[') {
      const end = source.indexOf(']', at)
      next = [...source.slice(at + 1, end)]
      at = end + 1
    } else {
      // Letters in one go; only the last of them may be one that can be missing.
      let end = at + 1
      while (end < source.length && !'|)([?'.includes(source[end]!)) end++
      if (source[end] === '?' && end > at + 1) end--
      next = [source.slice(at, end)]
      at = end
    }
    if (source[at] === '?') {
      next = [...next, '']
      at++
    }
    found =
      next.length === 1 ? found.map((one) => one + next[0]) : found.flatMap((one) => next.map((other) => one + other))
  }
  return [found, at]
}

/** Where a phrase ends that begins at this place of a text in lower case; up to three spaces are one. */
export function endOfPhrase(phrase: string, text: string, start: number): number | undefined {
  let at = start
  for (const sign of phrase) {
    if (sign === ANY || sign === SOME) {
      const from = at
      while (at < text.length && isLetter(text[at]!)) at++
      if (sign === SOME && at === from) return undefined
    } else if (sign === ' ') {
      const from = at
      while (at - from < 3 && isSpace(text[at])) at++
      if (at === from) return undefined
    } else if (text[at] === sign) at++
    else return undefined
  }
  return isWordEnd(text, at) ? at : undefined
}

function isWordEnd(text: string, at: number): boolean {
  const next = text[at]
  if (next === undefined) return true
  if (isLetter(next) || (next >= '0' && next <= '9') || next === '_') return false
  // "Let's" is another word than "let".
  return !((next === '-' || next === "'" || next === '’') && at + 1 < text.length && isLetter(text[at + 1]!))
}

/** Letters of the scripts that have two cases, and signs of those that have none. */
function isLetter(sign: string): boolean {
  return (
    (sign >= 'a' && sign <= 'z') ||
    (sign > '\u007f' && (sign >= '\u3040' || sign !== sign.toUpperCase() || sign === 'ß'))
  )
}

function isSpace(sign: string | undefined): boolean {
  return sign === ' ' || sign === '\n' || sign === '\t' || sign === '\u00a0'
}
