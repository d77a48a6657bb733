import { hash } from '../text/hash.ts'
import { identifiers } from '../text/words.ts'
import weights from './closing.min.json' with { type: 'json' }
import { CUES } from './closing-cues.ts'
import { sentencesOf } from './prose.ts'

/** What the last words of a turn say about the work: it is done, it is not, or the user must answer first. */
export type Closing = 'finished' | 'unfinished' | 'asks'

export const CLOSINGS: readonly Closing[] = ['finished', 'unfinished', 'asks']

/** A linear model: for each class a weight per feature, in thousandths. */
export interface ClosingModel {
  trainedOn: string
  weights: Record<Closing, number[]>
}

const model: ClosingModel = weights

/** Read by a small classifier; weights and the code that trains them are part of the project. */
export function readClosing(text: string): Closing {
  return classify(model, closingFeatures(text))
}

export function classify({ weights }: ClosingModel, features: readonly Feature[]): Closing {
  const score = (label: Closing) =>
    features.reduce((sum, [index, value]) => sum + value * (weights[label][index] ?? 0), 0)
  const scores = CLOSINGS.map(score)
  return CLOSINGS[scores.indexOf(Math.max(...scores))]!
}

type Feature = readonly [index: number, value: number]

const NAMES = Object.keys(CUES)
/** Where a cue stands: anywhere, in the beginning, in the end, in the last sentence, and in a text of few sentences. */
const PLACES = 5
const SHAPE = PLACES * NAMES.length
const BOTH = SHAPE + 16
/** Cues of the beginning beside cues of the end: "added it. Shall I …?" and "shall I …?" are not the same. */
const WORDS = BOTH + NAMES.length * NAMES.length
const BUCKETS = 2048
/**
 * How many numbers a row has, and where the hashed words begin; training needs both.
 * @public
 */
export const FEATURES = WORDS + BUCKETS
/** @public */
export const FIRST_WORD = BOTH

const SHORT = 4
/** A word alone says less than a cue. */
const WORD = 0.35
const PAIR = 0.5
const MOST_READ = 2400
const END = 360
const BEGINNING = 240

export function closingFeatures(text: string): Feature[] {
  const prose = withoutCode(text)
  const read =
    prose.length <= MOST_READ ? prose : `${prose.slice(0, MOST_READ / 4)}\n${prose.slice((-3 * MOST_READ) / 4)}`
  const sentences = sentencesOf(read.slice(-1600))
  const last = sentences.at(-1) ?? ''
  const end = read.slice(-END)
  const first = (sentencesOf(read.slice(0, 600))[0] ?? '').slice(0, BEGINNING)
  const found: Feature[] = []
  const early: number[] = []
  const late: number[] = []
  for (const [at, name] of NAMES.entries()) {
    const cue = CUES[name]!
    if (!cue.test(read)) continue
    const base = PLACES * at
    found.push([base, 1])
    if (cue.test(end)) found.push([base + 1, 1])
    if (cue.test(last)) {
      found.push([base + 2, 1])
      late.push(at)
    }
    if (sentences.length <= SHORT) found.push([base + 3, 1])
    if (cue.test(first)) {
      found.push([base + 4, 1])
      early.push(at)
    }
  }
  if (sentences.length > 1)
    for (const one of early) for (const other of late) found.push([BOTH + one * NAMES.length + other, PAIR])
  for (const [at, value] of shapeOf(text, read, sentences).entries()) if (value !== 0) found.push([SHAPE + at, value])
  const grams = new Set([...gramsOf(last, 'l'), ...gramsOf(end, 'e'), ...gramsOf(first, 'f')])
  for (const index of grams) found.push([WORDS + index, WORD])
  return found
}

/** Code says nothing about how the work stands, but an answer that ends with it mostly has not come to its end. */
function withoutCode(text: string): string {
  return text.includes('```') ? text.replace(/```[\s\S]*?(?:```|$)/g, '\n') : text
}

function shapeOf(text: string, read: string, sentences: readonly string[]): number[] {
  const last = sentences.at(-1) ?? ''
  const isAsked = (sentence: string) => /[?？]["')\]*_]*\s*$/.test(sentence)
  const asked = sentences.filter(isAsked).length
  return [
    1,
    isAsked(last) ? 1 : 0,
    sentences.slice(-3).some(isAsked) ? 1 : 0,
    asked > 0 ? 1 : 0,
    asked > 1 ? 1 : 0,
    /[:：]\s*$/.test(text.trimEnd()) ? 1 : 0,
    /```\s*$/.test(text) ? 1 : 0,
    /^\s*(?:[-*•]|\d+[.)])\s/.test(read.trimEnd().split('\n').at(-1) ?? '') ? 1 : 0,
    Math.min(1, read.length / 1500),
    sentences.length === 1 ? 1 : 0,
    /(?:\.\.\.|…)\s*$/.test(read) ? 1 : 0,
    text.includes('```') ? 1 : 0,
    /[.。!！]["')\]*_]*\s*$/.test(read) ? 1 : 0,
    isAsked(last) && sentences.length > 3 ? 1 : 0,
    isAsked(last) && sentences.length <= 3 ? 1 : 0,
    read.trim() === '' ? 1 : 0,
  ]
}

/** Words and pairs of words; of scripts without spaces, pairs of signs. */
function gramsOf(text: string, part: string): number[] {
  const said = identifiers(text.toLowerCase()).slice(-60)
  const units = said.flatMap((word) => (/[\u3040-\u30ff\u4e00-\u9fff]/.test(word) ? pairs(word) : [word]))
  return units.flatMap((word, at) => {
    const next = units[at + 1]
    return next === undefined
      ? [hash(`${part} ${word}`, BUCKETS)]
      : [hash(`${part} ${word}`, BUCKETS), hash(`${part} ${word} ${next}`, BUCKETS)]
  })
}

function pairs(word: string): string[] {
  const signs = [...word]
  return signs.slice(1).map((sign, at) => `${signs[at]}${sign}`)
}
