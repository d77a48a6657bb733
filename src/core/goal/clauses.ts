import { kindNamed } from './kinds-of-files.ts'
import {
  DUTCH_ADAPT,
  GAP,
  HOW_LONG,
  IN_PORTUGUESE,
  NAME_BESIDE,
  NAMED_ASIDE,
  NOR,
  NOR_THAT,
  ONLY_KIND,
  ONLY_NAMES,
  OPENINGS,
  PART_IN,
  REST_IN,
  STRESSED_ASIDE,
} from './languages/clause-words.ts'
import {
  CHANGING,
  CLOSED,
  EXCEPTING,
  exceptedInCjk,
  KEEPS_TO,
  type Lexicon,
  ONLY,
  OPEN_AGAIN,
  OUTSIDE,
  REFUSED_VERB,
  REFUSING,
  REMOVING,
  REST,
  TOUCHING,
} from './languages/refusing.ts'
import { deniedTersely } from './limits/terse.ts'
import { OTHERS_OF, pathsIn, type Target, targetsIn } from './targets.ts'

/** What a sentence closes, by what its clauses are made of and not by how it is worded. */
export interface Closing {
  forbids: 'named' | 'others'
  targets: Target[]
  /** It takes the sentence before to know what is meant. */
  isAfter?: boolean
  /** It is not to be removed, and may be changed. */
  isKept?: true
}

/**
 * The patterns of a language know the usual ways to close something; people find others every day. Here a clause closes what
 * it names where it refuses to touch or to change that, calls it closed, or leaves it out; where it is unclear what is
 * named, or whether somebody speaks of the program, it closes nothing.
 */
export function closedIn(sentence: string, before: string, meant: (text: string) => Target[]): Closing[] {
  const found: Closing[] = []
  const clauses = clausesOf(sentence)
  for (const [at, clause] of clauses.entries()) {
    // "If it exists, update the script; if not, leave it as it is": what is to be done in one of several cases.
    if (at > 0 && IN_CASE.test(clauses[at - 1]!)) continue
    // "X以外は触らない", "X 외의 파일은 건드리지 마세요".
    const spared =
      /(?:以外|之外|외의|외에|제외)/.test(clause) && REFUSED_VERB.test(clause) ? beforeOutside(clause) : undefined
    if (spared) {
      found.push({ forbids: 'others', targets: spared })
      continue
    }
    const outside = OUTSIDE.exec(clause)
    if (outside && isClosing(clause)) {
      const targets = pathTargets(clause.slice(outside.index))
      // "Nothing under locales/ other than en.json": closed is what lies there, and the rest is not spoken of.
      const around = pathTargets(clause.slice(0, outside.index))
      if (targets && around) found.push({ forbids: 'named', targets: around })
      else if (targets) found.push({ forbids: 'others', targets })
      continue
    }
    const named = isRestLeft(clause)
      ? besideRest(clause)
      : (refusedIn(clause) ??
        calledClosed(clause) ??
        leftOut(clause) ??
        deniedOutright(clause) ??
        goesOn(clause, found.at(-1), clauses[at - 1] ?? ''))
    const back = named ? undefined : refersBack(clause)
    if (back) {
      const own = meant(clauses.slice(0, at).join(', '))
      // "Other packages are not ours, leave them": what is meant stands here, and cannot be told.
      const targets = own.length > 0 || isOfOthersThings(clauses[at - 1]) ? own : meant(before)
      if (targets.length > 0) found.push({ forbids: back, targets, isAfter: own.length === 0 })
      continue
    }
    if (named) {
      // "infra/ is another team's, oraya dokunma": a word that names no place stands for one that was named.
      const last = clauses[at - 1] ?? ''
      const own = named.every(isVague) && !isAsked(last) ? meant(last).filter((target) => !isVague(target)) : []
      found.push({ forbids: 'named', targets: own.length > 0 ? own : named })
      continue
    }
    const around = REST_IN.exec(clause)
    // "The rest under tests/ stays off limits": closed is what lies there, and the rest is not spoken of.
    if (isRestLeft(clause) && around) {
      const targets = pathTargets(clause.slice(around.index))
      if (targets) found.push({ forbids: 'named', targets })
      continue
    }
    if (isRestLeft(clause)) {
      const own = placesNamed(clauses.slice(0, at + 1))
      const targets = own ?? placesNamed([before])
      if (targets) found.push({ forbids: 'others', targets, isAfter: own === undefined })
      continue
    }
    const open = keptTo(clause)
    if (open) found.push({ forbids: 'others', targets: open })
    const kept = keptIn(clause, clauses.slice(0, at).join(', '), meant)
    if (kept) found.push({ forbids: 'named', targets: kept, isKept: true })
  }
  return found
}

function isOfOthersThings(clause: string | undefined): boolean {
  return clause !== undefined && OTHERS_OF.test(clause)
}

/** A clause that asks for a change, or keeps the work to a place, closes nothing of what it names. */
function isAsked(clause: string): boolean {
  return WORKS.test(clause) || ONLY.test(clause) || (!isClosing(clause) && wordsIn(clause).some(isChanged))
}

function isChanged({ text }: Word): boolean {
  return CHANGING.has(text)
}

function isVague(target: Target): boolean {
  return target.is === 'words' && !target.isFile
}

const BREAK =
  /[;!?。！？；，]|(?<!exceptions?|except|ausnahmen?|eccezione|excepción|exceção|following|limits|these|files)[:：](?=\s|$)|：|\.(?=\s|$)|,(?!\s{0,3}(?:(?:and|or|und|oder|et|ou|y|o|e|en|i|и)\s)?[\w@-]{0,60}[./][\w/])|(?<=\s(?:it|them|those|there|that|this|one|alone|again)),|(?<=[てでしがに])、|\s[-–—]{1,3}\s|—|\s(?<!(?:nothing|nowhere|anything|everything|all|none)\s)but(?=\s)|\s(?:because|since|although|though|aber|sondern|weil|mais|car|pero|porque|ma|perché|mas|maar|want|omdat|ale|bo|но|а|потому|але|men|ama)(?=\s)|\s(?:and|und|et|y|e|en|i|и|та|och|og|ve)(?=\s(?:do|don['’]?t|never|not|no|nicht|nichts|keine?|ne|surtout|non|não|niet|nie|не|inte|ikke|leave|keep|stay|steer|lass|lasse|laisse|deja|deixe|lascia|laat|zostaw|оставь|залиш|and|so|kom)\s)/i

/** "Only log in production, not in the tests": where a program does something, and no place to work in. */
export function tellsWhere(sentence: string): boolean {
  const [only = '', not = '', ...more] = clausesOf(sentence)
  if (more.length > 0 || !ONLY.test(only) || !NOT_IN.test(not) || pathsIn(sentence).length > 0) return false
  const words = wordsIn(only)
  const verb = words.find(({ text }) => !FILLING.has(text) && !ONLY.test(text))?.text ?? ''
  if (words.some(isChanged) || TOUCHING.has(verb) || /^(?:work|look|focus|files?|fix|arbeite)$/.test(verb)) return false
  if (ENVIRONMENT.test(only)) return true
  return (
    /^only$/.test(words[0]?.text ?? '') &&
    words[1]?.text === verb &&
    IN.test(words[2]?.text ?? '') &&
    !WORKS.test(`${verb} `)
  )
}

const NOT_IN =
  /^(?:and |und |et |y |e )?(?:not|nicht|pas|no|non|não|niet|nie|не) (?:in|on|im|dans|en|nel|nei|nelle|nos|nas|em|w|в) /i

const ENVIRONMENT =
  /(?<!\p{L})(?:prod|production|staging|development|dev|debug|produktion|producción|produção|produzione|productie|produkcji|проде|продакшене)(?!\p{L})/iu

/** The thoughts of a sentence; what stands in brackets without a path is an aside. */
export function clausesOf(sentence: string): string[] {
  return sentence
    .replace(/, wie (?=(?:er|sie|es) (?:ist|sind))/i, ' wie ')
    .replace(IN_PORTUGUESE.test(sentence) ? /(?<!\p{L})no(?=\s)/giu : /$^/, 'in')
    .replace(DUTCH_ADAPT, 'wijzig')
    .replace(STRESSED_ASIDE, ' ')
    .replace(NAMED_ASIDE, (said, noun: string, name: string) => (kindNamed(noun.toLowerCase()) ? said : name))
    .replace(/(?<!\/)[（(]([^()（）]{0,200})[)）]?/g, (aside, inside: string) =>
      pathsIn(inside).length > 0 ? aside : ' ',
    )
    .split(BREAK)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== '')
}

interface Word {
  text: string
  start: number
  end: number
}

export function wordsIn(clause: string): Word[] {
  return [...clause.matchAll(/[^\s()（）"“”«»]+/g)].map(({ 0: text, index }) => ({
    text: text.toLowerCase().replace(/(?<![.,])[.,]+$/, ''),
    start: index,
    end: index + text.length,
  }))
}

/** How far a refusal may stand from the verb that it refuses. */
const FAR = 7

/** "In den Einstellungen wird nichts geändert", "don't go anywhere near it": refused to be touched or changed. */
function refusedIn(clause: string): Target[] | undefined {
  const cjk = REFUSED_VERB.exec(clause)
  return cjk
    ? objectOf(clause, cjk.index, cjk.index + cjk[0].length, true)
    : refusedBy(clause, wordsIn(clause), TOUCHING, CHANGING)
}

/** "Do not delete the fixtures", "keep the migrations": they are to be there afterwards, as whatever they then are. */
function keptIn(clause: string, told: string, meant: (text: string) => Target[]): Target[] | undefined {
  const words = wordsIn(clause)
  const what = KEEP.exec(clause)?.groups?.what
  if (what !== undefined) {
    const kept = KINDS.test(what) ? targetsIn(what, false).filter(isThere) : []
    return kept.length > 0 ? kept : undefined
  }
  if (!words.some(({ text }) => REMOVING.has(text)) || words.some(({ text }) => UNABLE.test(text))) return undefined
  const refusal = words.findIndex(({ text }) => REFUSING.has(text))
  if (refusal < 0 || isOfOthers(words, refusal) || IT_MUST_NOT.test(clause)) return undefined
  const rest = words.filter(({ text }) => !isEmpty(text) && !REMOVING.has(text) && text !== 'do')
  // "The auditors want the fixtures, so do not delete them".
  const isBack =
    rest.length === 0 ? /\s(?:it|them|there)$/i.test(clause) : THERE.test(rest.map((one) => one.text).join(' '))
  const isAll =
    targetsIn(rest.map((one) => one.text).join(' ') || clause.split(' ').at(-1)!, false)[0]?.is === 'everything'
  if (isAll && !isBack) return [{ is: 'everything' }]
  const kept = isBack ? meant(told) : refusedBy(clause, words, REMOVING, REMOVING)
  const targets = kept?.filter(isThere) ?? []
  return targets.length > 0 ? targets : undefined
}

function isThere(target: Target): boolean {
  if (target.is !== 'words') return target.is === 'path'
  return target.isPlace === true || target.words.some((word) => KINDS.test(word))
}

const KEEP =
  /^(?:(?:please|but|and|just|also|so|bitte)\s){0,3}(?:keep|behalte|conserve|garde|conserva|behoud|zachowaj|сохрани) (?<what>(?:\S{1,40} ){0,3}\S{1,60})$/i
/** Files that stand beside the code. */
const KINDS =
  /(?:fixtures?|fixtur|testdata|samples?|sampl|snapshots?|migrations?|translations?|locales?|docs|tests|files?|folders?|director(?:y|ies))$/i
/** "The cleanup must not delete open files": a program is spoken of; "the files must not be deleted" is said to the agent. */
const IT_MUST_NOT =
  /(?:^|\s)(?!you\b|u\b|we\b)\S+ (?:must|should|shall|may|can|could|will|would|does|did) (?:not|never) (?!(?:ever )?(?:be|get)\b)/i
/** What happens, and no order. */
const UNABLE = /^(?:cannot|can['’]?t|won['’]?t|doesn['’]?t|didn['’]?t|isn['’]?t|nothing|nobody|if|when|whether)$/

function refusedBy(clause: string, words: Word[], touching: Lexicon, changing: Lexicon): Target[] | undefined {
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

const IN_CASE = /(?:^|\s)(?:if (?:not|so)|otherwise|wenn nicht|falls nicht|ansonsten|sinon|si no|se não|altrimenti)$/i

/** Programs and their users may or may not do something; that closes nothing to the agent. */
const OTHERS =
  /^(?:users?|people|customers?|clients?|admins?|visitors?|nutzer|benutzer|kunden?|utilisateurs?|usuarios?|utenti|usuários?|gebruikers?|użytkownicy|пользовател\S*|用户|ユーザー|it|he|she|they|who|which|that)$/

function isOfOthers(words: Word[], refusal: number): boolean {
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
function calledClosed(clause: string): Target[] | undefined {
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
function leftOut(clause: string): Target[] | undefined {
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
function deniedOutright(clause: string): Target[] | undefined {
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
const IN =
  /^(?:in|for|on|the|those|to|im|am|an|die|den|das|der|dans|le|la|les|en|el|los|las|nel|nella|il|i|gli|no|na|nos|nas|o|a|os|as|em|het|de|w|в|во|у|на|[\w@-]*[./][\w./-]+)$/

/** "Only there", "steer clear of that package": what is meant was named before. */
function refersBack(clause: string): Closing['forbids'] | undefined {
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

const THERE =
  /^(?:of )?(?:(?:that|this|those|these|the|diese[rnms]?|cette|ce|ese|esa|quel|quella|esse|essa|die|dat|ten) (?:one |single |eine |ene |seul |único |unico |jeden )?(?:file|files|folder|package|module|one|ones|dir|directory|datei|ordner|paket|fichier|dossier|archivo|carpeta|pasta|arquivo|cartella|bestand|map|plik)|it|them|those|these|that one|there|in there|on them|dort|da|daran|davon|dran|là|là-dedans|y|ahí|allí|las|los|lo|le|li|lì|là|ci|ne|isso|lá|aí|nele|nela|neles|nelas|daar|er van|er|tam|ich|je|там|туда|их|его|её|туди|їх|його|dem|det|den|dessa|na to|to|tamo|oraya|orada|sie|diese|ihn)$/

/** "… is off limits, and so is dags/". */
function goesOn(clause: string, last: Closing | undefined, before: string): Target[] | undefined {
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

/** "In internal/billing only", "stick to crates/import": all else is closed. Only a path says clearly what stays open. */
function keptTo(clause: string): Target[] | undefined {
  const kept = KEEPS_TO.exec(clause)
  if (kept) return pathTargets(clause.slice(kept.index))
  const only = ONLY.exec(clause)
  if (!only) return undefined
  const after = clause.slice(only.index + only[0].length)
  // "Only by the release bot".
  if (/^\s{1,3}(?:by|via|through|von|durch|par|por|da|door|przez)\s/i.test(after)) return undefined
  const named = pathsIn(clause).length === 0 ? ONLY_NAMES.exec(after)?.[0] : undefined
  if (named !== undefined && !/\p{L}/u.test(clause.slice(0, only.index).replace(OPENINGS, '')))
    return nameTargets(named)
  const kind = pathsIn(clause).length === 0 ? ONLY_KIND.exec(after) : null
  // "Ich will nur das CSS geändert haben".
  if (kind && kindNamed(kind.groups!.kind!.toLowerCase()) && wordsIn(clause).some(isChanged))
    return targetsIn(kind.groups!.kind!, true)
  const first = pathsIn(after)[0]
  const gap = first === undefined ? undefined : after.slice(0, after.indexOf(first)).trim()
  const rest = first === undefined ? '' : after.slice(after.indexOf(first) + first.length)
  if (gap !== undefined && GAP.test(gap) && isEnd(rest)) return pathTargets(after)
  // "Only update the translations in nl.json".
  const isPartOf = gap !== undefined && PART_IN.test(gap) && wordsIn(clause).some(isChanged)
  if (isPartOf && (isEnd(rest) || wordsIn(rest).every(isChanged))) return pathTargets(after)
  const beforeOnly = clause.slice(0, only.index)
  const last = pathsIn(beforeOnly).at(-1)
  if (last === undefined) return undefined
  const between = beforeOnly.slice(beforeOnly.lastIndexOf(last) + last.length).trim()
  if (!/^[)）の中内里,]{0,3}$/.test(between) || !isEnd(after)) return undefined
  // "The texts in en.json only": where a part of the work goes, and not all of it.
  const head = beforeOnly.slice(0, beforeOnly.indexOf(pathsIn(beforeOnly)[0]!)).trim()
  const isPart =
    /\s(?:in|im|dans|en|nel|em|w|в)$/i.test(head) &&
    !WORKS.test(`${head} `) &&
    wordsIn(head).filter(({ text }) => !isEmpty(text)).length > 1
  return isPart ? undefined : pathTargets(beforeOnly)
}

function isEnd(rest: string): boolean {
  return (
    /^[\s)）.,、/]{0,4}(?:$|(?:pls|plz|please|bitte|thanks|thx|svp|por favor|and|und|et|y|e|en|i|и)(?!\p{L}))/iu.test(
      rest,
    ) ||
    /^[\s)）]{0,3}(?:を|に|は|で|里|中|下|改|수정|고치|변경|直|修正|更新|変更|anfassen|ändern|anpassen|bearbeiten|doit changer|aanpassen|wijzigen)/i.test(
      rest,
    )
  )
}

/** Whether a clause closes something, whatever it is. */
export function isClosing(clause: string): boolean {
  if (CLOSED.test(clause) || REFUSED_VERB.test(clause)) return !OPEN_AGAIN.test(clause)
  const words = wordsIn(clause)
  const refuses = words.some(({ text }) => REFUSING.has(text))
  return refuses && words.some(({ text }) => CHANGING.has(text) || TOUCHING.has(text))
}

/** Whether a clause refuses to change or to remove something. */
export function refusesChange(clause: string): boolean {
  const words = wordsIn(clause)
  const isKept = words.some(({ text }) => REFUSING.has(text)) && words.some(({ text }) => REMOVING.has(text))
  return isKept || isClosing(clause)
}

function beforeOutside(clause: string): Target[] | undefined {
  const head = clause.slice(0, clause.search(/以外|之外|외의|외에|제외/))
  const kinds = targetsIn(head, true).filter((target) => target.is === 'words' && target.sorts.length > 0)
  return pathTargets(head) ?? nameTargets(head) ?? (kinds.length > 0 ? kinds : undefined)
}

/** Names as programs have them: `VatCalculator`, `wms-web`. */
function nameTargets(text: string): Target[] | undefined {
  const targets = (text.match(/[A-Za-z][\w-]*/g) ?? [])
    .filter((word) => /[a-z][A-Z]|\w_\w|^[a-z]+-[a-z]+$/.test(word))
    .flatMap((word) => targetsIn(word, true))
    .filter(({ is }) => is === 'words')
  return targets.length > 0 ? targets : undefined
}

/** "The rest stays as it is". */
function isRestLeft(clause: string): boolean {
  if (
    /(?<!\p{L})(?:no other files?|ningún otro (?:archivo|fichero)|nessun altro file|nenhum outro (?:arquivo|ficheiro)|aucun autre fichier|keine[rn]? anderen? datei(?:en)?|geen (?:enkel )?ander bestand|żadn\p{L}{1,4} inn\p{L}{1,4} plik\p{L}{0,3})(?!\p{L})/iu.test(
      clause,
    )
  )
    return true
  const words = wordsIn(clause)
  if (
    !words.some(
      ({ text }, at) =>
        REST.has(text) &&
        !PERSONS.test(words[at - 1]?.text ?? '') &&
        (text !== 'reste' || /^(?:le|du|au)$/.test(words[at - 1]?.text ?? '')),
    ) &&
    !/其他|其它|其余|それ以外|他の(?:ファイル|所|部分)|나머지/.test(clause)
  )
    return false
  return isClosing(clause) || /不动|不变/.test(clause)
}

/** "Don't touch a.ts or any other files": a.ts is closed like the rest, and not what is left open. */
function besideRest(clause: string): Target[] | undefined {
  const others = OR_OTHERS.exec(clause)
  return others && isClosing(clause.slice(0, others.index)) ? pathTargets(clause.slice(0, others.index)) : undefined
}

export const OR_OTHERS =
  /(?<!\p{L})(?:or|nor|oder|ni|né|nem|ou|o|of|ani|или|або)\s(?:any(?:thing)?\s(?:of the\s)?(?:other|else)|irgendeine?\s?andere\p{L}*|etwas anderes|aucun autre|autre chose|(?:ningún|cualquier) otro|altro|qualquer outro|iets anders|inne|други[ехм]|инши[хй])(?!\p{L})/iu

/** "Nobody else edits there". */
const PERSONS = /^(?:nobody|noone|somebody|someone|anybody|anyone|everybody|everyone|who)$/

/** The places that were named last. */
function placesNamed(clauses: string[]): Target[] | undefined {
  for (const clause of clauses.toReversed()) {
    // "Leave a.ts alone and touch nothing else": what is closed is not what stays open.
    if (isClosing(clause) && !isRestLeft(clause)) continue
    // "Package.swift + the workflow": what is named beside a path stays open as well.
    if (pathsIn(clause).length > 0) return targetsIn(clause, false)
  }
  return undefined
}

function pathTargets(text: string): Target[] | undefined {
  const targets = pathsIn(text).map((path): Target => ({ is: 'path', path }))
  return targets.length > 0 ? targets : undefined
}

/** What a cue speaks of: what follows it or, where nothing does, what the clause began with. */
function objectOf(clause: string, start: number, end: number, isTouch: boolean): Target[] | undefined {
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

/** What the clause asks for; then what stands there is what is to be changed. */
export const WORKS =
  /^(?:(?:please|bitte|and|then|now|also|just|so|but|instead|kindly|und|et|y|e|и)\s){0,3}(?:modify|upgrade|restyle|swap|drop|raise|implémente|implémentez|refactorise|implementa|implementar|refactoriza|refactorizar|implementiere|refactore|refaktoriere|erweitere|implementeer|zaimplementuj|реализуй|перепиши|почини|ускорь|оптимизируй|traduis|traduisez|traduce|traduci|traduza|übersetze|vertaal|przetłumacz|переведи|переклади|améliore|mejora|migliora|melhore|verbeter|optimiere|optimise|optimize|verbessere|ergänze|ergänz|regenerate|recreate|restore|sync|fill|polish|simplify|document|cover|format|speed up|tidy|finish|complete|introduce|handle|add|fix|implement|create|build|make|update|change|edit|adapt|adjust|rewrite|bring|correct|clean|extend|refactor|rename|remove|delete|move|improve|migrate|replace|convert|write|set|get|do|use|put|translate|copy|turn|switch|bump|enable|extract|split|merge|port|wire|hook|apply|repariere|repareer|herstel|behebe|füge|ändere|mach|bau|baue|stell|setze|korrigiere|corrige|ajoute|modifie|renomme|remplace|arregla|añade|corrige|cambia|actualiza|aggiungi|correggi|modifica|sistema|corrija|adicione|arruma|altere|voeg|werk|los|dodaj|popraw|napraw|zmień|исправь|добавь|измени|поправь|замени|обнови|удалить|добавить|исправить|изменить|создать|переименовать|заменить|удали|убери|создай|перенеси|перепиши|сделай|напиши|видали|додай|виправ|створи|lösche?|entferne|erstelle|ersetze|verschiebe|schreibe?|supprime|crée|déplace|mets|répare|crea|elimina|borra|quita|pon|rimuovi|sostituisci|metti|remova|crie|coloque|troque|apague|verwijder|maak|zet|usuń|utwórz|przenieś|remover|adicionar|corrigir|alterar|instalar|criar|escreva|escrever|escribe|escribir|añadir|agregar|eliminar|corregir|cambiar|ajouter|supprimer|corriger|remplacer|commence|écris|aggiungere|rimuovere|correggere|scrivi|schrijf)\s/i

/** Paths, and words that name a kind of file or a part; after a word of touching anything short will do. */
function placesIn(text: string, isTouch: boolean): Target[] {
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

const WITHIN =
  /^(?:in|of|from|inside|within|im|in der|von|vom|aus|dans|de|du|des|en|del|nel|nella|di|da|do|no|na|van|w|z|в|из|у|з)$/
const WHOLE =
  /^(?:the|file|files|folder|anything|everything|stuff|any|all|die|der|das|datei|fichier|le|la|archivo|el|il|o|a|bestand|plik|файл|with|con|mit)$/

function isEmpty(word: string): boolean {
  return REFUSING.has(word) || TOUCHING.has(word) || CHANGING.has(word) || FILLING.has(word)
}

/** Words of a refusal that name nothing. */
const FILLING = new Set(
  `please pls today now ever anything everything all of it so and also yet still either till then for the time being there in here on at to from by hand with be is are was i'd i’d i you we
  go going get let's any same near anywhere surtout va vas aller bitte heute auch erst noch mal dort hier hast du wird werden darf dürfen soll sollen muss müssen lässt lass lassen mit am an im vom von bleibt bleiben ist sind
  doit doivent être te toi con te metas per ora si va vanno sta stai da resta rimane por favor deixe deixa fica je me hem ze blijven moeten mogen laat aan af proszę na razie zostaw
  a want single byte line bit will möchte einzige einziges veux seule ligne quiero línea riga linha
  пока пожалуйста оставь оставьте в во лишь по на tockat lad`.split(/\s+/),
)
