import { hash } from '../text/hash.ts'
import { type Substance, withoutNames } from './substance.ts'
import weights from './worth.min.json' with { type: 'json' }

/**
 * How much a later session could do with a candidate: a linear model over what is seen of its summary and its detail, and
 * over its words without the names. Trained by bench/train-worth.ts on candidates that people had labelled, in many
 * languages (test/corpus/learnings). Above zero it is worth keeping.
 */
export function worthOf(candidate: Seen): number {
  return scoreOf(model, worthFeatures(candidate))
}

/** A candidate's words and what is seen of them. */
export interface Seen {
  summary: string
  detail: string
  substance: Record<'summary' | 'detail' | 'all', Substance>
}

/** A weight per feature, in thousandths, and what a candidate must have more than. */
export interface WorthModel {
  trainedOn: string
  least: number
  weights: number[]
}

const model: WorthModel = weights

export type Feature = readonly [index: number, value: number]

/** @public Training scores candidates by models of its own. */
export function scoreOf({ least, weights }: WorthModel, features: readonly Feature[]): number {
  return features.reduce((sum, [index, value]) => sum + value * (weights[index] ?? 0), -least) / 1000
}

/** @public Where the words begin; training holds them to smaller weights. */
export const FIRST_WORD = 64
const BUCKETS = 16384
/** @public How many numbers a row has. */
export const FEATURES = FIRST_WORD + BUCKETS
/** How much all words together weigh beside one thing seen. */
const WORDS = 5

/** @public Training needs it. */
export function worthFeatures({ summary, detail, substance }: Seen): Feature[] {
  const seen = [substance.summary, substance.detail, substance.all].flatMap(numbersOf)
  const shape = [...[summary, detail].flatMap(sizesOf), 1]
  const words = [...new Set([...wordsOf(summary), ...wordsOf(detail)].map((word) => hash(word, BUCKETS)))]
  const each = WORDS / Math.sqrt(Math.max(1, words.length))
  return [
    ...[...seen, ...shape].map((value, at) => [at, value] as const).filter(([, value]) => value !== 0),
    ...words.map((index) => [FIRST_WORD + index, each] as const),
  ]
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

/** Words, pairs of words, and how long words begin and end; of scripts without spaces, pairs and triples of signs. */
function wordsOf(text: string): string[] {
  const units = (withoutNames(text).match(UNIT) ?? []).flatMap((unit) => (DENSE.test(unit) ? pairs(unit) : [unit]))
  return units.flatMap((unit, at) => [
    unit,
    ...(at + 1 < units.length ? [`${unit} ${units[at + 1]}`] : []),
    ...endsOf(unit),
  ])
}

/** Endings tell reports from rules in languages that inflect, and beginnings are what forms of a word share. */
function endsOf(word: string): string[] {
  if (word.length < 4 || DENSE.test(word)) return []
  return [`-${word.slice(-3)}`, ...(word.length > 5 ? [`${word.slice(0, 5)}-`] : [])]
}

function pairs(word: string): string[] {
  const signs = [...word]
  return signs.length === 1 ? signs : signs.slice(1).map((sign, at) => `${signs[at]}${sign}`)
}
