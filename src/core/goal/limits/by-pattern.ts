import { FUNCTION_NAME, nearest, THEIRS } from '../clauses/named-places.ts'
import { isTold } from '../languages/english/told.ts'
import type { Pattern } from '../languages/grammar.ts'
import { pathsIn } from '../paths-in.ts'
import { type Target, targetsIn } from '../targets.ts'
import { exceptions } from './exceptions.ts'
import { clip, type Limit } from './limit.ts'
import { amongNamed, antecedent, objectAfter, objectBefore, placeSpokenOf } from './spoken-of.ts'

export function limitBy(pattern: Pattern, sentence: string, before: string): Limit | undefined {
  const match = pattern.find.exec(sentence)
  if (!match) return undefined
  const { kept } = match.groups ?? {}
  const start = match.index
  const end = start + match[0].length
  const whole =
    pattern.object === 'after'
      ? objectAfter(sentence.slice(end))
      : pattern.object === 'before'
        ? objectBefore(sentence.slice(0, start))
        : (match.groups?.what ?? match.groups?.that ?? '').trim()
  const bare = whole.replace(/(?:(?<!\s)\s+)?\([^)]*\)?/g, '').trim() || whole
  const phrase = pattern.object === 'after' ? bare : nearest(bare)
  const beside = bare === whole ? [] : targetsIn(whole.slice(bare.length), OTHER.test(bare))
  const told = sentence.slice(0, start)
  if (pattern.object === 'after' && isTold(told, match[0])) return undefined
  // "If not, leave the script as it is": what is to be done in one of several cases.
  if (/\b(?:if (?:not|so)|otherwise)[,;]?\s(?:then\s|just\s|please\s){0,2}$/i.test(told.slice(-40))) return undefined
  // "Everything except that file should remain untouched" is told by another pattern.
  if (pattern.object === 'before' && ALL_BUT.test(told)) return undefined
  if (pattern.object === 'context' || REFERS.test(phrase)) {
    // "Do not write tests, touch nothing else": what is refused is not what stays open.
    const open = pattern.forbids === 'others' ? told.replace(REFUSED, '$1 ') : told
    const named = antecedent(open)
    // "The firmware is certified, edit nothing in there": what something can be in is a place, whatever it is called.
    const own = named.length === 0 && INSIDE_IT.test(phrase) ? placeSpokenOf(open) : named
    const earlier = own.length > 0 ? [] : amongNamed(antecedent(before), open)
    const spoken = own.length === 0 && earlier.length === 0 && INSIDE_IT.test(phrase) ? placeSpokenOf(before) : earlier
    const targets = own.length > 0 ? own : spoken
    if (!areClear(targets, pattern)) return undefined
    const said = own.length > 0 ? sentence : `${before} ${sentence}`
    return {
      said: clip(said),
      forbids: pattern.forbids,
      targets: [...targets, ...beside],
      except: exceptions(sentence),
    }
  }
  if (isInner(phrase) || isInner(whole) || THEIRS.test(phrase) || /^(?:whether|if|why|how|when|that)\b/i.test(phrase))
    return undefined
  const spares = pattern.forbids === 'named' ? NOTHING_BUT.exec(phrase)?.[0] : undefined
  if (spares !== undefined) {
    const open = targetsIn(phrase.slice(spares.length), true).filter(({ is }) => is === 'path')
    return open.length === 0
      ? undefined
      : { said: clip(sentence), forbids: 'others', targets: open, except: exceptions(sentence) }
  }
  const named = [...targetsIn(phrase, pattern.strong === true), ...beside]
  const there = named.some(({ is }) => is === 'everything') && THERE.test(told) ? antecedent(told) : named
  const targets = there.length > 0 ? there : antecedent(before)
  if (there.some(({ is }) => is === 'everything') && THERE.test(told)) return undefined
  // "Only make changes to fix_url": a part of a file that is not named.
  if (pattern.forbids === 'others' && FUNCTION_NAME.test(phrase) && pathsIn(phrase).length === 0) return undefined
  // "The other routes": which one is the first cannot be told from its path.
  if (OTHER.test(phrase) && beside.length === 0 && targets.every(({ is }) => is === 'words')) return undefined
  if (!areClear(targets, pattern) && !(pattern.needsPath && ACRONYM.test(phrase))) return undefined
  const spared = kept === undefined ? [] : targetsIn(kept, false)
  const except = [...exceptions(sentence, targets), ...spared]
  return { said: clip(sentence), forbids: pattern.forbids, targets, except }
}

/** "Conf/ belongs to the cluster, ahí no toques nada": all of a place that was named, and not of the project. */
const THERE = /(?<!\p{L})(?:there|dort|da|daran|là|ahí|allí|lì|lá|aí|daar|tam|там|туда)\s(?:\p{L}{1,12}\s){0,2}$/iu

const REFUSED = /(^|[,;] ?)(?:please )?(?:do not|don['’]?t|never|no)\s[^,;]{1,120}/gi

/** "Nothing outside", in the languages whose patterns end before it. */
const NOTHING_BUT =
  /^(?:nichts (?:außer|ausser|außerhalb)|rien (?:en dehors|hors|sauf)|nada (?:fuera|excepto|fora|salvo)|niente (?:fuori|al di fuori|tranne)|niets (?:buiten|behalve)|nic(?:zego)? (?:poza|oprócz)|nič mimo|ничего (?:кроме|вне|за пределами)|нічого (?:крім|поза))(?=\s)/i

const OTHER =
  /\b(?:other|others|remaining|rest of|rest|andere[nrs]?|übrige[nrs]?|autres|otr[oa]s|altr[ie]|outr[oa]s|overige|inne|innych)\b|други[ех]|остальны[ех]|其他|他の/i

const ALL_BUT =
  /\b(?:everything|anything|all(?: other)? files?|the rest|nothing)\b.{0,80}\b(?:except|but|other than|apart from|outside|besides)\b/i

/** A document that everybody knows by its letters: "do not write the PRD". */
const ACRONYM = /^(?:the |a |any )?[A-Z][A-Z_]{2,}$/

function areClear(targets: Target[], { needsPath, isPlace, forbids, object }: Pattern): boolean {
  if (targets.length === 0) return false
  if (needsPath) return targets.some(({ is }) => is === 'path' || is === 'code')
  // "And nothing else" follows many a wish that is not about files.
  if (isPlace || (forbids === 'others' && object === 'context'))
    return targets.every(
      (target) => target.is === 'path' || target.is === 'code' || (target.is === 'words' && target.isPlace),
    )
  // "Only" closes all the rest: it must be sure what is left open.
  if (forbids === 'others')
    return targets.every(
      (target) => target.is === 'path' || target.is === 'code' || (target.is === 'words' && target.isFile),
    )
  return true
}

/** "The login part of auth.ts": something inside a file, which as a whole stays open. */
function isInner(phrase: string): boolean {
  return /\b(?:of|in|from|inside)\s+(?:the\s+)?(?:file\s+)?[@\w./-]+\.\w+/.test(phrase) &&
    !/^(?:any|none|all|the rest|lines?)?\s*(?:of|in|inside)\b/.test(phrase)
    ? pathsIn(phrase.split(/\b(?:of|in|from|inside)\s/)[0] ?? '').length === 0
    : /\w\(\)|\.\w+['’]s\s+\w/.test(phrase)
}

const INSIDE_IT = /\b(?:in|inside|within|under) (?:there|it|them)\b/i

const REFERS =
  /^(?:it|they|them|those|these|this|that|that one|those ones|this one|(?:that|this) (?:file|folder|directory|package|module|class)|the file|those two|these two|there|in there|(?:anything|any files?|any code|any of the files|a thing|something|stuff) (?:(?:in|inside|within|under|of|to) (?:there|it|them|those|these|(?:that|this) (?:one|folder|directory|package|module))|there)|these files|those files|the latter|both|either|any of (?:them|those|these)|sie|diese|ihn|es|la|le|les|lo|los|las|li|его|их|её|эти|它|它们|这些|それ|それら|그것)(?:\s+(?:itself|please|by hand|at all|here|there|directly|any ?more|again|yet|now|further|today|either|too|as well|manually|yourself)){0,3}$/i
