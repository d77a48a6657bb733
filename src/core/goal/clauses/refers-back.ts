import { NOR_THAT } from '../languages/clause-words.ts'
import { CHANGING, CLOSED, ONLY, OPEN_AGAIN, REFUSED_VERB, REFUSING, TOUCHING } from '../languages/refusing.ts'
import { type Target, targetsIn } from '../targets.ts'
import { wordsIn } from './clauses-of.ts'
import type { Closing } from './closed-in.ts'
import { placesIn } from './named-places.ts'
import { isOfOthers } from './refused.ts'
import { isClosing, isEmpty } from './refuses.ts'

/** "Only there", "steer clear of that package": what is meant was named before. */
export function refersBack(clause: string): Closing['forbids'] | undefined {
  const words = wordsIn(clause)
  const rest = words.filter(({ text }) => !isEmpty(text))
  const said = rest.map(({ text }) => text).join(' ')
  if (ONLY.test(clause) && words.length <= 5 && THERE.test(said.replace(ONLY, '').trim())) return 'others'
  const isClosed = CLOSED.test(clause) && !OPEN_AGAIN.test(clause)
  if (isClosed && /^(?:so|and|please|sorry|und|et|y|e|i|и)*$/.test(said.replace(CLOSED, '').replaceAll(' ', '')))
    return 'named'
  const verb = REFUSED_VERB.exec(clause)?.[0].toLowerCase()
  if (verb !== undefined && THERE.test(clause.toLowerCase().replace(verb, '').trim())) return 'named'
  const refusal = words.findIndex(({ text }) => REFUSING.has(text))
  const isRefused =
    refusal >= 0 &&
    !isOfOthers(words, refusal) &&
    (words.some(({ text }) => TOUCHING.has(text) || CHANGING.has(text) || /^(?:hand-?edit|start)/.test(text)) ||
      (words.length <= 4 && NOWHERE.test(said)))
  if (!isClosed && !isRefused) return undefined
  if (said === '' && /(?<!\p{L})(?:there|dort)(?!\p{L})/iu.test(clause)) return 'named'
  return THERE.test(said.replace(CLOSED, '').trim()) ? 'named' : undefined
}

const NOWHERE = /^(?:there|in there|dort|da|là|là-dedans|ahí|allí|lì|lá|aí|daar|tam|там|туда)$/

export const THERE =
  /^(?:of )?(?:(?:that|this|those|these|the|diese[rnms]?|cette|ce|ese|esa|quel|quella|esse|essa|die|dat|ten) (?:one |single |eine |ene |seul |único |unico |jeden )?(?:file|files|folder|package|module|one|ones|dir|directory|datei|ordner|paket|fichier|dossier|archivo|carpeta|pasta|arquivo|cartella|bestand|map|plik)|it|them|those|these|that one|there|in there|on them|dort|da|daran|davon|dran|là|là-dedans|y|ahí|allí|las|los|lo|le|li|lì|là|ci|ne|isso|lá|aí|nele|nela|neles|nelas|daar|er van|er|tam|ich|je|там|туда|их|его|её|туди|їх|його|dem|det|den|dessa|na to|to|tamo|oraya|orada|sie|diese|ihn)$/

/** "… is off limits, and so is dags/". */
export function goesOn(clause: string, last: Closing | undefined, before: string): Target[] | undefined {
  const same = SAME_FOR.exec(clause)?.[0]
  if (same !== undefined && (isClosing(before) || LEFT_ALONE.test(before))) {
    const named = targetsIn(clause.slice(same.length), true).filter(({ is }) => is === 'path' || is === 'words')
    if (named.length > 0) return named
  }
  if (last?.forbids !== 'named') return undefined
  const isSame = same !== undefined
  if (!isSame && !(NOR_THAT.test(clause) && wordsIn(clause).length <= 6)) return undefined
  const targets = placesIn(clause.replace(NOR_THAT, ''), false)
  return targets.length > 0 ? targets : undefined
}

/** What the patterns of a language know as closed. */
const LEFT_ALONE =
  /(?<!\p{L})(?:leave|keep|stays?|untouched|unchanged|unverändert|lass|inchangé\p{L}*|laisse|deja|lascia|deix\p{L}|laat|zostaw|оставь)(?!\p{L})/iu

const SAME_FOR =
  /^(?:(?:and|but|und|et|y|e|en|i|и)\s)?(?:so (?:is|are)|neither (?:is|are)|nor|(?:the )?same (?:(?:goes|applies|holds|is true) )?(?:for|to|with)|ditto(?: for)?|likewise|(?:das|dasselbe|das gleiche|gleiches) gilt (?:auch )?für|ebenso|(?:pareil|idem|même chose) (?:pour|avec)|lo mismo (?:para|con)|igual con|lo stesso (?:vale )?per|o mesmo (?:vale )?para|hetzelfde geldt voor|to samo dotyczy|то же самое с)\s/i
