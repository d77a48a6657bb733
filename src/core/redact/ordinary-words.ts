import packed from './words.min.json' with { type: 'json' }

/**
 * Words that ordinary texts are made of, in twenty languages: behind "the password is", `required` and `vergessen` say something
 * about it, and a word that stands in no such text is rather the password. They are kept as a Bloom filter, which takes one word in
 * a hundred for one of them that is none; bench/train-secrets.ts writes it from test/corpus/secrets/words.txt.
 */
export function isOrdinaryWord(word: string): boolean {
  bits ??= atob(packed.bits)
  const { first, second } = hashesOf(word)
  const size = bits.length * 8
  for (let at = 0; at < HASHES; at++) {
    const bit = bitAt(first, second, at, size)
    if ((bits.charCodeAt(bit >> 3) & (1 << (bit & 7))) === 0) return false
  }
  return true
}

/** A character a byte. */
let bits: string | undefined

const HASHES = 6
const PRIME = 16777619

/** @public The bits of a filter of this size that stand for a word. */
export function bitsOf(word: string, size: number): number[] {
  const { first, second } = hashesOf(word)
  return Array.from({ length: HASHES }, (_, at) => bitAt(first, second, at, size))
}

function bitAt(first: number, second: number, at: number, size: number): number {
  return ((first + Math.imul(at, second)) >>> 0) % size
}

function hashesOf(word: string): { first: number; second: number } {
  let first = 2166136261
  let second = 5381
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at)
    first = Math.imul(first ^ code, PRIME)
    second = Math.imul(second, 33) ^ code
  }
  return { first: first ^ (first >>> 13), second: second | 1 }
}

/** Endings that make nouns, verbs and adverbs of other words: Wiederholbarkeit, significantly, intentional. */
const MADE_WORD =
  /^\p{L}{4,}(?:[kh]eit|schaft|ität|[ts]ion(?:s|en|al|ally)?|ness|ment|mente|it(?:y|ies)|i[zs](?:ed|es|ing)|fully|ably|ically|ously|ively|edly|ingly|antly|ently|barer?|ier(?:t|en|ung)|zion[ei]|ci[oó]n(?:es)?|ç(?:ão|ões)|i?dade?|ément|ement|ification|ability|able)$/iu

/** How many of the words of a value are ordinary: none has letters enough, none is, some are, all are. */
export type Ordinary = 'no words' | 'none' | 'some' | 'all'

export function ordinaryShare(value: string): Ordinary {
  const words = value.split(/[^\p{L}\p{M}]+|(?<=\p{Ll})(?=\p{Lu})/u).filter((word) => word.length >= 3)
  if (words.length === 0) return 'no words'
  const ordinary = words.filter((word) => MADE_WORD.test(word) || isOrdinaryWord(word.toLowerCase())).length
  return ordinary === 0 ? 'none' : ordinary === words.length ? 'all' : 'some'
}
