/**
 * Words as programmers write them. `parseHTTPHeader_v2` and `src/http-parser.ts` share words with "HTTP header parser",
 * so everything that compares goals, paths, commands and code goes through here.
 */

// Nearly every text is plain ASCII, and for that there are patterns that do the same in a fraction of the time. Patterns
// for all of Unicode are large, so those are made where they are met.
const BEYOND_ASCII = /[^ -~\s]/
const ASCII_RUN = /\w+/g
const ASCII_IDENTIFIER = /^\w*$/
const ASCII_PARTS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g

/** The identifiers in a text as they stand: runs of letters, digits and underscores. */
export function identifiers(text: string): string[] {
  return text.match(identifierPattern(text)) ?? []
}

/** What finds the identifiers of a text, one after the other. */
export function identifierPattern(text: string): RegExp {
  return BEYOND_ASCII.test(text) ? /[\p{L}\p{N}_]+/gu : ASCII_RUN
}

/** One identifier cut at its humps, underscores and digits, in lower case: `getURLPath2` → get, url, path, 2. */
export function identifierParts(identifier: string): string[] {
  if (ASCII_IDENTIFIER.test(identifier)) return identifier.match(ASCII_PARTS)?.map((part) => part.toLowerCase()) ?? []
  const parts = identifier.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|[^\p{Lu}\p{Ll}\p{N}_]+/gu) ?? []
  return parts.flatMap((part) => (part > '\u0e00' && isUnspaced(part) ? pairsOf([...part]) : part.toLowerCase()))
}

/** Scripts that put no spaces between words. */
function isUnspaced(part: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u.test(
    part,
  )
}

/** Splitting their words needs a dictionary, but two signs next to each other are nearly as telling. */
function pairsOf(signs: string[]): string[] {
  if (signs.length < 3) return [signs.join('')]
  return signs.slice(1).map((sign, at) => `${signs[at]}${sign}`)
}

/** All the words of a text, in order, in lower case. */
export function words(text: string): string[] {
  return identifiers(text).flatMap(identifierParts)
}

/** A light English stemmer: enough to join `caching`, `cached`, `caches` and `cache`, and never shorter than three letters. */
export function stem(word: string): string {
  if (word.length < 4) return word
  const known = stems.get(word)
  if (known !== undefined) return known
  const bare = strip(word)
  const found = bare.length >= 3 ? bare.replace(/([^aeiouls])\1$/, '$1').replace(/e$/, '') : word
  if (word.length <= LONGEST_KEPT) keepStem(word, found)
  return found
}

/** The same few thousand words make up most of all texts. */
const stems = new Map<string, string>()
const MOST_STEMS = 20_000
/** A longer word that was cut out of a text holds on to all of it. */
const LONGEST_KEPT = 12

function keepStem(word: string, found: string) {
  if (stems.size >= MOST_STEMS) stems.clear()
  stems.set(word, found)
}

function strip(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (word.endsWith('sses')) return word.slice(0, -2)
  if (/(ss|us|is)$/.test(word)) return word
  if (/(ch|sh|x|z|ss)es$/.test(word)) return word.slice(0, -2)
  if (word.endsWith('s')) return strip(word.slice(0, -1))
  if (word.endsWith('ing') && word.length > 5) return word.slice(0, -3)
  if (word.endsWith('ed') && word.length > 4) return word.slice(0, -2)
  return word
}
