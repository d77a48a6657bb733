import { identifierParts, identifiers, stem } from '../text/words.ts'
import { LISTED } from './clauses/named-places.ts'
import { kindNamed } from './kinds-of-files.ts'
import { pathsIn } from './paths-in.ts'
import { isPlainWord, isQuality, type Target } from './targets.ts'

export interface Named {
  target: Target
  kind: 'file' | 'folder' | 'name' | 'sort' | 'word' | 'code'
  start: number
  end: number
}

/** Where a thought of a sentence ends. */
export const BORDER =
  /[;!?。！？；，、,:：()（）]+(?=\s|$|[^\w\s])|(?<=[。！？；，、：（）])|\.(?=\s|$)|\s(?:[-–—]{1,3}|->|→)\s|—|\s(?=(?:but|because|since|so|although|though|while|aber|weil|sondern|mais|car|pero|porque|ma|perché|mas|maar|want|omdat|ale|bo|но|а|потому|але|men|för|ama)\s)|\s(?:and|und|et|y|e|en|i|и|och|og)\s(?=(?:leave|keep|let|don['’]?t|do|never|not|no|lass|lasse|laisse|deja|lascia|deixa|laat|zostaw|nicht|ne|non|não|niet|nie|не|оставь|inte|ikke)\s)/giu

const LETTERS = /[\p{L}\p{N}_]+(?:[-'’][\p{L}\p{N}_]+)*/gu

export const UNSPACED = /[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/

/** The code in general, in whatever language. */
const CODE =
  /(?<![\p{L}\d_-])(?:(?:production|application|source|prod|app) )?(?:code(?: ?base)?|sources?|source files|implementation|coding|quellcode|quelltext|produk\p{L}{3,8}code|productiecode|código|codigo|codice|kod(?:u|em|ie|en|a|e)?|kódu?|код(?:а|у|е|ом)?)(?![\p{L}\d_-])|代码|コード|코드/giu

export function namedIn(text: string): Named[] {
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
export function joined(named: readonly Named[], text: string): Named[] {
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
export function isPassed(
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
