import { stem, words } from '../text/words.ts'
import { closedIn, nearest } from './clauses.ts'
import { LANGUAGES, languagesOf } from './languages/all.ts'
import { ENGLISH_LIMITS, isTold } from './languages/english.ts'
import type { Pattern } from './languages/grammar.ts'
import { sentencesOf, withoutPasted } from './prose.ts'
import { isAt, meets, pathsIn, type Target, targetsIn } from './targets.ts'

/**
 * What a user has closed to the agent, in so many words: "don't touch the schema", "only src/api", "nothing else". What
 * describes a fault ("it must not be empty"), a manner ("without changing its behaviour") or was pasted closes nothing.
 */
export interface Limit {
  /** The user's words it came from. */
  said: string
  /** `named`: these targets; `others`: all but these targets. */
  forbids: 'named' | 'others'
  targets: Target[]
  /** Open all the same: "a new one is fine". */
  except: Target[]
}

/** What is put before the words where a limit of the task is shown, and where it is known again. */
const ANSWER_ONLY = 'Answer only: '
/** Nobody said that nothing may change; but a question was asked, and nothing else. */
const QUESTION_ONLY = 'Question only: '

/** Words that may well begin work too: "check the menu". They are shown, and close nothing. */
const PERHAPS = 'Perhaps a question: '

/** Whether a limit asks for an answer and for no change at all. */
export function onlyAnswers(limit: string): boolean {
  return limit.startsWith(ANSWER_ONLY) || limit.startsWith(QUESTION_ONLY) || limit.startsWith(PERHAPS)
}

/** Whether the user said it outright; what only follows from a question is no proof. */
export function isOutright(limit: string): boolean {
  return !limit.startsWith(QUESTION_ONLY)
}

export function answerOnly(words: string, certainty: 'outright' | 'asked' | 'perhaps'): string {
  const before = { outright: ANSWER_ONLY, asked: QUESTION_ONLY, perhaps: PERHAPS }[certainty]
  return clip(`${before}${words}`)
}

/** A limit without what was put before it: the user's own words. */
export function wordsOf(limit: string): string {
  return onlyAnswers(limit) ? limit.slice(limit.indexOf(': ') + 2) : limit
}

/** The limit that stands in the way of writing a path. "Only these" opens what else the user has asked to change. */
export function forbiddenBy(
  limits: readonly string[],
  path: string,
  wanted: readonly string[] = [],
): string | undefined {
  const isWanted = (limit: Limit) => limit.forbids === 'others' && wanted.some((place) => isAt(place, path))
  return limits.find(
    (said) =>
      !said.startsWith(PERHAPS) &&
      (onlyAnswers(said) || read(said).some((limit) => closes(limit, path) && !isWanted(limit))),
  )
}

function closes({ forbids, targets, except }: Limit, path: string): boolean {
  if (except.some((target) => meets(target, path))) return false
  const isNamed = targets.some((target) => meets(target, path))
  // "CSS only", "only src/mailer.ts": a test of it is hardly what the user wants to keep out.
  if (forbids === 'others' && !isNamed && TEST.test(path) && targets.every((target) => isTestOf(target, path)))
    return false
  if (
    forbids === 'others' &&
    LOCK.test(path) &&
    targets.some((target) => target.is === 'path' && MANIFEST.test(target.path))
  )
    return false
  return forbids === 'named' ? isNamed : !isNamed
}

/** Who may change what a project depends on may change what the tools make of it. */
const MANIFEST =
  /(?:^|\/)(?:package\.json|Cargo\.toml|pyproject\.toml|go\.mod|Gemfile|composer\.json|Pipfile|mix\.exs|pubspec\.yaml)$/
const LOCK = /(?:^|\/)[\w.-]{0,40}(?:lock(?:\.\w{1,5})?|lock\.(?:json|ya?ml)|\.sum)$/

function isTestOf(target: Target, path: string): boolean {
  if (target.is !== 'path') return target.is === 'words'
  const name = target.path.split('/').at(-1)!.split('.')[0]!.toLowerCase()
  return name.length > 2 && target.path.includes('.') && path.split('/').at(-1)!.toLowerCase().includes(name)
}

const TEST = /(^|[/._-])(tests?|specs?|__tests__)([/._-]|$)|[a-z](Tests?|Spec)\.\w+$/

const LETS =
  /\b(?:you (?:can|may)|(?:is|are) (?:allowed|ok(?:ay)?|fine|free|open)|allowed|go ahead|after all|no longer|anymore|any more|is gone|lift(?:ed)?|now you may|feel free|the one to|too\b|outside|du (?:darfst|kannst)|erlaubt|tu peux|vous pouvez|puedes|puoi|pode|mag nu|mag je|możesz|можешь|можно|разрешаю|可以|允许|していい|して良い|てもいい|해도 돼|해도 됩니다)/i
const ACTS =
  /\b(?:change|fix|edit|update|add|put|move|rename|remove|delete|rewrite|adapt|adjust|use|make|set|refactor|extend|write|do)\b|änder|anpass|modif|cambi|muda|altere|zmień|измени|исправь|добавь|поменяй|改|修|変更|修正|수정|변경/i

/** Whether newer words open again what a limit has closed: they name it, and allow or ask for a change there. */
export function reopens(text: string, said: string): boolean {
  const own = limitsIn(text).map((limit) => limit.said)
  const sentences = sentencesOf(withoutPasted(text)).filter(
    (sentence) => !own.some((limit) => limit.includes(clip(sentence))),
  )
  const lets = sentences.some((sentence) => LETS.test(sentence))
  return sentences.some(
    (sentence) =>
      (lets || ACTS.test(sentence)) &&
      read(said).some((limit) => limit.targets.some((target) => isNamedIn(target, sentence))),
  )
}

const PUT_OFF =
  /\b(?:yet|until|till|before|for now|first|noch nicht|erst|bevor|pas encore|avant|todav[ií]a|a[uú]n no|antes|ainda|ancora|prima|nog niet|voordat|jeszcze|zanim)\b|пока|ещё|сначала|до того|先|暂时|还不|まだ|前に|아직|전에/i

/** Whether a limit puts all code off, and holds until the user wants it. */
export function untilTold(said: string): boolean {
  const limits = read(said)
  return (
    PUT_OFF.test(said) && limits.length > 0 && limits.every(({ targets }) => targets.every(({ is }) => is === 'code'))
  )
}

function isNamedIn(target: Target, sentence: string): boolean {
  const text = sentence.toLowerCase()
  if (target.is === 'path') {
    const name = target.path
      .replace(/(?<![/*_])[/*_]+$/, '')
      .split('/')
      .at(-1)!
      .toLowerCase()
    const [bare] = name.split('.')
    return (
      text.includes(name.replace(/^_+/, '')) || (name.includes('.') && text.includes(bare!)) || isSaid(bare!, sentence)
    )
  }
  if (target.is !== 'words') return false
  // Who may change the schema may change the database.
  if (target.sorts.some((sort) => STORED.test(sort)) && STORED.test(sentence)) return true
  const said = new Set(words(sentence).map(stem))
  return [...target.words, ...target.sorts.map(stem)].every((word) => said.has(word))
}

const STORED = /\b(?:database|db|schema|migrations?|tables?|columns?)\b/i

function isSaid(word: string, sentence: string): boolean {
  return word.length > 3 && words(sentence).map(stem).includes(stem(word))
}

const known = new Map<string, Limit[]>()
const MOST_KNOWN = 500

/** A task keeps its limits as the user's words; what they mean is worked out once. */
function read(said: string): Limit[] {
  const before = known.get(said)
  if (before) return before
  // So few words may not tell their language.
  const found = limitsIn(said, LANGUAGES)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(said, found)
  return found
}

const LONGEST = 300
const MOST_LIMITS = 10

/** The limits that a text sets. Each is said in words that mean the same when they are read alone. */
export function limitsIn(text: string, languages = languagesOf(text)): Limit[] {
  const found: Limit[] = []
  const sentences = sentencesOf(withoutPasted(text))
  const foreign = languages.flatMap(({ limits }) => limits)
  for (const [index, sentence] of sentences.entries()) {
    // "Is it possible without touching every component?"
    if (PURE_QUESTION.test(sentence)) continue
    const before = sentences[index - 1] ?? ''
    for (const pattern of MAY_CLOSE.test(sentence) ? [...ENGLISH_LIMITS, ...foreign] : foreign) {
      const limit = limitBy(pattern, sentence, before)
      if (limit && !found.some((one) => one.said === limit.said && sameTargets(one, limit))) found.push(limit)
    }
    for (const { forbids, targets, isAfter } of closedIn(sentence, before, antecedent)) {
      const fresh = targets.filter((target) => !found.some((one) => isOf(one, forbids, target)))
      if (fresh.length === 0) continue
      const said = clip(isAfter ? `${before} ${sentence}` : sentence)
      found.push({ said, forbids, targets: fresh, except: exceptions(sentence) })
    }
  }
  return found.slice(0, MOST_LIMITS)
}

const PURE_QUESTION =
  /^(?:(?:and|but|so|ok|hm+|also)[ ,]+)?(?:is|are|was|were|does|do|did|why|what|how|where|which|who|when|would it|should)\b[^?]{0,300}\?$/i

/** Something of every way to say it in English. */
const MAY_CLOSE =
  /\b(?:not|cannot|nobody|don|dont|never|freeze|no|nor|none|nothing|nowhere|without|avoid|refrain|only|just|leave|let|keep|stay|stays|remains?|hands|off|is|are|should|must|may|excluded|excluding|exempt|except|apart|aside|other|besides|but|restrict|limit|confine|work|treat)\b|n['’]t\b/i

/** Whether a target is closed already; an "only" says all at once. */
function isOf(limit: Limit, forbids: Limit['forbids'], target: Target): boolean {
  if (limit.forbids !== forbids) return false
  return forbids === 'others' || limit.targets.some((one) => JSON.stringify(one) === JSON.stringify(target))
}

function sameTargets(a: Limit, b: Limit): boolean {
  return a.forbids === b.forbids && JSON.stringify(a.targets) === JSON.stringify(b.targets)
}

function limitBy(pattern: Pattern, sentence: string, before: string): Limit | undefined {
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
  const beside = bare === whole ? [] : targetsIn(whole.slice(bare.length), false)
  const told = sentence.slice(0, start)
  if (pattern.object === 'after' && isTold(told, match[0])) return undefined
  // "Everything except that file should remain untouched" is told by another pattern.
  if (pattern.object === 'before' && ALL_BUT.test(told)) return undefined
  if (pattern.object === 'context' || REFERS.test(phrase)) {
    const own = antecedent(told)
    const targets = own.length > 0 ? own : antecedent(before)
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
  const targets = [...targetsIn(phrase, pattern.strong === true), ...beside]
  // "The other routes": which one is the first cannot be told from its path.
  if (OTHER.test(phrase) && targets.every(({ is }) => is === 'words')) return undefined
  if (!areClear(targets, pattern) && !(pattern.needsPath && ACRONYM.test(phrase))) return undefined
  const spared = kept === undefined ? [] : targetsIn(kept, false)
  return { said: clip(sentence), forbids: pattern.forbids, targets, except: [...exceptions(sentence), ...spared] }
}

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

/** What belongs to something named before: which part of it is meant cannot be told. */
const THEIRS = /^(?:their|its|ihre?|leurs?|sus?|loro|их|его)\s(?!.*[./])/i

const REFERS =
  /^(?:it|they|them|those|these|this|that|that one|those ones|this one|that file|this file|the file|there|in there|anything (?:in )?there|these files|those files|the latter|both|either|any of (?:them|those|these)|sie|diese|ihn|es|la|le|les|lo|los|las|li|его|их|её|эти|它|它们|这些|それ|それら|그것)(?:\s+(?:itself|please|by hand|at all|here|there|directly)){0,3}$/i

function antecedent(text: string): Target[] {
  const clauses = text.split(/[;:,()]|\s-\s|\s(?:but|so|because|and then|while|whereas)\s/).reverse()
  for (const clause of clauses) {
    const subject =
      clause.split(/\s(?:is|are|was|were|has|have|had|should|must|can|will|needs?|contains?|gets?|does)\s/)[0] ?? ''
    const named = targetsIn(subject, false).filter((target) => target.is === 'path' || target.is === 'words')
    if (named.some(({ is }) => is === 'path')) return named.filter((target) => target.is !== 'words' || target.isPlace)
    const inside = pathsIn(clause).map((path): Target => ({ is: 'path', path }))
    if (inside.length > 0) return inside
    if (named.length > 0) return named
  }
  return []
}

const STOP =
  /[;!?。！？；]|(?<!following|these|files):\s|\.(?=\s|$)|\s[-–—]+\s|\s(?:because|since|coz|cause|so|but|while|when|whenever|even if|even when|if|unless|until|though|although|for now|right now|yet|please|per favore|por favor|s['’]il (?:te|vous) pla[iî]t|svp|bitte|alsjeblieft|proszę|пожалуйста|thanks|instead|except|apart from|other than|then|which|who|as (?:it|they|we|i|you|people|that|those|these)|weil|aber|wenn|sondern|car|mais|parce|porque|pero|si|ma|perché|mas|maar|omdat|ale|bo|потому|но|если)(?=\s|$|[,.;!?])/i

/** What follows up to where the thought ends; a comma goes on only with more of the same kind. */
function objectAfter(text: string): string {
  const thought = text.split(STOP)[0] ?? ''
  const [first = '', ...more] = thought.split(/,\s*/)
  const listed = [first]
  for (const part of more) {
    const item = part.replace(/^(?:and|or|nor)\s/, '')
    if (item.split(/\s+/).length > 4 || targetsIn(item, false).length === 0) break
    listed.push(part)
  }
  return listed.join(', ').trim()
}

function objectBefore(text: string): string {
  const thought =
    text
      .split(
        /[;:!?(。！？；，]|\.\s|,\s(?!(?:and|or)\s|\S+\.\w)|\s[-–—]+\s|\s(?:because|since|so|but|while|that|aber|mais|pero|ma|mas|maar|ale|но)\s/,
      )
      .at(-1) ?? ''
  const subject = thought.split(/\s(?:have|has|had|is|are|was|were|do|does|runs?)\s/)[0] ?? ''
  return subject.trim().replace(/^(?:(?:and|but|so|then|because|since|und|aber|et|mais|y|pero)\s+)+/i, '')
}

const OPENS =
  /(?<what>(?<![\w./@*-])[\w./@*-]{1,200}(?:\s{1,8}[\w./@*-]{1,200}){0,3}?)\s{1,8}(?:(?:changes?|edits?)\s{1,8})?(?:is|are|would be|may be|can be)?\s{0,8}(?:fine|ok|okay|allowed|permitted|welcome|acceptable)\b|(?<![Nn]o\s)\b(?<may>[\w./@*-]+(?:\s+[\w./@*-]+){0,2}?)\s+(?:can|may)\s+(?!not\b|only\b|be (?:changed|altered|touched|edited|modified))\w+/gi

/** "A V3 is fine", "README can link to it", "and its spec": open all the same. */
function exceptions(sentence: string): Target[] {
  const found: Target[] = []
  for (const { groups = {} } of sentence.matchAll(OPENS)) {
    const phrase = groups.what ?? groups.may ?? ''
    found.push(...targetsIn(phrase, false).filter(({ is }) => is === 'path' || is === 'words'))
  }
  const version = /\b(?:a|one)\s+(?:new\s+)?(v\d+)\b/i.exec(sentence)?.[1]
  if (version)
    found.push({ is: 'words', words: [version.toLowerCase()[0]!, version.slice(1)], sorts: [], isFile: true })
  return found
}

function clip(text: string): string {
  const flat = text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<![.!。])[.!。]+$/, '')
  return flat.length <= LONGEST ? flat : `${flat.slice(0, LONGEST - 1).trimEnd()}…`
}
