import { hash } from '../text/hash.ts'
import { shapeOf } from './shape.ts'
import { type Substance, withoutNames } from './substance.ts'

/** A candidate's words and what is seen of them. */
export interface Seen {
  summary: string
  detail: string
  substance: Record<'summary' | 'detail' | 'all', Substance>
}

export type Feature = readonly [index: number, value: number]

/** Where what is seen begins, then the shape, then the words. */
const FIRST_SHAPE = 64
const FIRST_WORD = 128
const BUCKETS = 16384
/** @public How many numbers a row has. */
export const FEATURES = FIRST_WORD + BUCKETS
/** How much each counts beside the others: one thing seen, one of the shape, all words together, and all their pieces together. */
const WEIGHT = { seen: 0.6, shape: 1.5, words: 5, pieces: 4 }

/** What the model of worth looks at. Names are left out of the words: what a note is about says nothing of its worth. */
export function worthFeatures({ summary, detail, substance }: Seen): Feature[] {
  const seen = [substance.summary, substance.detail, substance.all].flatMap(numbersOf)
  const sizes = [...[summary, detail].flatMap(sizesOf), 1]
  const units = [summary, detail].map(unitsOf)
  return [
    ...numbered([...seen, ...sizes], 0, WEIGHT.seen),
    ...numbered([summary, detail].flatMap(shapeOf), FIRST_SHAPE, WEIGHT.shape),
    ...bag(units.flatMap(wordsIn), WEIGHT.words),
    ...bag(units.flat().flatMap(piecesOf), WEIGHT.pieces),
  ]
}

function numbered(values: readonly number[], from: number, weight: number): Feature[] {
  return values.flatMap((value, at) => (value === 0 ? [] : [[from + at, value * weight] as const]))
}

function bag(words: readonly string[], weight: number): Feature[] {
  const buckets = [...new Set(words.map((word) => hash(word, BUCKETS)))]
  const each = weight / Math.sqrt(Math.max(1, buckets.length))
  return buckets.map((bucket) => [FIRST_WORD + bucket, each] as const)
}

function numbersOf({ telling, relations, reports, descriptions, benefits }: Substance): number[] {
  const { cause, condition, contrast, necessity, consequence, imperative } = relations
  const counts = [reports, descriptions, benefits]
  return [
    ...[cause, condition, contrast, necessity, consequence, imperative].map(Number),
    ...counts.map((count) => Math.min(count, 3)),
    ...counts.map((count) => Number(count > 0)),
    Math.min(telling, 14) / 4,
  ]
}

/** Signs of scripts that need fewer of them count twice. */
const DENSE = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/

function sizesOf(text: string): number[] {
  const signs = withoutNames(text)
  const numbers = signs.match(/#/g)?.length ?? 0
  const names = signs.match(/§/g)?.length ?? 0
  const length = [...text].reduce((sum, sign) => sum + (DENSE.test(sign) ? 2 : 1), 0)
  return [Math.min(numbers, 4) / 2, Math.min(names, 4) / 2, Math.min(length / 150, 2)]
}

const UNIT = /[§#]|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+|[\p{L}\p{M}]+/gu

function unitsOf(text: string): string[] {
  return withoutNames(text).match(UNIT) ?? []
}

/** Words, pairs of words, and how long words begin and end; of scripts without spaces, pairs of signs. */
function wordsIn(units: readonly string[]): string[] {
  const words = units.flatMap((unit) => (DENSE.test(unit) ? pairs(unit) : [unit]))
  return [
    ...words.flatMap((word, at) => [word, ...(at + 1 < words.length ? [`${word} ${words[at + 1]}`] : [])]),
    ...units.flatMap(endsOf),
  ]
}

/** Endings tell reports from rules in languages that inflect, and beginnings are what forms of a word share. */
function endsOf(word: string): string[] {
  if (word.length < 4 || DENSE.test(word)) return []
  return [`-${word.slice(-3)}`, ...(word.length > 5 ? [`${word.slice(0, 5)}-`] : [])]
}

function pairs(word: string): string[] {
  const signs = [...word]
  return signs.slice(1).map((sign, at) => `${signs[at]}${sign}`)
}

/** What lies within words: related forms, and related languages, have it in common. */
function piecesOf(word: string): string[] {
  const signs = [...`_${word}_`]
  const sizes = DENSE.test(word) ? [1, 2, 3] : [3, 4]
  return sizes.flatMap((size) =>
    Array.from({ length: Math.max(0, signs.length - size + 1) }, (_, at) => `g${signs.slice(at, at + size).join('')}`),
  )
}
