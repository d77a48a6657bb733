import { weight } from '../drift/gist.ts'
import { identifierParts, identifiers, stem, words } from '../text/words.ts'

/** What is compared: a learning, or a candidate for one. */
export interface Comparable {
  summary: string
  detail: string
}

/** The learning that already says what the candidate says, if there is one. */
export function duplicateOf<T extends Comparable>(candidate: Comparable, learnings: readonly T[]): T | undefined {
  let duplicate: T | undefined
  let best = SAME
  for (const learning of learnings) {
    if (contradict(candidate, learning)) continue
    const score = isWithin(candidate.summary, learning.summary) ? 1 : similarity(candidate, learning)
    if (score < best) continue
    best = score
    duplicate = learning
  }
  return duplicate
}

/** What is compared of a note. */
interface Reading {
  /** The words of the summary, in order. */
  line: string[]
  summary: Weighed
  all: Weighed
}

/** Cached by note: each is compared with many others, and reading it takes longer than comparing. */
const readings = new WeakMap<Comparable, Reading>()

function readingOf(note: Comparable): Reading {
  const known = readings.get(note)
  if (known) return known
  const { summary, detail } = note
  const reading = { line: words(summary).map(root), summary: weigh(summary), all: weigh(`${summary}\n${detail}`) }
  readings.set(note, reading)
  return reading
}

const NO =
  /\b(no|not|never|cannot|avoid|stop|without|nicht|nie|niemals|kein\w*|ne|pas|jamais|nunca|ni|non|mai)\b|n't\b|(?<!\p{L})(не|нельзя|никогда)(?!\p{L})|不|别|勿|ない|않|말 것|안 된/iu

/** Whether two summaries say yes and no to the same thing in the same words: then one of them is news. */
function contradict(a: Comparable, b: Comparable): boolean {
  if (NO.test(a.summary) === NO.test(b.summary)) return false
  const [left, right] = [readingOf(a).summary, readingOf(b).summary]
  return left.size === right.size && without(left, right).size === 0
}

/** From here on two summaries are about the same thing. */
const SAME_TOPIC = 0.8

/**
 * The learning that says the opposite of the candidate, if there is one: of the same thing one says yes and the other no, or
 * both give it another number.
 */
export function contradictionOf<T extends Comparable>(candidate: Comparable, learnings: readonly T[]): T | undefined {
  return learnings.find((learning) => {
    const [left, right] = [readingOf(candidate).summary, readingOf(learning).summary]
    const [numbers, others] = [numbersIn(candidate.summary), numbersIn(learning.summary)]
    const isOtherNumber = numbers.length > 0 && numbers.length === others.length && numbers.join() !== others.join()
    if (NO.test(candidate.summary) === NO.test(learning.summary) && !isOtherNumber) return false
    const [a, b] = [withoutNumbers(left), withoutNumbers(right)]
    return a.size > 1 && (share(a, b) + share(b, a)) / 2 >= SAME_TOPIC
  })
}

function numbersIn(summary: string): string[] {
  return summary.match(/\d+(?:[.,]\d+)*/g) ?? []
}

function withoutNumbers(weighed: Weighed): Weighed {
  return new Map([...weighed].filter(([word]) => !/^\d/.test(word)))
}

/** Shorter ones are within too many others. */
const SHORTEST = 10

/** Whether one of two summaries stands, word for word, in the other: whatever the details say, it is the same point. */
function isWithin(a: string, b: string): boolean {
  const [shorter, longer] = [plain(a), plain(b)].sort((one, other) => one.length - other.length)
  return shorter!.trim().length >= SHORTEST && longer!.includes(shorter!)
}

function plain(summary: string): string {
  return ` ${summary
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `
}

/** From here on two learnings say the same. */
const SAME = 0.5

/** Fitted to the pairs marked `dev` in test/corpus/learnings; `npm run bench duplicates` shows how well it holds. */
const MODEL = { whole: 2.8, summaries: 3.58, beyond: 4.09, exchanged: -7, bias: -3.95 }

/**
 * How likely two learnings say the same, from 0 to 1. Two notes on one topic share its name; two that say the same share
 * the rest as well. So the words they have in common are weighed three times: all of them, those of each summary that
 * the other note holds anywhere, and those beyond what both summaries name. Against it counts that both are one sentence
 * with another word in it: `the billing service …` and `the catalog service …` say different things in the same words.
 */
export function similarity(a: Comparable, b: Comparable): number {
  const [left, right] = [readingOf(a), readingOf(b)]
  const topic = common(left.summary, right.summary)
  const summaries = (share(left.summary, right.all) + share(right.summary, left.all)) / 2
  const beyond = cosine(without(left.all, topic), without(right.all, topic))
  const whole = cosine(left.all, right.all)
  const sum = MODEL.bias + MODEL.whole * whole + MODEL.summaries * summaries + MODEL.beyond * beyond
  const isNear = sum >= 0
  return 1 / (1 + Math.exp(-sum - (isNear ? MODEL.exchanged * exchanged(left, right) : 0)))
}

/** Longer passages are not one word in the place of another, they are said differently. */
const LONGEST_EXCHANGE = 2

/** How much of the sentence is left when telling words, which one of the notes has for its own, are exchanged in it. */
function exchanged(a: Reading, b: Reading): number {
  // In a fixed order, because of several ways to lay two sentences side by side only one is taken.
  const [one, other] = [a.line, b.line].sort((left, right) => (left.join(' ') < right.join(' ') ? -1 : 1))
  const own = new Set([...without(a.all, b.all).keys(), ...without(b.all, a.all).keys()])
  const { common: inBoth, gaps } = sideBySide(one!, other!)
  const isExchange = gaps.some((sides) => {
    const [left, right] = sides.map((side) => side.filter((word) => own.has(word))) as Gap
    const isShort = sides.every((side) => side.length <= LONGEST_EXCHANGE)
    return isShort && right.length > 0 && left.some((word) => !right.some((its) => isVariant(word, its)))
  })
  return isExchange ? (inBoth / Math.min(one!.length, other!.length)) ** 2 : 0
}

/** `repo` and `repository`, or a slip of the pen. */
function isVariant(a: string, b: string): boolean {
  return !/^\d/.test(a) && a.slice(0, 4) === b.slice(0, 4)
}

type Gap = [string[], string[]]

/** Two texts laid side by side: how many words they share in the same order, and what stands between those. */
function sideBySide(a: string[], b: string[]): { common: number; gaps: Gap[] } {
  const longest = a.map(() => b.map(() => 0))
  const at = (i: number, j: number) => longest[i]?.[j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      longest[i]![j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const gaps: Gap[] = [[[], []]]
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && a[i] === b[j]) {
      gaps.push([[], []])
      i++
      j++
    } else if (j === b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) gaps.at(-1)![0].push(a[i++]!)
    else gaps.at(-1)![1].push(b[j++]!)
  }
  return { common: at(0, 0), gaps }
}

type Weighed = Map<string, number>

const LEAST = 0.3
const NUMBER = 0.9

/** The roots of a text's words, each with how telling it is. */
function weigh(text: string): Weighed {
  const terms: Weighed = new Map()
  for (const part of identifiers(text).flatMap(identifierParts)) {
    const isNumber = /^\d/.test(part)
    if ((part.length < 2 && !isNumber) || EMPTY.has(part)) continue
    const telling = isNumber ? NUMBER : LEAST + weight(stem(part))
    const term = root(part)
    terms.set(term, Math.max(terms.get(term) ?? 0, telling))
  }
  return terms
}

const ENDING = /(ations?|itions?|ators?|ions?|ers?|ors?|ments?|ables?|ibles?|ly|als?|ives?|ness|ity|ings?|ed|es|s|e|y)$/

/** Further down than a stem: `migration`, `migrate` and `migrator` are one root. */
function root(word: string): string {
  let left = stem(word)
  for (let cuts = 0; cuts < 2; cuts++) {
    const cut = left.replace(ENDING, '')
    if (cut.length < 4) break
    left = cut
  }
  return left
}

/** Words of every sentence, and of every piece of advice. */
const EMPTY = new Set(
  'the and for with that this from into are was were been has have had not but its it is be as at by on in of to or an a when then than so if will would can could should must may also does did do done there their them they you your our we use used using one all any some each more most other only very just via per about because which who what how why where while since otherwise unless without until after before first instead rather here through both own even still too much many every another nicht nie niemals kein keine keinen ne pas jamais nunca non mai не нельзя никогда never always avoid no nor need needs get gets put make makes take takes go goes come comes'.split(
    ' ',
  ),
)

function common(a: Weighed, b: Weighed): Weighed {
  return new Map([...a].flatMap(([term, value]) => (b.has(term) ? [[term, (value + b.get(term)!) / 2] as const] : [])))
}

function without(terms: Weighed, others: Weighed): Weighed {
  return new Map([...terms].filter(([term]) => !others.has(term)))
}

function cosine(a: Weighed, b: Weighed): number {
  return mass(common(a, b)) / Math.sqrt(Math.max(1e-9, mass(a) * mass(b)))
}

/** How much of the first is in the second. */
function share(a: Weighed, b: Weighed): number {
  return mass(common(a, b)) / Math.max(1e-9, mass(a))
}

function mass(terms: Weighed): number {
  return [...terms.values()].reduce((sum, value) => sum + value, 0)
}
