import { hash } from '../text/hash.ts'
import weights from './answers.min.json' with { type: 'json' }

/**
 * Whether a text wants an answer and no change, as learned: each sentence may ask for an answer, and may ask for a change. An
 * answer alone is wanted where one sentence at least does the first and none does the second.
 */
export interface AnswerModel {
  trainedOn: string
  /** A weight per feature, and one for none at all, in hundredths. */
  asks: number[]
  changes: number[]
}

export const BUCKETS = 8192

const model: AnswerModel = weights

/** How likely each sentence asks, and how likely the text as a whole wants nothing but an answer: 0 to 1. */
export function answerWanted(
  sentences: readonly (readonly number[])[],
  { asks, changes }: AnswerModel = model,
): { likely: number; asking: number[] } {
  const asking = sentences.map((features) => sure(features, asks))
  const changing = sentences.map((features) => sure(features, changes))
  const none = (all: number[]) => all.reduce((product, one) => product * (1 - one), 1)
  return { likely: (1 - none(asking)) * none(changing), asking }
}

function sure(features: readonly number[], row: readonly number[]): number {
  const score = features.reduce((sum, at) => sum + (row[at] ?? 0), row[BUCKETS] ?? 0) / 100
  return 1 / (1 + Math.exp(-score))
}

const LONGEST = 400
const MOST_WORDS = 40
const UNSPACED = /[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/

/** What a sentence says, as far as it tells who is to do what; `read` is what rules make of it. */
export function sentenceFeatures(sentence: string, at: number, of: number, read: readonly string[]): number[] {
  const said = sentence.slice(0, LONGEST)
  const found = new Set<string>()
  const add = (feature: string) => found.add(feature)
  const isAsked = /[?？]["')\]]*\s*$/.test(sentence)
  for (const one of read) {
    add(`r ${one}`)
    add(`r ${one} ${isAsked}`)
  }
  add(`r ${[...read].sort().join('+')}`)
  add(`asked ${isAsked}`)
  add(`ends ${/[:：]\s*$/.test(sentence) ? ':' : /[!！]\s*$/.test(sentence) ? '!' : ''}`)
  add(`at ${of === 1 ? 'only' : at === 0 ? 'first' : at === of - 1 ? 'last' : 'inside'}`)
  const words = tokensOf(said)
  add(`long ${Math.min(6, Math.floor(words.length / 4))}`)
  if (/[\w-][./][\w-]/.test(said)) add('path')
  const [first = '', second = '', third = ''] = words
  add(`1 ${first}`)
  add(`2 ${first} ${second}`)
  add(`3 ${first} ${second} ${third}`)
  add(`s ${first.slice(0, 5)}`)
  const last = words.at(-1) ?? ''
  add(`e ${last}`)
  add(`e ${last.slice(-3)} ${isAsked}`)
  for (const [place, word] of words.slice(0, MOST_WORDS).entries()) {
    add(`w ${word}`)
    if (word.length > 5) add(`p ${word.slice(0, 5)}`)
    const next = words[place + 1]
    if (next !== undefined) add(`b ${word} ${next}`)
  }
  return [...found].map((feature) => hash(feature, BUCKETS))
}

const PATH = /[\w-][./_][\w-]/

/** Paths, numbers and names of programs are all the same; signs without spaces go in pairs. */
function tokensOf(text: string): string[] {
  const found: string[] = []
  const plain = text.replace(/`[^`]{1,80}`/g, ' <it> ').replace(/\S+/g, (word) => (PATH.test(word) ? ' <it> ' : word))
  for (const [word] of plain.matchAll(/<it>|[\p{L}\p{N}]+(?:['’][\p{L}]+)*/gu)) {
    if (UNSPACED.test(word)) {
      const signs = [...word]
      if (signs.length === 1) found.push(word)
      for (let at = 0; at < signs.length - 1; at++) found.push(`${signs[at]}${signs[at + 1]}`)
    } else if (/^\d/.test(word)) found.push('<n>')
    else found.push(/[a-z][A-Z]/.test(word) ? '<it>' : word.toLowerCase().replaceAll('’', "'"))
  }
  return found
}
