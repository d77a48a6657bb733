/**
 * Where words of a list may begin, by their first four letters: one pass over a text, a few operations a character. An expression that
 * begins with such a word is then tried at these places only, in place of reading the whole text for it. Places are given
 * generously: whatever is not Latin counts as one and the same letter.
 */

/** For each three letters, by their classes, a bit for each class of the fourth. */
export type Openings = Uint32Array

const NOT_ASCII = 31
const CLASSES = 32
const CLASS_OF = new Uint8Array(128)
for (const [at, letter] of [...'abcdefghijklmnopqrstuvwxyz _-/'].entries()) {
  CLASS_OF[letter.charCodeAt(0)] = at + 1
  CLASS_OF[letter.toUpperCase().charCodeAt(0)] = at + 1
}

function classOf(code: number): number {
  return code < 128 ? CLASS_OF[code]! : NOT_ASCII
}

/** Of words, or their beginnings, with strokes between them; behind a shorter one than four letters anything may stand. */
export function openingsOf(words: string): Openings {
  const openings = new Uint32Array(CLASSES ** 3)
  for (const word of words.split('|')) {
    const [first, second, third, fourth] = Array.from({ length: 4 }, (_, at) =>
      at < word.length ? [classOf(word.charCodeAt(at))] : ALL,
    )
    const bits = fourth!.length === 1 ? 1 << fourth![0]! : -1
    for (const a of first!) for (const b of second!) for (const c of third!) openings[(a << 10) | (b << 5) | c]! |= bits
  }
  return openings
}

const ALL = Array.from({ length: CLASSES }, (_, at) => at)

/** The next place, or -1. */
export function nextOpening(text: string, openings: Openings, from: number): number {
  const { length } = text
  let key = 0
  // The fourth letter behind `at` is read; the three before it are the key.
  for (let at = from; at < length + 3; at++) {
    const code = at < length ? text.charCodeAt(at) : 0
    const letter = code < 128 ? CLASS_OF[code]! : NOT_ASCII
    if (at >= from + 3 && (openings[key]! >>> letter) & 1) return at - 3
    key = ((key << 5) | letter) & 0x7fff
  }
  return -1
}

/** All places. */
export function placesOf(text: string, openings: Openings): number[] {
  const places: number[] = []
  const { length } = text
  let key = 0
  for (let at = 0; at < length + 3; at++) {
    const code = at < length ? text.charCodeAt(at) : 0
    const letter = code < 128 ? CLASS_OF[code]! : NOT_ASCII
    if (at >= 3 && (openings[key]! >>> letter) & 1) places.push(at - 3)
    key = ((key << 5) | letter) & 0x7fff
  }
  return places
}

/** Where a sticky expression first fits, or -1. */
export function firstMatch(text: string, openings: Openings, sticky: RegExp): number {
  for (let at = nextOpening(text, openings, 0); at >= 0; at = nextOpening(text, openings, at + 1)) {
    sticky.lastIndex = at
    if (sticky.test(text)) return at
  }
  return -1
}

/** What `matchAll` would find, by a sticky expression that fits at none but these places. */
export function matchesAt(text: string, places: readonly number[], sticky: RegExp): RegExpExecArray[] {
  const found: RegExpExecArray[] = []
  let done = 0
  for (const at of places) {
    if (at < done) continue
    sticky.lastIndex = at
    const match = sticky.exec(text)
    if (match === null) continue
    found.push(match)
    done = at + match[0].length
  }
  return found
}

/** What `replace` would make of a text by such an expression. */
export function replaceAt(
  text: string,
  places: readonly number[],
  sticky: RegExp,
  by: (match: RegExpExecArray) => string,
): string {
  let result = ''
  let done = 0
  for (const match of matchesAt(text, places, sticky)) {
    result += text.slice(done, match.index) + by(match)
    done = match.index + match[0].length
  }
  return done === 0 ? text : result + text.slice(done)
}
