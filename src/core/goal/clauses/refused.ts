import {
  CHANGING,
  CLOSED,
  EXCEPTING,
  exceptedInCjk,
  type Lexicon,
  OPEN_AGAIN,
  REFUSED_VERB,
  REFUSING,
  REST,
  TOUCHING,
} from '../languages/refusing.ts'
import { deniedTersely } from '../limits/terse.ts'
import { pathsIn } from '../paths-in.ts'
import type { Target } from '../targets.ts'
import { type Word, wordsIn } from './clauses-of.ts'
import { objectOf, pathTargets, placesIn } from './named-places.ts'
import { FILLING } from './refuses.ts'

/** How far a refusal may stand from the verb that it refuses. */
const FAR = 7

/** "In den Einstellungen wird nichts geändert", "don't go anywhere near it": refused to be touched or changed. */
export function refusedIn(clause: string): Target[] | undefined {
  const cjk = REFUSED_VERB.exec(clause)
  return cjk
    ? objectOf(clause, cjk.index, cjk.index + cjk[0].length, true)
    : refusedBy(clause, wordsIn(clause), TOUCHING, CHANGING)
}

export function refusedBy(clause: string, words: Word[], touching: Lexicon, changing: Lexicon): Target[] | undefined {
  const refusal = words.findIndex(({ text }) => REFUSING.has(text))
  if (refusal < 0 || isOfOthers(words, refusal)) return undefined
  // Some languages refuse after the verb: "ändere das nicht".
  const from = COMES_AFTER.test(words[refusal]!.text) ? Math.max(0, refusal - FAR) : refusal
  const isNear = (at: number) => at >= from && at <= refusal + FAR
  const touched = words.findLastIndex(({ text }, at) => isNear(at) && touching.has(text))
  // "Pas X niet aan" changes something, "ne marche pas" does not.
  const isDutch = words.some(({ text }) => /^(?:niet|niets|geen|nooit)$/.test(text))
  const changed = words.findLastIndex(({ text }, at) => isNear(at) && changing.has(text) && (text !== 'pas' || isDutch))
  const verb = touched >= 0 ? touched : changed
  if (verb < 0) return undefined
  const [first, last] = refusal < verb ? [refusal, verb] : [verb, refusal]
  // "No one has touched it for years": what was, and no order.
  if (words.slice(Math.max(0, first - 2), last).some(({ text }) => TOLD.test(text))) return undefined
  if (
    /^(?:i|we|they|he|she|you)$/.test(words[refusal - 1]?.text ?? '') &&
    /^never$/.test(words[refusal]!.text) &&
    /ed$/.test(words[verb]!.text)
  )
    return undefined
  // "And then never touches the session again": a program does so; who gives orders says "never touch".
  if (/^(?:touches|modifies)$/.test(words[verb]!.text) && words[refusal]!.text === 'never') return undefined
  if (words.slice(first + 1, last).some(({ text }) => OTHERS.test(text))) return undefined
  // What stands between them is the object too: "fasse die Tests nicht an".
  const between = clause.slice(words[first]!.end, words[last]!.start)
  const isAfter = pathsIn(between).length === 0 && pathsIn(clause.slice(words[last]!.end)).length > 0
  const inside = isAfter ? [] : placesIn(between, touched >= 0)
  return inside.length > 0 ? inside : objectOf(clause, words[first]!.start, words[last]!.end, touched >= 0)
}

const TOLD =
  /^(?:has|had|was|were|did|hasn['’]?t|hadn['’]?t|wasn['’]?t|weren['’]?t|didn['’]?t|haven['’]?t|wurden?|worden|avait|fue|fueron|foi|foram|stat[oaie]|werd|werden|został\p{L}{0,2}|был\p{L}?)$/u

const COMES_AFTER = /^(?:nicht|nichts|niet|niets|inte|inget|ikke|pas|rien|нельзя|nie)$/

/** Programs and their users may or may not do something; that closes nothing to the agent. */
const OTHERS =
  /^(?:users?|people|customers?|clients?|admins?|visitors?|nutzer|benutzer|kunden?|utilisateurs?|usuarios?|utenti|usuários?|gebruikers?|użytkownicy|пользовател\S*|用户|ユーザー|it|he|she|they|who|which|that)$/

export function isOfOthers(words: Word[], refusal: number): boolean {
  const before = words.slice(0, refusal)
  const after = words.slice(refusal + 1, refusal + 3).map(({ text }) => text)
  // "Que no se pueda editar …"
  if (/^(?:se pued|si poss|se poss)/.test(after.join(' '))) return true
  return (
    before.slice(-3).some(({ text }) => OTHERS.test(text)) || SO_THAT.test(before.map(({ text }) => text).join(' '))
  )
}

/** What somebody will be able to do once it is done. */
const SO_THAT =
  /(?<!\p{L})(?:so that|so (?:we|they|people|users|marketing|others|everyone)|can|could|able to|damit|können|pour que|para que|affinché|zodat|żeby|чтобы|let (?:users|people|them|anyone)|que no se|che non si|make sure)(?!\p{L})/iu

/** "server/ is off limits", "steer clear of that package". */
export function calledClosed(clause: string): Target[] | undefined {
  const match = CLOSED.exec(clause)
  if (!match || OPEN_AGAIN.test(clause)) return undefined
  // "The frozen header in grid.tsx flickers".
  if (
    /(?:^|\s)(?:the|an?|this|our|my|its)\s$/i.test(clause.slice(0, match.index)) &&
    /^\s\p{L}/u.test(clause.slice(match.index + match[0].length))
  )
    return undefined
  if (wordsIn(clause.slice(0, match.index)).some(({ text }) => REST.has(text))) return undefined
  return objectOf(clause, match.index, match.index + match[0].length, true)
}

/** "Everywhere except in gen/". */
export function leftOut(clause: string): Target[] | undefined {
  const inCjk = exceptedInCjk(clause)
  const match = EXCEPTING.exec(clause)
  if (!match && inCjk === undefined) return undefined
  // "Nothing except gen/" is the other way round.
  const head = match ? clause.slice(0, match.index) : ''
  if (match && wordsIn(head).some(({ text }) => REFUSING.has(text) || REST.has(text))) return undefined
  const said = match ? clause.slice(match.index + match[0].length) : inCjk!
  const targets = placesIn(` in ${said.replace(/^[\s:：]{1,4}/, '')}`, /[a-z][A-Z]|[a-z]_[a-z]/.test(said))
  return targets.length > 0 ? targets : undefined
}

/** "Prod not yet", "corrige o código, não o teste": hardly more than a refusal and what it is of. */
export function deniedOutright(clause: string): Target[] | undefined {
  const tersely = deniedTersely(clause)
  if (tersely) return tersely
  const words = wordsIn(clause)
  // "In legacy/ nicht": a place, and nothing but that it is not meant.
  const named = pathTargets(clause)
  if (named && NOT.test(words.at(-1)?.text ?? '') && words.length <= named.length + 2) return named
  const refusal = words.findIndex(({ text }) => NOT.test(text))
  if (refusal < 0 || refusal > 3 || words.length > 7) return undefined
  const isPutOff = NOT_YET.test(clause)
  const isFirst = words.slice(0, refusal).every(({ text }) => FILLING.has(text))
  if (!isFirst && !isPutOff) return undefined
  if (isFirst && !IN.test(words[refusal + 1]?.text ?? '')) return undefined
  const targets = placesIn(clause, isPutOff && !isFirst)
  return targets.length > 0 ? targets : undefined
}

const NOT = /^(?:not|nicht|pas|no|non|não|nao|niet|nie|не|inte|ikke|ne)$/

const NOT_YET =
  /(?<!\p{L})(?:not yet|noch nicht|pas encore|todavía no|aún no|ancora no|ainda não|nog niet|jeszcze nie|пока не|пока нет|ещё не)(?:\s(?:please|bitte))?$/iu

/** After "not": a place follows, and not one of the many things that are not so. */
export const IN =
  /^(?:in|for|on|the|those|to|im|am|an|die|den|das|der|dans|le|la|les|en|el|los|las|nel|nella|il|i|gli|no|na|nos|nas|o|a|os|as|em|het|de|w|в|во|у|на|[\w@-]*[./][\w./-]+)$/
