/**
 * Words as programmers write them. `parseHTTPHeader_v2` and `src/http-parser.ts` share words with "HTTP header parser",
 * so everything that compares goals, paths, commands and code goes through here.
 */

const RUN = /[\p{L}\p{N}_]+/gu
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|[^\p{Lu}\p{Ll}\p{N}_]+/gu

/** The identifiers in a text as they stand: runs of letters, digits and underscores. */
export function identifiers(text: string): string[] {
  return text.match(RUN) ?? []
}

/** One identifier cut at its humps, underscores and digits, in lower case: `getURLPath2` → get, url, path, 2. */
export function identifierParts(identifier: string): string[] {
  return (identifier.match(PARTS) ?? []).map((part) => part.toLowerCase())
}

/** All the words of a text, in order, in lower case. */
export function words(text: string): string[] {
  return identifiers(text).flatMap(identifierParts)
}

/** A light English stemmer: enough to join `caching`, `cached`, `caches` and `cache`, and never shorter than three letters. */
export function stem(word: string): string {
  if (word.length < 4) return word
  const bare = strip(word)
  return bare.length >= 3 ? bare.replace(/([^aeiouls])\1$/, '$1').replace(/e$/, '') : word
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
