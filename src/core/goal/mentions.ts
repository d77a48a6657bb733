import { hash } from '../text/hash.ts'
import { WORKS } from './clauses/work-verbs.ts'
import { DUTCH_ADAPT, IN_PORTUGUESE } from './languages/clause-words.ts'
import { type Sign, signsIn } from './languages/closing-words.ts'
import { REFUSING } from './languages/refusing.ts'
import { BORDER, isPassed, joined, type Named, namedIn, UNSPACED } from './named-in.ts'
import type { Target } from './targets.ts'

/**
 * Everything that a sentence names and that may be a place of the project, with what is said around it. Whether the words
 * close it, keep the work to it, or neither, is for a trained reader to tell.
 */
export interface Mention {
  target: Target
  kind: Named['kind']
  features: number[]
  /** Whether anything is said that may close it, or keep the work to it. */
  mayClose: boolean
  mayKeep: boolean
}

export const BUCKETS = 32_768

const LONGEST = 500

const MOST_MENTIONS = 24

/** Whether a sentence names a place; a plain word may be anything. */
export function namesPlace(sentence: string): boolean {
  return namedIn(sentence.slice(0, LONGEST)).some(({ kind }) => kind !== 'word')
}

export function mentionsIn(sentence: string, before = ''): Mention[] {
  const text = sentence
    .slice(0, LONGEST)
    .replace(IN_PORTUGUESE.test(sentence) ? /(?<!\p{L})no(?=\s)/giu : /$^/, 'em')
    .replace(DUTCH_ADAPT, 'wijzig')
  const signs = signsIn(text)
  const isClosed = signs.some(({ name }) => MAY_CLOSE.has(name))
  const isKept = signs.some(({ name }) => MAY_KEEP.has(name))
  if (!isClosed && !isKept) return []
  const named = joined(
    namedIn(text).filter(
      ({ target, start, end }) => target.is === 'path' || !signs.some((sign) => sign.at < end && sign.end > start),
    ),
    text,
  )
  if (named.length === 0) return []
  const borders = [...text.matchAll(BORDER)].map(({ index }) => index)
  const clauseAt = (at: number) => borders.filter((border) => border < at).length
  const earlier = new Set(signsIn(before.slice(-200)).map(({ name }) => name))
  const tokens = tokensOf(text, named)
  const clauses = borders.length + 1
  const places = named.filter(({ kind }) => kind !== 'word').map(({ start }) => clauseAt(start))
  const isBareRefusal = ({ start, end }: Named) => {
    const own = clauseAt(start)
    const said = tokens.filter((token) => clauseAt(token.start) === own)
    const isAhead = signs.some(({ name, at }) => name === 'refuses' && clauseAt(at) === own && at < start)
    return said.length <= FEW && (isAhead || said.filter((token) => token.start >= end).length <= 1)
  }
  const bounds = [0, ...borders, text.length]
  /** "Add it to README.md but leave the rest", "prod is locked, so only envs/staging": asked for where it is named. */
  const isAskedFor = ({ start }: Named) => {
    const own = clauseAt(start)
    const clause = text.slice(bounds[own], bounds[own + 1]).replace(/^[\s;,:.!?()-]+/, '')
    const here = signs.filter(({ at }) => clauseAt(at) === own)
    if (WORKS.test(clause)) return !here.some(({ name }) => CLOSES.has(name))
    const isHeaded = text[bounds[own] ?? 0] === ':' && !here.some(({ name }) => SPEAKS_AGAINST.has(name))
    const last = isHeaded ? own - 1 : own
    return signs.some(({ name, at }) => name === 'only' && at < start && clauseAt(at) >= last)
  }
  return named.slice(0, MOST_MENTIONS).flatMap((mention) => {
    const own = clauseAt(mention.start)
    const strong = mention.target.is === 'path' ? STRONG : CERTAIN
    const isNear = (at: number) => Math.abs(clauseAt(at) - own) <= 1
    const isSaid = () =>
      signs.some(({ name, at }) => strong.has(name) && isNear(at)) &&
      (mention.target.is === 'path' || signs.some(({ name, at }) => SPEAKS_AGAINST.has(name) && isNear(at)))
    const mayClose =
      isClosed &&
      !(mention.kind === 'code' && isCodeOfSomething(mention, named, text, clauseAt)) &&
      !isPassed(mention, named, text, own, clauseAt) &&
      !isAskedFor(mention) &&
      (isSaid() || isBareRefusal(mention))
    const mayKeep = isKept && isPlaceToKeep(mention, text)
    if (!mayClose && !mayKeep) return []
    const found = new Set<string>()
    const add = (feature: string) => found.add(feature)
    add(`kind ${mention.kind}`)
    add(`clauses ${Math.min(clauses, 4)} ${Math.min(own, 3)}`)
    const near = signs.map(({ name, at }) => {
      const clause = clauseAt(at)
      const where =
        clause === own
          ? at < mention.start
            ? 'before'
            : 'after'
          : isSaidOfAnother(clause, own, places)
            ? 'theirs'
            : clause === own + 1
              ? 'next'
              : clause === own - 1
                ? 'last'
                : clause > own
                  ? 'later'
                  : 'sooner'
      return `${name} ${where}`
    })
    const signed = [...new Set(near)].sort()
    for (const sign of signed) {
      add(sign)
      add(`${sign} ${mention.kind}`)
    }
    const inside = signed.filter((sign) => / (?:before|after|next)$/.test(sign))
    for (const [at, one] of inside.entries()) for (const other of inside.slice(at + 1)) add(`${one} & ${other}`)
    for (const name of earlier) add(`earlier ${name}`)
    const ownTokens = tokens.filter(({ start }) => clauseAt(start) === own)
    const place = ownTokens.findIndex(({ start }) => start >= mention.start)
    const at = place < 0 ? ownTokens.length : place
    const ahead = ownTokens.slice(0, at)
    const behind = ownTokens.slice(at).filter(({ start }) => start >= mention.end)
    add(`ahead ${Math.min(ahead.length, 5)}`)
    add(`behind ${Math.min(behind.length, 5)}`)
    for (const [far, { text: word }] of ahead.reverse().slice(0, 6).entries()) {
      add(`b ${word}`)
      if (word.length > 5) add(`bp ${word.slice(0, 5)}`)
      if (far < 2) add(`b${far} ${word}`)
    }
    for (const [far, { text: word }] of behind.slice(0, 6).entries()) {
      add(`a ${word}`)
      if (word.length > 5) add(`ap ${word.slice(0, 5)}`)
      if (far < 2) add(`a${far} ${word}`)
    }
    for (const feature of aroundRefusal(ownTokens, signs)) add(feature)
    if (behind.length > 1) add(`a01 ${behind[0]!.text} ${behind[1]!.text}`)
    if (ahead.length > 1) add(`b10 ${ahead[1]!.text} ${ahead[0]!.text}`)
    const next = tokens.filter(({ start }) => clauseAt(start) === own + 1).slice(0, 4)
    for (const { text: word } of next) add(`n ${word}`)
    if (/[?？]\s*$/.test(text)) add('asked')
    const features = [...found].map((feature) => hash(feature, BUCKETS))
    return [{ target: mention.target, kind: mention.kind, features, mayClose, mayKeep }]
  })
}

/** What a sentence without a place says of the one before: "Migrate ScanModel. Just that one class." */
export function mentionsAcross(before: string, sentence: string): Mention[] {
  return mentionsIn(`${before.replace(/[.!。]$/, '')}; ${sentence}`)
}

/** What a clause says without naming anything goes back to what was named last: "fix a.ts, b.ts is frozen, so leave it". */
function isSaidOfAnother(clause: number, own: number, places: readonly number[]): boolean {
  const named = places.filter((place) => place <= clause)
  return named.length > 0 && Math.max(...named) !== own
}

/** Signs that speak against a place, where they stand in one clause with it. */
const CLOSES = new Set(['refuses', 'closed', 'keeps', 'except', 'later'])

/** Signs without which the work is not kept to anything. */
const MAY_KEEP = new Set(['only', 'rest', 'except'])

/** "Only" closes all the rest: what is named must plainly be a place, and not a function or a step. */
function isPlaceToKeep({ kind, start, end }: Named, text: string): boolean {
  if (kind === 'name') return /^\p{Lu}/u.test(text.slice(start)) && text[end] !== '('
  return kind === 'file' || kind === 'folder'
}

/** "lib/ is vendored code", "their code", "the code in a.ts": not the code in general. */
function isCodeOfSomething(
  { start, end }: Named,
  named: readonly Named[],
  text: string,
  clauseAt: (at: number) => number,
): boolean {
  const own = clauseAt(start)
  if (named.some((one) => one.kind !== 'word' && one.kind !== 'code' && clauseAt(one.start) === own)) return true
  // "The billing code", "auth code".
  if (named.some((one) => one.kind === 'word' && one.end + 1 === start && BEGINS.test(text.slice(0, one.start))))
    return true
  // "No new code": what is to be added, and not what is there.
  if (
    /(?<!\p{L})(?:new|additional|extra|neuen?|nouveau|nuevo|nuovo|novo|nieuwe)\s$/iu.test(
      text.slice(Math.max(0, start - 12), start),
    )
  )
    return true
  // "Kodu QR", "le code APE": what follows says which.
  const next = NEXT_NAME.exec(text.slice(end, end + 24))?.[1]
  if (next !== undefined && !REFUSING.has(next.toLowerCase())) return true
  const before = text.slice(Math.max(0, start - 40), start)
  if (OF_OTHERS.test(before)) return true
  return OF_SOMETHING.test(text.slice(Math.max(0, start - 16), start)) || PART_OF_CODE.test(text.slice(end, end + 12))
}

const NEXT_NAME = /^\s(\p{Lu}[\p{Lu}\d]{1,10})(?!\p{L})/u

const BEGINS = /(?:^|[.:;,]\s{1,2}|(?<!\p{L})(?:the|our|this|that)\s)$/iu
const OF_OTHERS =
  /(?<!\p{L})(?:their|its|other|remaining|deren|ihre?r?|andere[rn]?|leurs?|autres?|sus?|otros?|loro|altr[oi]|seus?|outros?|hun|ich|их|другой)(?!\p{L})/iu

const OF_SOMETHING =
  /(?<!\p{L})(?:his|her|this|that|status|error|exit|zip|country|post|postal|qr|bar|dead|open|data|light|vendored|generated|shared|legacy|его)\s$|[-_]$/iu

const PART_OF_CODE =
  /^(?:\s(?:style|coverage|review|quality|path|map|column|block|snippet|example|freeze|owner|base is)|[-_])/iu

/** Signs without which nothing is closed. */
export const MAY_CLOSE = new Set(['refuses', 'closed', 'keeps', 'owned', 'later', 'except', 'same'])

/** What must be said beside a bare refusal, unless hardly anything else is: "not models.py", "so no scenes", "infra/: no". */
const STRONG = new Set(['touches', 'changes', 'closed', 'keeps', 'owned', 'later', 'except', 'same'])

/** The same of what is no path and may be no place at all. */
const CERTAIN = new Set(['touches', 'changes', 'closed', 'keeps', 'except'])

const SPEAKS_AGAINST = new Set([...CLOSES, 'owned'])

const FEW = 5

/**
 * How the refusal of a clause is said: "do not modify" orders, "is never updated" tells. What it begins with, the words next
 * to the refusal, and how the word after it ends, which in many languages tells an order from a report.
 */
function aroundRefusal(tokens: readonly Token[], signs: readonly Sign[]): string[] {
  const said = tokens.map(({ text }) => text)
  const [first = '', second = '', third = ''] = said
  const found = [`1 ${first}`, `2 ${first} ${second}`, `3 ${first} ${second} ${third}`]
  const at = tokens.findIndex(({ start }) => signs.some((sign) => sign.name === 'refuses' && sign.at === start))
  if (at < 0) return [...found, 'refusal none']
  const word = (from: number) => said[at + from] ?? '-'
  const verb = word(1)
  return [
    ...found,
    `refusal ${Math.min(at, 3)}`,
    `r-1 ${word(-1)}`,
    `r-2 ${word(-2)}`,
    `r+1 ${verb}`,
    `r+2 ${word(2)}`,
    `r-10 ${word(-1)} ${word(0)}`,
    `r01 ${word(0)} ${verb}`,
    `r012 ${word(0)} ${verb} ${word(2)}`,
    `r-101 ${word(-1)} ${word(0)} ${verb}`,
    `rs ${verb.slice(-2)}`,
    `rs ${verb.slice(-3)}`,
    `rp ${verb.slice(0, 4)}`,
    `rw ${word(0)}`,
  ]
}

interface Token {
  text: string
  start: number
}

/** The words around; what is named is the same to the reader whatever it is called, and signs without spaces go in pairs. */
function tokensOf(text: string, named: readonly Named[]): Token[] {
  const found: Token[] = []
  let hidden = text
  for (const { kind, start, end } of named)
    if (kind !== 'word')
      hidden = `${hidden.slice(0, start)}${(kind === 'code' ? '\ue000' : '\u0000').repeat(end - start)}${hidden.slice(end)}`
  for (const { 0: word, index } of hidden.matchAll(/\0+|\ue000+|[\p{L}\p{N}_]+(?:[-'’][\p{L}\p{N}_]+)*|[*!?→>+]/gu)) {
    if (word.startsWith('\0')) found.push({ text: '<place>', start: index })
    else if (word.startsWith('\ue000')) found.push({ text: '<code>', start: index })
    else if (UNSPACED.test(word))
      for (let at = 0; at < word.length - 1; at++) found.push({ text: word.slice(at, at + 2), start: index + at })
    else found.push({ text: word.toLowerCase(), start: index })
  }
  return found
}
