import { weight } from '../drift/gist.ts'
import { identifierParts, identifiers, stem } from '../text/words.ts'

/** What is compared: a learning, or a candidate for one. */
export interface Comparable {
  summary: string
  detail: string
}

/** The learning that already says what the candidate says, if there is one. */
export function twinOf<T extends Comparable>(candidate: Comparable, learnings: readonly T[]): T | undefined {
  let twin: T | undefined
  let best = SAME
  for (const learning of learnings) {
    const score = isWithin(candidate.summary, learning.summary) ? 1 : similarity(candidate, learning)
    if (score < best) continue
    best = score
    twin = learning
  }
  return twin
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
const MODEL = { whole: 3.95, summaries: 2.86, beyond: 5.6, bias: -4.48 }

/**
 * How likely two learnings say the same, from 0 to 1. Two notes on one topic share its name; two that say the same share
 * the rest as well. So the words they have in common are weighed three times: all of them, those of each summary that
 * the other note holds anywhere, and those beyond what both summaries name.
 */
export function similarity(a: Comparable, b: Comparable): number {
  const [summaryA, summaryB] = [weigh(a.summary), weigh(b.summary)]
  const [allA, allB] = [weigh(`${a.summary}\n${a.detail}`), weigh(`${b.summary}\n${b.detail}`)]
  const topic = common(summaryA, summaryB)
  const summaries = (share(summaryA, allB) + share(summaryB, allA)) / 2
  const beyond = cosine(without(allA, topic), without(allB, topic))
  const sum = MODEL.bias + MODEL.whole * cosine(allA, allB) + MODEL.summaries * summaries + MODEL.beyond * beyond
  return 1 / (1 + Math.exp(-sum))
}

type Weighed = Map<string, number>

const LEAST = 0.3
const NUMBER = 0.9

/** The roots of a text's words, each with how telling it is. */
function weigh(text: string): Weighed {
  const terms: Weighed = new Map()
  for (const part of identifiers(text).flatMap(identifierParts)) {
    if (part.length < 2 || EMPTY.has(part)) continue
    const telling = /^\d/.test(part) ? NUMBER : LEAST + weight(stem(part))
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
  'the and for with that this from into are was were been has have had not but its it is be as at by on in of to or an a when then than so if will would can could should must may also does did do done there their them they you your our we use used using one all any some each more most other only very just via per about because which who what how why where while since otherwise unless without until after before first instead rather here through both own even still too much many every another never always avoid no nor need needs get gets put make makes take takes go goes come comes'.split(
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
