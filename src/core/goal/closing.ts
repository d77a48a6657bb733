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

/**
 * Read by a small classifier; weights and the code that trains them are part of the project. `asked` is what the user said:
 * where that was a question, "it cannot find the file" is the answer and no failure.
 */
export function readClosing(text: string, asked = ''): Closing {
  const told = toldByTool(text)
  if (told) return told
  const read = classify(model, closingFeatures(text, asked))
  return read === 'asks' && offersMore(text) ? 'finished' : read
}

/** What stands below the answer's own words: a tool that failed has not done the work, one that wrote has. */
function toldByTool(text: string): Closing | undefined {
  const last = text.trimEnd().slice(-600).split('\n').at(-1)!.trim()
  if (ERROR_LINE.test(last)) return 'unfinished'
  return DONE_LINE.test(last) ? 'finished' : undefined
}

const ERROR_LINE =
  /^(?:[\w.]{0,60}(?:Error|Exception)(?: \(\w[\w -]{0,40}\))?: |API Error\b|Error: |fatal: |Unable to (?:write|read|connect|reach)\b|Retrying in \d|\^C\b|\[Errno \d)/
const DONE_LINE = /^(?:Applied edit to |Commit [0-9a-f]{7,40} |\[[\w/.-]{1,60} [0-9a-f]{7,40}\] )/

/** "I've made these changes … Would you like me to: 1. add more tests 2. something else?": more is offered, nothing needed. */
function offersMore(text: string): boolean {
  const offer = /\bwould you like me to:\s{0,4}\n/i.exec(text)
  return offer !== null && CUES.failed?.test(text) !== true && text.slice(0, offer.index).trim().length > 200
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
const SHAPES = 26
/** Each cue once more where the user had asked a question. */
const ASKED = SHAPE + SHAPES
const BOTH = ASKED + NAMES.length
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
/** Rare but plain: what is counted or headed says more than its few lessons would let it. */
const PLAIN = 2.5
/** A word alone says less than a cue. */
const WORD = 0.35
const PAIR = 0.5
const MOST_READ = 2400
const END = 360
const BEGINNING = 240

export function closingFeatures(text: string, asked = ''): Feature[] {
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
  const isAnswer = QUESTION.test(asked.trim())
  for (const [at, name] of NAMES.entries()) {
    const cue = CUES[name]!
    if (!cue.test(read)) continue
    const base = PLACES * at
    found.push([base, 1])
    if (isAnswer) found.push([ASKED + at, 1])
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
  for (const [at, value] of shapeOf(text, read, sentences, isAnswer).entries())
    if (value !== 0) found.push([SHAPE + at, value])
  const grams = new Set([...gramsOf(last, 'l'), ...gramsOf(end, 'e'), ...gramsOf(first, 'f')])
  for (const index of grams) found.push([WORDS + index, WORD])
  return found
}

/** Code says nothing about how the work stands, but an answer that ends with it mostly has not come to its end. */
function withoutCode(text: string): string {
  return text.includes('```') ? text.replace(/```[\s\S]*?(?:```|$)/g, '\n') : text
}

/** A request that an answer satisfies. */
const QUESTION =
  /[?？]\s*$|^(?:why|what|which|how|where|who|when|is|are|does|do|did|can|could|explain|tell me|compare|list|review|look|investigate|estimate|check|warum|wieso|was|wie|welche|pourquoi|comment|quel|est-ce|por qué|cómo|qué|perché|come|por que|como|waarom|hoe|dlaczego|почему|зачем|как|что|为什么|怎么|请问|なぜ|どう|왜)(?![\w-])/i

/** "7 of 12": less than all of it, or all. */
const SHARE =
  /(?<![\d.,])(\d{1,6}) ?(?:\/(?=[1-9]\d)|of|out of|von|sur|de|di|van|z|ze|av|af|из|зі|із)(?: (?:the|den|des|les|las|los|os|as|de|our))?(?: \p{L}+){0,2} ?(\d{1,6})(?![\d.%])|(?<![\d.,])(\d{1,6}) (?:\p{L}+ ){1,2}(?:sur|of|von|de|di|su|av) (\d{1,6})(?![\d.%])/giu
const FAILURES =
  /(?<![\d.,])([1-9]\d{0,4}|one|two|three|four|five|six|seven|several|some|zwei|drei|vier|deux|trois|quatre|dos|tres|due|tre|dois|duas) (?:\p{L}+ ){0,2}(?:fail(?:s|ed|ing|ures?)?|errors?|red|broken|fehler|rot|rouges?|échou\w+|fall\w+|en rojo|errori|erros)\b|\b(?:failed|failures?|errors?)\s*[:=]\s*[1-9]|❌|✘|✗/iu
const NO_FAILURES = /\b(?:0|no|zero|without) (?:\p{L}+ ){0,1}(?:failures?|failed|failing|errors?)\b/iu
/** A thought that ends with a "not": "the listener is in place, reconnecting is not." */
const ENDS_WITH_NOT =
  /\b(?:is|are|was|were|does|do|did|has|have)(?: not|n['’]t)(?: yet)?\s*(?:[.;:)]|$)|:\s*(?:no|not yet|none|pending|todo|missing|open)\b|\bnicht\s*(?:[.;]|$)|\bno lo (?:está|es)\b|\bne l['’]est pas\b/im
/** A heading for what is still to be done, and one for what may be done as well. */
const REMAINS =
  /^[ \t]{0,8}(?:#{1,4} |\*\*)?(?:what(?:['’]s| is)? (?:left|missing|remains)|remaining|not done|still (?:open|to do)|left to do|to ?do|known gaps|open (?:points|items)|pending|outstanding|status|progress|in progress|where we are)\b/im
const NEXT_STEPS =
  /^[ \t]{0,8}(?:#{1,4} |\*\*)?(?:next steps|you (?:could|can|may)|recommend|suggest|notes?\b|how to (?:test|use|run)|things to know|verification|not included|usage)/im

function shapeOf(text: string, read: string, sentences: readonly string[], isAnswer: boolean): number[] {
  const last = sentences.at(-1) ?? ''
  const shares = [...read.matchAll(SHARE)].map((found) => [Number(found[1] ?? found[3]), Number(found[2] ?? found[4])])
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
    isAnswer ? 1 : 0,
    isAnswer && sentences.length <= 3 ? 1 : 0,
    shares.some(([part = 0, all = 0]) => part < all) ? PLAIN : 0,
    shares.some(([part = 0, all = 0]) => part === all && all > 1) ? PLAIN : 0,
    FAILURES.test(read) ? PLAIN : 0,
    NO_FAILURES.test(read) ? PLAIN : 0,
    ENDS_WITH_NOT.test(read) ? PLAIN : 0,
    REMAINS.test(read) ? PLAIN : 0,
    NEXT_STEPS.test(read) ? 1 : 0,
    // An answer that ends without a stop was cut off, or goes on with a tool.
    /[\p{L}\p{N}]\s*$/u.test(read) && sentences.length > 2 ? 1 : 0,
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
