import { HOW_LONG, NAME_BESIDE, NOR } from '../languages/clause-words.ts'
import { pathsIn } from '../paths-in.ts'
import { type Target, targetsIn } from '../targets.ts'
import { wordsIn } from './clauses-of.ts'
import { isEmpty } from './refuses.ts'
import { WORKS } from './work-verbs.ts'

/** `fix_url`, `parseDate`: mostly a function, and no file. */
export const FUNCTION_NAME = /(?<![\w./-])_?[a-z][a-z\d]*(?:_[a-z\d]+|[A-Z][a-z\d]*)+(?![\w./-])/

/** Names as programs have them: `VatCalculator`, `wms-web`. */
export function nameTargets(text: string): Target[] | undefined {
  const targets = (text.match(/[A-Za-z][\w-]*/g) ?? [])
    .filter((word) => /[a-z][A-Z]|\w_\w|^[a-z]+-[a-z]+$/.test(word))
    .flatMap((word) => targetsIn(word, true))
    .filter(({ is }) => is === 'words')
  return targets.length > 0 ? targets : undefined
}

export function pathTargets(text: string): Target[] | undefined {
  const targets = pathsIn(text).map((path): Target => ({ is: 'path', path }))
  return targets.length > 0 ? targets : undefined
}

/** What a cue speaks of: what follows it or, where nothing does, what the clause began with. */
export function objectOf(clause: string, start: number, end: number, isTouch: boolean): Target[] | undefined {
  const after = placesIn(clause.slice(end), isTouch)
  if (after.length > 0) return after
  const head = clause.slice(0, start)
  if (WORKS.test(head)) return undefined
  const before = placesIn(nearest(head.replace(HOW_LONG, '')), isTouch)
  return before.length > 0 ? before : undefined
}

/** Of several paths before a refusal, those that it may be said of: "Ускорь a.ts, b.ts не трогай" is said of the last. */
export function nearest(head: string): string {
  const paths = pathsIn(head)
  const last = paths.at(-1)
  if (last === undefined || paths.length === 1) return head
  const between = head.slice(0, head.lastIndexOf(last))
  const isList = paths.slice(0, -1).reduce((text, path) => text.replace(path, ' '), between)
  return LISTED.test(isList) ? head : head.slice(head.lastIndexOf(last))
}

/** Nothing but what holds a list together. */
export const LISTED =
  /^(?:[\s,、，()@]|\b(?:and|or|und|oder|et|ou|y|o|e|en|the|files?|die|dateien|les|fichiers|los|archivos)\b|[и和与と및과와])*$/i

/** Paths, and words that name a kind of file or a part; after a word of touching anything short will do. */
export function placesIn(text: string, isTouch: boolean): Target[] {
  const paths = pathTargets(text)
  // "SafetyBlock and docs/safety.md": a name beside a path is one of the list.
  if (paths) return isInside(text) ? [] : [...(nameTargets(NAME_BESIDE.exec(text)?.[0] ?? '') ?? []), ...paths]
  if (THEIRS.test(text)) return []
  const listed = text.replace(NOR, ' , ')
  const phrase = wordsIn(listed)
    .filter(({ text: word }) => !isEmpty(word))
    .map(({ start, end }) => listed.slice(start, end))
    .join(' ')
  return targetsIn(phrase, isTouch).filter(
    (target) =>
      target.is === 'code' || (target.is === 'words' && target.words.length <= 2 && (target.isPlace || isTouch)),
  )
}

/** What belongs to something named before: which part of it is meant cannot be told. */
export const THEIRS =
  /^\s{0,3}(?:(?:so|and|also|aber|und)\s)?(?:their|its|ihre?n?|deren|dessen|leurs?|sus?|loro|их|его)\s(?!.{0,200}[./])/i

/** "The signature in src/a.ts": a part of the file, which as a whole stays open. */
function isInside(text: string): boolean {
  const [path] = pathsIn(text)
  if (path === undefined || !/\.\w+$/.test(path)) return false
  if (/^['’]s\s/.test(text.slice(text.indexOf(path) + path.length))) return true
  const head = wordsIn(text.slice(0, Math.max(0, text.indexOf(path))))
  if (!WITHIN.test(head.at(-1)?.text ?? '') && !WITHIN.test(head.at(-2)?.text ?? '')) return false
  const about = head.filter(({ text: word }) => !isEmpty(word) && !WITHIN.test(word) && !WHOLE.test(word))
  return (
    about.length > 0 &&
    (about.some(({ text: word }) => PIECE.test(word)) ||
      !targetsIn(about.map(({ text: word }) => word).join(' '), false).some(({ is }) => is === 'words'))
  )
}

/** What a file has several of. */
const PIECE =
  /^(?:functions?|methods?|sections?|lines?|blocks?|comments?|class|hooks?|helpers?|funktion|methode|zeilen?|fonction|méthode|función|método|funzione|metodo|função|functie|funkcj\p{L}{1,3}|функци\p{L}{1,3}|метод\p{L}{0,3})$/u

export const WITHIN =
  /^(?:in|of|from|inside|within|im|in der|von|vom|aus|dans|de|du|des|en|del|nel|nella|di|da|do|no|na|van|w|z|в|из|у|з)$/

const WHOLE =
  /^(?:the|file|files|folder|anything|everything|stuff|any|all|die|der|das|datei|fichier|le|la|archivo|el|il|o|a|bestand|plik|файл|with|con|mit)$/
