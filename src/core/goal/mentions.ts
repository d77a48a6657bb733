import { hash } from '../text/hash.ts'
import { identifierParts, identifiers, stem } from '../text/words.ts'
import { LISTED, WORKS } from './clauses.ts'
import { kindNamed } from './kinds-of-files.ts'
import { DUTCH_ADAPT, IN_PORTUGUESE } from './languages/clause-words.ts'
import { type Sign, signsIn } from './languages/closing-words.ts'
import { isPlainWord, isQuality, pathsIn, type Target } from './targets.ts'

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

interface Named {
  target: Target
  kind: 'file' | 'folder' | 'name' | 'sort' | 'word' | 'code'
  start: number
  end: number
}

/** Where a thought of a sentence ends. */
const BORDER =
  /[;!?。！？；，、,:：()（）]+(?=\s|$|[^\w\s])|(?<=[。！？；，、：（）])|\.(?=\s|$)|\s(?:[-–—]{1,3}|->|→)\s|—|\s(?=(?:but|because|since|so|although|though|while|aber|weil|sondern|mais|car|pero|porque|ma|perché|mas|maar|want|omdat|ale|bo|но|а|потому|але|men|för|ama)\s)|\s(?:and|und|et|y|e|en|i|и|och|og)\s(?=(?:leave|keep|let|don['’]?t|do|never|not|no|lass|lasse|laisse|deja|lascia|deixa|laat|zostaw|nicht|ne|non|não|niet|nie|не|оставь|inte|ikke)\s)/giu

const LETTERS = /[\p{L}\p{N}_]+(?:[-'’][\p{L}\p{N}_]+)*/gu
const UNSPACED = /[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/

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
  const before = text.slice(Math.max(0, start - 40), start)
  if (OF_OTHERS.test(before)) return true
  return OF_SOMETHING.test(text.slice(Math.max(0, start - 16), start)) || PART_OF_CODE.test(text.slice(end, end + 12))
}

const OF_OTHERS =
  /(?<!\p{L})(?:their|its|other|remaining|deren|ihre?r?|andere[rn]?|leurs?|autres?|sus?|otros?|loro|altr[oi]|seus?|outros?|hun|ich|их|другой)(?!\p{L})/iu
const OF_SOMETHING =
  /(?<!\p{L})(?:his|her|this|that|status|error|exit|zip|country|post|postal|qr|bar|dead|open|data|light|vendored|generated|shared|legacy|его)\s$|[-_]$/iu
const PART_OF_CODE =
  /^(?:\s(?:style|coverage|review|quality|path|map|column|block|snippet|example|freeze|owner|base is)|[-_])/iu

/** Signs without which nothing is closed. */
const MAY_CLOSE = new Set(['refuses', 'closed', 'keeps', 'owned', 'later', 'except', 'same'])

/** What must be said beside a bare refusal, unless hardly anything else is: "not models.py", "so no scenes", "infra/: no". */
const STRONG = new Set(['touches', 'changes', 'closed', 'keeps', 'owned', 'later', 'except', 'same'])
/** The same of what is no path and may be no place at all. */
const CERTAIN = new Set(['touches', 'changes', 'closed', 'keeps', 'except'])
const SPEAKS_AGAINST = new Set([...CLOSES, 'owned'])
const FEW = 5

/** The code in general, in whatever language. */
const CODE =
  /(?<![\p{L}\d_-])(?:(?:production|application|source|prod|app) )?(?:code(?: ?base)?|sources?|source files|implementation|coding|quellcode|quelltext|produk\p{L}{3,8}code|productiecode|código|codigo|codice|kod(?:u|em|ie|en|a|e)?|kódu?|код(?:а|у|е|ом)?)(?![\p{L}\d_-])|代码|コード|코드/giu

function namedIn(text: string): Named[] {
  const found: Named[] = []
  let rest = text
  for (const path of pathsIn(text)) {
    const kind = /\.\w+$/.test(path) ? 'file' : 'folder'
    // "See why a.sh failed, and adjust only a.sh": each time it is named something else may be said of it.
    for (let start = rest.indexOf(path); start >= 0; start = rest.indexOf(path)) {
      found.push({ target: { is: 'path', path }, kind, start, end: start + path.length })
      rest = `${rest.slice(0, start)}${' '.repeat(path.length)}${rest.slice(start + path.length)}`
    }
  }
  for (const { 0: said, index } of rest.matchAll(CODE)) {
    found.push({ target: { is: 'code' }, kind: 'code', start: index, end: index + said.length })
    rest = `${rest.slice(0, index)}${' '.repeat(said.length)}${rest.slice(index + said.length)}`
  }
  for (const { 0: word, index } of rest.matchAll(LETTERS)) {
    if (UNSPACED.test(word)) found.push(...kindsInside(word, index))
    else {
      const target = wordTarget(word)
      if (target) found.push({ ...target, start: index, end: index + word.length })
    }
  }
  return found.sort((a, b) => a.start - b.start)
}

/** "The" between them makes two things of them; side by side they are one: "instrumented tests". */
function joined(named: readonly Named[], text: string): Named[] {
  const found: Named[] = []
  for (const one of named) {
    const last = found.at(-1)
    const between = last ? text.slice(last.end, one.start) : undefined
    const isNameAlone = (last?.kind === 'name' && one.kind === 'word') || (last?.kind === 'word' && one.kind === 'name')
    if (last?.target.is === 'words' && one.target.is === 'words' && between === ' ' && !isNameAlone) {
      const words = [...last.target.words, ...one.target.words]
      const sorts = [...last.target.sorts, ...one.target.sorts]
      const kind = sorts.length > 0 ? 'sort' : last.kind === 'name' || one.kind === 'name' ? 'name' : 'word'
      found.splice(-1, 1, { target: { ...one.target, words, sorts }, kind, start: last.start, end: one.end })
      continue
    }
    // "The tests in tests/integration": the place is what counts.
    if (last?.target.is === 'words' && one.target.is === 'path' && INSIDE.test(between!)) found.pop()
    if (OTHER.test(text.slice(Math.max(0, one.start - 14), one.start)) || isOnlyPart(one, text)) continue
    if (ALLOWED.test(text.slice(one.end, one.end + 12))) continue
    if (one.kind === 'sort' && VERSION.test(text.slice(Math.max(0, one.start - 12), one.start))) continue
    if (one.kind === 'sort' && NARROWED.test(text.slice(one.end, one.end + 24))) continue
    // "Testing strategy" is a quality, "chapter 5" one of several chapters.
    const next = /^\s(?<word>[\p{L}\d]+)/u.exec(text.slice(one.end, one.end + 24))?.groups?.word
    if (one.target.is === 'words' && next !== undefined && isQuality(next.toLowerCase())) continue
    if (one.target.is === 'words' && next !== undefined && /^\d+$/.test(next))
      found.push({ ...one, target: { ...one.target, words: [...one.target.words, next.padStart(2, '0')] } })
    else found.push(one)
  }
  return found
}

/** "List.swift を直し Detail.swift は触らない": of two paths that are no list, a clause speaks of the last. */
function isPassed(
  { target, end }: Named,
  named: readonly Named[],
  text: string,
  own: number,
  clauseAt: (at: number) => number,
): boolean {
  if (target.is !== 'path') return false
  const next = named.find((one) => one.target.is === 'path' && one.start >= end && clauseAt(one.start) === own)
  return next !== undefined && !LISTED.test(text.slice(end, next.start))
}

/** "The signature in src/a.ts", "index.html's structure": the file as a whole stays open. */
function isOnlyPart({ target, start, end }: Named, text: string): boolean {
  if (target.is !== 'path') return false
  if (/^['’]s\s/.test(text.slice(end, end + 4))) return true
  const about =
    /(?<![\p{L}])(?<word>\p{L}{1,24})\s(?:in|of|from|inside|im|von|aus|dans|de|du|en|del|nel|di|do|van|w|z|в|из)\s(?:the\s)?$/iu
  const word = about.exec(text.slice(Math.max(0, start - 40), start))?.groups?.word
  return word !== undefined && isQuality(word.toLowerCase())
}

const INSIDE =
  /^\s(?:in|under|inside|within|of|from|im|unter|aus|dans|sous|de|en|bajo|nel|nella|di|em|no|na|van|w|z|в|из|у|з)\s(?:the\s|der\s|den\s|la\s|le\s|el\s)?$/i
/** "La config de sécurité": of all that are of the kind one is meant, and which cannot be told. */
const NARROWED =
  /^\s(?:de|du|des|d['’]|del|della|di|da|do|van|der|of|for|für|pour|para|per|voor)\s?(?:the\s|la\s|l['’])?\p{Ll}{3}/u
/** "The 2.x docs", "v1 migrations": of all that are of the kind those of one version. */
const VERSION = /(?<![\p{L}\d])(?:v\d{1,3}|v?\d{1,3}\.(?:x|\d{1,3}))[\s-]$/iu
/** "envs/** yes, modules/** no". */
const ALLOWED = /^[\s:=-]{1,3}(?:yes|ok|okay|fine|ja|oui|sí|si|sim|tak|да|так)(?![\p{L}\p{N}])/iu
/** Which ones the others are cannot be told from a path. */
const OTHER =
  /(?<!\p{L})(?:other|remaining|andere[nrs]?|übrigen|autres|otr[oa]s|altr[ie]|outr[oa]s|overige|inne|innych|andra|övriga|други[ехм]|інші)\s$|(?:其他|其它|别的|他の|다른\s)$/iu

function wordTarget(word: string): Pick<Named, 'target' | 'kind'> | undefined {
  const lower = word.toLowerCase()
  const sort = kindNamed(lower)
  if (sort) return { target: { is: 'words', words: [], sorts: [lower], isFile: true, isPlace: true }, kind: 'sort' }
  // "001 and 002 are in production": migrations and chapters go by their numbers.
  if (/^0\d{1,3}$/.test(word)) return { target: { is: 'words', words: [word], sorts: [], isFile: true }, kind: 'name' }
  if (word.length < 3 || isPlainWord(lower) || /^\d+$/.test(word)) return undefined
  const words = identifiers(word).flatMap(identifierParts).map(stem)
  const isName = /[a-z][A-Z]|_|[a-z]-[a-z]/.test(word)
  return { target: { is: 'words', words, sorts: [], isFile: true }, kind: isName ? 'name' : 'word' }
}

/** In a run of signs: names in Latin letters, and the nouns that stand for a kind of file. */
function kindsInside(run: string, offset: number): Named[] {
  const found: Named[] = []
  for (const { 0: word, index } of run.matchAll(/[A-Za-z][\w-]*/g)) {
    const target = wordTarget(word)
    if (target) found.push({ ...target, start: offset + index, end: offset + index + word.length })
  }
  for (const length of [6, 5, 4, 3, 2])
    for (let at = 0; at + length <= run.length; at++) {
      const noun = run.slice(at, at + length)
      if (
        !UNSPACED.test(noun) ||
        !kindNamed(noun) ||
        found.some(({ start, end }) => start < offset + at + length && end > offset + at)
      )
        continue
      found.push({
        target: { is: 'words', words: [], sorts: [noun], isFile: true, isPlace: true },
        kind: 'sort',
        start: offset + at,
        end: offset + at + length,
      })
    }
  return found
}

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
