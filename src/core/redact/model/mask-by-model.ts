import { MAY_NAME, OTHER_WORDS, TELLING, withPasswords } from '../names.ts'
import { firstMatch, openingsOf } from '../openings.ts'
import { isOrdinaryWord, ordinaryShare } from '../ordinary-words.ts'
import { randomness } from '../randomness.ts'
import { isTelltale, withoutRepeats } from '../repeats.ts'
import { isMotley } from '../values.ts'
import { type Candidate, candidatesIn, IN_GROUPS } from './candidates.ts'
import { isIdentifier } from './identifiers.ts'
import { classOfPhrase, isJoining, phrasesIn } from './phrases.ts'
import { type Line, lineOf, secretFeatures } from './secret-features.ts'
import { scoreOf } from './secret-model.ts'
import { CERTAINLY_NOT, classOfValue, NEVER } from './value-class.ts'

/**
 * What is a secret by more than its shape: a trained model looks at every value with what stands around it. It masks what no rule
 * knows, and gives back what rules have masked and it is sure to be none.
 */

/** What the model must be sure of to mask by itself, and to keep what the rules have masked. */
export interface Limits {
  adds: number
  keeps: number
}

export const LIMITS: Limits = { adds: 0, keeps: -1 }

/** A text in a text has its line ends written out. */
const LINE_END = /\\n|\n/

export type Score = (features: readonly number[]) => number

/** The text with its secrets masked, from what the rules made of it. */
export function judged(text: string, ruled: string, mask: string, score: Score = scoreOf, limits = LIMITS): string {
  const looks = looksAt(text, ruled, mask)
  if (looks === undefined) return ruled
  const found = new Set<string>()
  let result = ''
  let done = 0
  for (const { offset, line, ruled, spans, seen } of looks) {
    const kept = spans && decided(line, spans, seen, score, limits).map((span) => withNumbers(line, span))
    if (kept?.length === 0 && spans?.length === 0) continue
    for (const { start, end } of kept ?? []) if (isTelltale(line.slice(start, end))) found.add(line.slice(start, end))
    result += text.slice(done, offset) + (kept ? masked(line, kept, mask) : ruled)
    done = offset + line.length
  }
  return withoutRepeats(result + text.slice(done), found, mask)
}

function decided(
  line: string,
  spans: readonly Candidate[],
  seen: readonly Seen[],
  score: Score,
  { adds, keeps }: Limits,
): Candidate[] {
  const best = spans.map(() => Number.NEGATIVE_INFINITY)
  const found: (Candidate & { score: number; isPhrase: boolean })[] = []
  for (const { features, ...candidate } of seen) {
    const value = score(features)
    const at = spans.findIndex((span) => overlap(span, candidate))
    if (
      candidate.isPhrase
        ? value > adds && spans.every((span) => !overlap(span, candidate) || within(span, candidate))
        : at < 0 && value > adds
    )
      found.push({ ...candidate, score: value })
    if (at >= 0 && !candidate.isPhrase) best[at] = Math.max(best[at]!, value)
  }
  const kept: Candidate[] = spans.filter(
    ({ start, end }, at) =>
      (best[at]! > keeps || isAlone(line, start, end) || LONG_AND_RANDOM.test(line.slice(start, end))) &&
      !isCertainlyNone(line, start, end),
  )
  const byScore = found.sort((a, b) => b.score - a.score || b.end - b.start - a.end + a.start)
  // Several words are taken before any one of them, and with what rules have found of them.
  const phrases: Candidate[] = []
  for (const candidate of byScore)
    if (candidate.isPhrase && !phrases.some((span) => overlap(span, candidate))) phrases.push(candidate)
  const all = [...phrases, ...kept.filter((span) => !phrases.some((phrase) => overlap(span, phrase)))]
  for (const candidate of byScore) if (!all.some((span) => overlap(span, candidate))) all.push(candidate)
  return all
}

/** Numbers that are the first parts of a token: `2/…/…:`. */
const NUMBERS = /["'=\s]((?:\d{1,24}[/:]){1,4})$/

function withNumbers(line: string, { start, end }: Candidate): Candidate {
  const numbers = NUMBERS.exec(line.slice(Math.max(0, start - 80), start))?.[1]
  return { start: start - (numbers !== undefined && numbers.length >= 10 ? numbers.length : 0), end }
}

/** Longer than the ids that people show each other, and no checksum: whatever is said around it, it stays masked. */
const LONG_AND_RANDOM = /^(?=[a-z\d_-]{0,60}[A-Z])(?=[A-Z\d_-]{0,60}[a-z])(?=[A-Za-z_-]{0,60}\d)[\w-]{32,512}$/

function within(inner: Candidate, outer: Candidate): boolean {
  return outer.start <= inner.start && inner.end <= outer.end
}

/** A call, an expression, a colour or an identifier is none, whatever a rule says. */
function isCertainlyNone(line: string, start: number, end: number): boolean {
  const value = line.slice(start, end)
  if (isIdentifier(line, start, end)) return true
  return !isMotley(value) && (line[end] === '(' || CERTAINLY_NOT.has(classOfValue(value, isQuoted(line, start, end))))
}

/** Between quotes, or at the end of a connection string between them. */
function isQuoted(line: string, start: number, end: number): boolean {
  return /["'`=]/.test(line[start - 1] ?? ' ') && /["'`\\]/.test(line[end] ?? ' ')
}

/** Where nothing stands around a value, nothing says that it is none. */
function isAlone(line: string, start: number, end: number): boolean {
  return !/[\p{L}\d]/u.test(line.slice(0, start)) && !/[\p{L}\d]/u.test(line.slice(end))
}

/** A line with what the rules masked in it, and every value that is worth a look. */
interface Looked {
  offset: number
  line: string
  ruled: string
  /** Nothing where it cannot be told what the rules have masked; then it stays so. */
  spans: Candidate[] | undefined
  seen: Seen[]
}

interface Seen extends Candidate {
  /** Several words with spaces between them. */
  isPhrase: boolean
  features: number[]
}

/** @public The lines in which there is something to decide, or nothing where the rules have changed more than values. */
export function looksAt(text: string, ruled: string, mask: string): Looked[] | undefined {
  const lines = text.split(LINE_END)
  const after = ruled.split(LINE_END)
  if (lines.length !== after.length) return undefined
  const looks: Looked[] = []
  let offset = 0
  let above = ''
  // Whether this line tells, and each of the two above it.
  let told = [false, false]
  for (const [at, line] of lines.entries()) {
    const ruledLine = after[at]!
    const tells = firstMatch(line, TELLING_LINE, MAY_TELL) >= 0
    if (line !== ruledLine || tells || told[0] || told[1] || OPTION.test(line)) {
      const spans = line.length > LONGEST_JUDGED ? undefined : line === ruledLine ? [] : spansOf(line, ruledLine, mask)
      const seen = spans === undefined ? [] : [...worthALook(line, above, spans)]
      looks.push({ offset, line, ruled: ruledLine, spans, seen })
    }
    offset += line.length + (text[offset + line.length] === '\n' ? 1 : 2)
    // A value by itself, in a list of them, ends nothing of what was told above the list.
    if (line.trim() === '' || (!tells && ALONE.test(line) && (told[0] || told[1]))) continue
    told = [told[1]!, tells]
    above = `${above.slice(-ABOVE).split('\n').at(-1)}\n${line.slice(-ABOVE)}`
  }
  return looks
}

const ALONE = /^\s{0,8}(?:[-*•]\s{1,3}|\d{1,2}[.)]\s{1,3})?[\w-]{6,40}(?: [\w-]{4,12})?\s{0,4}$/

/**
 * A longer line is left as the rules have made it: weighing each of its values with what stands around it takes ten times as long
 * as the rules, seconds for 400 KB, and the event loop would wait.
 */
const LONGEST_JUDGED = 40_000

/** So much of the two lines above says what the line is about. */
const ABOVE = 100

/** A name for a secret, or something that is handed one. */
const MAY_TELL = new RegExp(
  `(?!${OTHER_WORDS})(?:${MAY_NAME.source}|connect|keystore|cryptsetup|luks|ldap|acesso|údaje|dane|inlog|logged in|identifiant|anmeld|konto|cuenta|compte|доступ|ログイン|账号|계정|accedi|dostęp| \\/ |recovery|backup.?codes?|wiederherstell|secours|\\bpdo\\b|mysqli|jdbc:|\\bdbi\\b|\\bpin|hmac|encrypt|(?:code|kod|codice|código)\\b.{0,40}\\d{3}|combination|snmp|tacacs|radius|community|session|cookie|app.?id\\b|pepper|\\bwpa|ssid|hooks?\\b.{0,60}\\/|keypad|\\bpuk\\b)`,
  'iy',
)
/** How they begin. */
const TELLING_LINE = openingsOf(
  `${TELLING}| / |_pat|acce|aces|anme|app|assw|back|chav|chia|clav|clé|code|codi|comb|comm|comp|conn|cont|cook|cred|cryp|cuen|cód|dane|dbi|deta|dost|encr|hmac|hook|iden|inlo|jdbc|kenn|key|khẩu|kod|kont|lalu|ldap|luks|mysq|pdo|pepp|pin|puk|radi|reco|salt|sand|schl|seco|secu|sess|snmp|ssid|taca|wied|wpa|zuga|údaj`,
)
/** An option of a command with a value. */
const OPTION = /(?:^|\s)(?:-{1,2}[A-Za-z][\w-]{0,30}[ =]?["']?[^\s-]\S{5}|\/(?:p|rp|pass|pw)[: ])/i
/** Words alone may be a password where one is told of, or where a program takes one. */
const wordsTaken = withPasswords(
  (passwords) =>
    new RegExp(
      String.raw`${passwords}|(?:passe?|passdb|pw|auth|authenticate|keystore|keymaterial|kdbx|keygen|(?:master|shared|crypto|isakmp|server|digest)[ _-]key)(?![a-z])|connect\(|keepass|secret|geheim|cred|login|cryptsetup|ldap|assw|wi-?fi|clave|ww\b|\bpdo\b|mysqli|jdbc:|\bdbi\b|jwt|hmac|encrypt|acesso|acceso|accès|údaje|zugang|recovery|backup.?codes?|\bwpa|ssid|community|vnc|pepper|inlog|identifiant|anmeld|konto|cuenta|compte|доступ|ログイン|账号|계정`,
      'iuy',
    ),
)
/** How they begin. */
const TAKING = openingsOf(
  `${TELLING}|acce|accè|aces|anme|assw|auth|back|clav|comm|comp|conn|cred|cryp|cuen|dbi|dige|encr|gehe|hmac|iden|inlo|isak|jdbc|jwt|kdbx|keep|key|kont|ldap|logi|mysq|pass|pdo|pepp|pw|reco|secr|shar|ssid|vnc|wi-f|wifi|wpa|ww|zuga|údaj`,
)
const JOINED_OR_HANDED = /\p{L} \/ \p{L}|(?:^|\s)(?:-[pPwWak]|\/(?:p|rp|pass|pw))[: ]?["']?\p{L}/iu

/** Where a line first says that words may be a password, or -1. */
function takesWordsAt(line: string): number {
  const told = firstMatch(line, TAKING, wordsTaken(line))
  const other = line.includes(' / ') || line.includes('-') || line.includes('/') ? line.search(JOINED_OR_HANDED) : -1
  return told < 0 || (other >= 0 && other < told) ? other : told
}

/** Longer lines are code or data, which hold no password of several words. */
const LONGEST_LINE = 4000

/** Each line is asked about for each of the two below it. */
let asked: { line: string; takes: boolean }[] = []

function takesWordsHere(line: string): boolean {
  const known = asked.find((each) => each.line === line)
  if (known) return known.takes
  const takes = takesWordsAt(line) >= 0
  asked = [{ line, takes }, ...asked.slice(0, 1)]
  return takes
}

function* worthALook(line: string, above: string, spans: readonly Candidate[]): Generator<Seen> {
  const toldAt = line.length < LONGEST_LINE ? takesWordsAt(line) : -1
  const takesWords = toldAt >= 0 || (line.length < LONGEST_LINE && above.split('\n').some(takesWordsHere))
  const isRuled = (candidate: Candidate) => spans.some((span) => overlap(span, candidate))
  const isWorth = (part: string, start: number) =>
    takesWords || isPlausible(part) || isRuled({ start, end: start + part.length })
  let view: Line | undefined
  let wordsBefore = 0
  const all = [...candidatesIn(line, isWorth), ...spans, ...(takesWords ? phrasesIn(line) : [])].sort(
    (a, b) => a.start - b.start || a.end - b.end,
  )
  for (const [at, candidate] of all.entries()) {
    const { start, end } = candidate
    if (at > 0 && all[at - 1]!.start === start && all[at - 1]!.end === end) continue
    const value = line.slice(start, end)
    const isPhrase = value.includes(' ')
    const ruled = isRuled(candidate)
    if (!isPhrase && !ruled && !isPlausible(value) && !(takesWords && isWordLike(value, line, start, toldAt))) continue
    const kind = isPhrase
      ? IN_GROUPS.test(value)
        ? 'groups'
        : classOfPhrase(value)
      : line[end] === '('
        ? 'call'
        : classOfValue(value, isQuoted(line, start, end))
    if (!ruled && (NEVER.has(kind) || isIdentifier(line, start, end))) continue
    if (isPhrase && saysPassword(value).test(value)) continue
    view ??= lineOf(line, above)
    while (wordsBefore < view.words.length && view.words[wordsBefore]!.end <= start) wordsBefore++
    yield { start, end, isPhrase, features: secretFeatures(view, candidate, wordsBefore, kind) }
  }
}

/** A message: "Password is too short", "SMTP password missing". */
const saysPassword = withPasswords((passwords) => new RegExp(`(?:^|[ :])(?:${passwords})(?![\\p{L}\\d])`, 'iu'))

/** Words and numbers alone are not looked at. */
function isPlausible(value: string): boolean {
  if (!/[A-Za-z]/.test(value)) return /^\d{4,8}[.,;:!?)#]?$/.test(value)
  // A word at the end of a sentence is a word.
  const text = value.replace(/[!?]$/, '')
  return (/\d|[a-z][!@#$%^*?+~&]|[A-Z]{16}/.test(text) || isJumble(text)) && !value.includes('[redacted')
}

/** Letters alone that read like none of a name. */
function isJumble(value: string): boolean {
  return (
    value.length >= 10 && /[a-z][A-Z]/.test(value) && randomness(value) > 0.2 && !isOrdinaryWord(value.toLowerCase())
  )
}

/** "… as the password", "… als Passwort". */
const toldBehind = withPasswords(
  (passwords) =>
    new RegExp(
      String.raw`^["'\x60]?[ \t](?:as|is|als|ist|comme|como|come|som|jako|est|es)[ \t](?:\p{L}{1,10}[ \t]){0,2}(?:${passwords})`,
      'iu',
    ),
)

/** Words that may have been chosen as a password; one that stands in any text only where it is written like a value. */
function isWordLike(value: string, line: string, start: number, toldAt: number): boolean {
  if (!/^\p{L}[\p{L}\p{M} ._&+'!?#@$-]{3,60}$/u.test(value) || value.includes('[redacted')) return false
  const behind = line.slice(start + value.length, start + value.length + 40)
  if (toldBehind(behind).test(behind)) return true
  const before = line.slice(Math.max(0, start - 40), start)
  const led = BEFORE_WORD.exec(before)?.[1]
  if (led === undefined ? BEGINS.test(before) && goesOn(value, line, start) : !mayLead(led, value, line, start, toldAt))
    return false
  return /["'`=:>(«„“「]/.test(line[start - 1] ?? ' ') || ordinaryShare(value) !== 'all' || /[-._&+]\p{L}/u.test(value)
}

/** The word of a sentence before a value. */
const BEFORE_WORD = /(?<![^\s"'(])([^\s"'(]{0,38}[\p{L}\p{M}])\s{1,8}$/u
/** `is` and what else leads to a value, in the languages of the names; the option of a command. */
const LEADS_TO =
  /^(?:-{1,2}[\w-]+|\/[a-z]{1,4}|is|was|now|ist|lautet|jetzt|est|es|ahora|è|é|är|jest|to|là|este|adalah|ialah|είναι|е|это|คือ|cipher)$/iu
/** What leads to a value or to whatever a sentence is about; words alone are rather the latter. */
const MAY_LEAD_TO = /^(?:with|using|mit|avec|con|com|on|er|je|set)$/iu
const NAMES_SECRET = withPasswords(
  (passwords) => new RegExp(`(?:${passwords}|pass|pw|secret|psk|login|creds?|clave|key)$`, 'iu'),
)

/** Whether the word before a value may lead to it: "the password is …", `-P …`; behind an article or a preposition stands what is talked about. */
function mayLead(word: string, value: string, line: string, start: number, toldAt: number): boolean {
  if (LEADS_TO.test(word) || (MAY_LEAD_TO.test(word) && !PLAIN_WORD.test(value))) return true
  if (goesOn(value, line, start) || isJoining(word)) return false
  return NAMES_SECRET(word).test(word) || (toldAt >= 0 && toldAt < start && start - toldAt < 40)
}

/** Where a line, a cell or a point of a list begins. */
const BEGINS = /(?:^|[|*.-][ \t]{1,4})[ \t]*$/

/** Neither capitals inside nor signs. */
const PLAIN_WORD = /^\p{Lu}?\p{Ll}+$/u

/** Whether a sentence goes on behind such a word. */
function goesOn(value: string, line: string, start: number): boolean {
  return PLAIN_WORD.test(value) && /^[ \t]\p{L}/u.test(line.slice(start + value.length))
}

function overlap(a: Candidate, b: Candidate): boolean {
  return a.start < b.end && b.start < a.end
}

/** Where the rules masked, or nothing where that cannot be told from what they made of the line. */
function spansOf(line: string, ruled: string, mask: string): Candidate[] | undefined {
  const spans: Candidate[] = []
  const parts = ruled.split(mask)
  let at = parts[0]!.length
  for (const [index, part] of parts.slice(1).entries()) {
    if (line.startsWith(mask, at)) {
      at += mask.length + part.length
      continue
    }
    const isLast = index === parts.length - 2
    const end = isLast ? line.length - part.length : part === '' ? at : line.indexOf(part, at)
    if (end <= at) return undefined
    spans.push({ start: at, end })
    at = end + part.length
  }
  return masked(line, [...spans], mask) === ruled ? spans : undefined
}

function masked(line: string, spans: Candidate[], mask: string): string {
  let result = ''
  let done = 0
  for (const { start, end } of spans.sort((a, b) => a.start - b.start)) {
    result += line.slice(done, start) + mask
    done = end
  }
  return result + line.slice(done)
}
