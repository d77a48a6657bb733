import { OTHER_WORDS } from '../names.ts'
import { isOrdinaryWord } from '../ordinary-words.ts'
import { randomness } from '../randomness.ts'
import { isChosen, isLikely, isToldValue, isUnmistakable, looksDrawn } from '../values.ts'
import type { Candidate } from './candidates.ts'

/**
 * What the model of secrets looks at: the shape of a value, the name before it, the words around it and how they are joined, each
 * alone and some together. Everything is a number from the start, since this is done for every value of every text.
 */

/** @public How many weights the model has. */
export const BUCKETS = 65536

export interface Line {
  text: string
  words: readonly Word[]
  /** Prose, a command, a setting, code: what the line is by its look. */
  kind: number
  /** The first words: a command, a key of a file, a word of a statement. */
  head: readonly number[]
  /** What the line before tells, and its last words. */
  above: number
  wordsAbove: readonly number[]
}

interface Word extends Meaning {
  start: number
  end: number
}

interface Meaning {
  told: number
  /** Whether it names something public: a digest, an id, a public key. */
  isOpen: boolean
  parts: readonly number[]
}

/** Words come again and again, in one text and the next; each is taken apart once, until there are too many. */
const known = new Map<string, Meaning>()
const MOST_KNOWN = 4000

/** What a name tells: nothing, a word such as `key` or `token`, or one that means a secret; odd where it is something about one. */
const WEAK_WORD = 2
const STRONG_WORD = 4

const STRONG =
  /assw|pwd|passphr|passcode|passwort|kennwort|passe$|mdp|contrase|senha|wachtwoord|has[lł][oa]|l[oö]senord|hesl|parol|lozink|gesl|jelsz|adgangskod|kodeord|passord|salasan|[sş]ifre|khẩu|sandi|парол|лозин|κωδικ|סיסמ|كلمة|مرور|पासवर्ड|รหัส|密码|密碼|口令|暗証|パスワード|비밀번호|암호|비번|secret|geheim|credential|^creds|zugangsdaten|slapta|parool|pasahitz|contrasen|(?:^|_)(?:pass|pw|ww|psk)(?:$|[_\d])|Pass(?:$|[A-Z])|pass$/i
const WEAK =
  /token|key|auth|acesso|acceso|accès|údaje|zugang|inlog|^logged$|identifiant|anmeld|konto|доступ|ログイン|账号|계정|sig$|signature|login|signin|clave|schl[uü]ssel|^cl[eé]s?$|chiave|chave|ключ|токен|jeton|トークン|キー|토큰|令牌|密钥|wi-?fi|wlan|^pins?$|^puk$|^otp$|^pat$|_pat$|cookie|session|salt|bearer|code$/i
const ABOUT =
  /(?:name|names|id|ids|arn|ref|url|uri|host|port|endpoint|issuer|path|file|dir|types?|kind|format|alg\w{0,8}|method|policy|field|column|label|hint|prompt|placeholder|message|errors?|expir\w{0,8}|ttl|age|timeout|count|limit|max|min|length|len|size|budget|usage|version|index|header|prefix|suffix|pattern|regex|enabled|required|mode|_at|alias|scopes?|status|env|var)$/i

const OPEN =
  /sha-?\d|^sha$|md5|crc|commit|digest|checksum|etag|integrity|finger|thumbprint|uu?id|guid|^id$|ids$|revision|address|public|pub$|site|recipient|hash|trace|span|request|correlation|build|image|version|^tx|transaction|contract|block|blob|tree|parent|serial|invoice|order|ticket|cache|idempot|nonce|colou?r|path|file|url|uri|regex|pattern|verification|client_id|account|tenant|project|region|arn|bucket|font|icon|mime|encod|algorithm|cipher|type|schema|placeholder|example|sample/i

const OTHERS = new RegExp(OTHER_WORDS, 'gi')

function toldBy(name: string): number {
  const text = name.replace(OTHERS, '')
  const told = STRONG.test(text) ? STRONG_WORD : WEAK.test(text) ? WEAK_WORD : 0
  return told > 0 && ABOUT.test(text) ? told + 1 : told
}

const WORD = /[\p{L}\p{M}_$][\p{L}\p{M}\d_$]*(?:[-.][\p{L}\d_]+)*/gu

export function lineOf(text: string, before: string): Line {
  const words = wordsIn(text)
  const last = wordsIn(before.slice(-80)).slice(-4)
  return {
    text,
    words,
    kind: kindOf(text, words.length),
    head: words
      .slice(0, 2)
      .flatMap(({ start, end }) => (end < 80 ? [textHash(text.slice(start, end).toLowerCase())] : [])),
    above: last.reduce((most, { told }) => Math.max(most, told), 0),
    wordsAbove: last.flatMap(({ parts }) => parts),
  }
}

function wordsIn(text: string): Word[] {
  return Array.from(text.matchAll(WORD), ({ 0: word, index }) => {
    const { told, isOpen, parts } = known.get(word) ?? meaningOf(word)
    return { start: index, end: index + word.length, told, isOpen, parts }
  })
}

function meaningOf(word: string): Meaning {
  const end = word.slice(-40)
  const meaning = {
    told: toldBy(end),
    isOpen: OPEN.test(end),
    parts: partsOf(word.slice(-60)).map((part) => textHash(part)),
  }
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(word, meaning)
  return meaning
}

/** The words of a name: `dbPassword2` is `db`, `password` and a number. */
function partsOf(name: string): string[] {
  return name
    .split(/[_$.\s-]+|(?<=[a-z\d])(?=[A-Z])|(?<=\D)(?=\d)/)
    .filter(Boolean)
    .slice(-5)
    .map((part) => part.toLowerCase().replace(/\d+/g, '0').slice(0, 16))
}

const FAR = 160

/** The numbers of the weights that speak about a candidate; one may come twice. */
export function secretFeatures(
  line: Line,
  { start, end }: Candidate,
  wordsBefore: number,
  valueKind: string,
): number[] {
  const { text, words } = line
  const value = text.slice(start, end)
  const kind = textHash(valueKind)
  const name = words[wordsBefore - 1]
  const isNamed = name !== undefined && start - name.end < FAR
  const told = isNamed ? name.told : 0
  const near = nearest(words, wordsBefore, start)
  const gap = textHash(gapOf(text, isNamed ? name.end : Math.max(0, start - 9), start))
  const follows = textHash(
    text
      .slice(end, end + 2)
      .replace(/[\p{L}\d]/gu, 'a')
      .replace(/\s/g, ' '),
  )
  const after = following(words, wordsBefore, end)
  const last = isNamed ? (name.parts.at(-1) ?? 0) : 0
  const { head, above } = line
  const found: number[] = []
  const add = (tag: number, a = 0, b = 0, c = 0) => {
    found.push(bucket(tag, a, b, c))
  }
  add(1)
  add(2, kind)
  add(3, gap)
  add(4, told)
  add(5, near)
  add(6, after.told)
  add(7, above)
  add(8, follows)
  add(9, told, kind)
  add(10, near, kind)
  add(11, gap, kind)
  add(12, gap, told)
  add(13, gap, told, kind)
  add(14, near, told, kind)
  add(15, after.told, near, kind)
  add(16, above, near, kind)
  add(17, last, kind)
  add(18, last)
  add(19, last, gap)
  add(21, follows, gap)
  add(22, follows, kind)
  const sort = textHash(sortOf(valueKind))
  const join = joinOf(text.slice(isNamed ? name.end : Math.max(0, start - 9), start))
  add(54, sort, join)
  add(55, sort, join, told)
  add(56, sort, near)
  add(57, join, told)
  const open = openNear(words, wordsBefore, start)
  const form = line.kind
  add(48, form, kind)
  add(49, form, near)
  add(50, form, gap, kind)
  add(51, open, kind)
  add(52, open, near)
  add(53, form, near, kind)
  for (const size of sizesOf(value)) {
    add(23, size)
    add(24, size, told)
    add(25, size, near)
  }
  for (const sign of signsOf(value)) {
    add(26, sign)
    add(27, sign, told)
    add(28, sign, near)
    add(29, sign, gap)
  }
  const flag = FLAG.exec(text.slice(Math.max(0, start - 40), start))?.[1]
  if (flag !== undefined) {
    const option = textHash(flag)
    add(30, option)
    add(31, option, kind)
    add(32, option, head[0])
  }
  for (const [at, word] of head.entries()) {
    add(33, at, word)
    add(34, word, kind)
    add(35, word)
  }
  if (isNamed) {
    for (const part of name.parts) {
      add(36, part)
      add(37, part, kind)
    }
    pieces(text, name, (piece) => add(38, piece))
  }
  for (let at = 0; at < 8; at++) {
    const word = words[wordsBefore - 1 - at]
    if (word === undefined || start - word.end > FAR) break
    const place = at < 2 ? at : at < 4 ? 3 : 5
    for (const part of word.parts) {
      add(39, place, part)
      add(40, part)
    }
  }
  for (const part of after.parts) add(41, part)
  if (after.next !== 0) add(20, after.next)
  for (const part of line.wordsAbove) add(42, part)
  if (value.length <= 60) for (const part of partsOf(value)) if (isOrdinaryWord(part)) add(43, textHash(part))
  if (wordsBefore === 0 && start < 9) {
    add(44, Number(end === text.length))
    add(45, kind)
  }
  if (after.next === 0 && text.length - end < 6) {
    add(46)
    add(47, kind)
  }
  return found
}

const FLAG = /(?:^|\s)(--?[A-Za-z][\w-]{0,30}|\/[a-zA-Z]{1,12})[ =:]?["']?$/

/** How far before the value the nearest telling word stands, and what it tells. */
function nearest(words: readonly Word[], before: number, start: number): number {
  for (let at = 0; at < 12; at++) {
    const word = words[before - 1 - at]
    if (word === undefined || start - word.end > FAR) return 0
    if (word.told > 0) return word.told * 16 + (at < 1 ? 1 : at < 3 ? 2 : at < 6 ? 5 : 9)
  }
  return 0
}

/** How far before the value the nearest word for something public stands. */
function openNear(words: readonly Word[], before: number, start: number): number {
  for (let at = 0; at < 6; at++) {
    const word = words[before - 1 - at]
    if (word === undefined || start - word.end > FAR) return 0
    if (word.isOpen) return at < 1 ? 1 : at < 3 ? 2 : 3
  }
  return 0
}

/** What a line is by its look. The first that fits. */
const FORMS: RegExp[] = [
  /^\s*(?:#|\/\/|\*|--|;|<!--|\/\*|"""|%)/,
  /^\s*(?:[$>]|\w+@[\w-]+[:~$ ]|PS [A-Z]:)/,
  /^\W{0,2}\d{4}-\d\d-\d\d|^\[?\d\d:\d\d|^\w{3}\s+\d+ \d\d:\d\d|\b(?:DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|TRACE)\b/,
  /^\s*<[\w:?/]/,
  /^\s*[{[]?[ \t]{0,4}["'][\w.@ -]{1,60}["'][ \t]{0,4}:/,
  /^\s*(?:export\s+|set\s+|ENV\s+)?[A-Z][A-Z\d_]+=/,
  /^\s*(?:- )?[\w./-]+:(?:\s|$)/,
  /^\s*[\w.-]+\s*=\s*\S/,
  /^\s*\[[\w.: "-]+\]\s*$/,
  /;\s*$|\{\s*$|^\s*[})]|=>|\b(?:const|let|var|def|func|fn|return|import|public|private|class|new|if|self|this)\b.*[=({.]/,
  /\s--?[a-zA-Z][\w-]*/,
  /^[^={}<>]+$/,
]

function kindOf(text: string, words: number): number {
  const start = text.slice(0, 300)
  const at = FORMS.findIndex((form) => form.test(start))
  return (at < 0 ? FORMS.length : at) * 4 + (words < 3 ? 0 : words < 8 ? 1 : 2) + 100
}

/** The next words behind a value. */
function following(
  words: readonly Word[],
  before: number,
  end: number,
): { told: number; next: number; parts: number[] } {
  let at = before
  while (at < words.length && words[at]!.start < end) at++
  const near = words.slice(at, at + 4).filter((word) => word.start - end < 60)
  return {
    told: near.reduce((most, word) => Math.max(most, word.told), 0),
    next: near[0] !== undefined && near[0].start - end <= 4 ? (near[0].parts[0] ?? 0) : 0,
    parts: near.flatMap(({ parts }) => parts),
  }
}

/** The kinds of values in a few sorts: words by how ordinary they are, and whatever else by how it is made. */
function sortOf(kind: string): string {
  return / (?:none|some|all)$/.exec(kind)?.[0] ?? kind.replace(/[smlx]\d/, '')
}

/** How a name and a value are joined, roughly. */
const JOINS: RegExp[] = [
  /^["'\])]{0,3}\s{0,8}(?:=>|:=|={1,3}|:)\s{0,8}$/,
  /^["'\])]{0,3}\s{0,8}(?:=>|:=|={1,3}|:)\s{0,8}[a-z]{0,2}\\?["'`]$/,
  /^\s+$/,
  /^\s*\\?["'`«„「“]\s?$/,
  /^["']\s{0,4},\s{0,4}["']$/,
  /^["']?>$/,
  /\(["'`]?$/,
  /[：:]\s*$/,
  /[-–—→>/]\s*$/,
]

function joinOf(gap: string): number {
  return gap.length > 24 ? 99 : JOINS.findIndex((join) => join.test(gap)) + 1
}

/** What joins a name and a value. */
function gapOf(text: string, from: number, to: number): string {
  const gap = text.slice(from, to)
  return gap.length > 8
    ? `…${gap.slice(-4).replace(/\s+/g, ' ').replace(/\d/g, '0')}`
    : gap.replace(/\s+/g, ' ').replace(/\d+/g, '0').replace(/['`]/g, '"')
}

/** Four letters at a time: what names in other languages, or written together, have in common. */
function pieces(text: string, { start, end }: Word, add: (piece: number) => void): void {
  const name = `^${text.slice(Math.max(start, end - 24), end).toLowerCase()}$`
  for (let at = 0; at + 4 <= name.length; at++) add(textHash(name, at, at + 4))
}

function sizesOf(value: string): number[] {
  let digits = 0
  let classes = 0
  let shape = SEED
  let before = 0
  for (let at = 0; at < value.length; at++) {
    const sign = signOf(value.charCodeAt(at))
    if (sign === 4) digits++
    classes |= sign < 1024 ? sign : 1 << (10 + (sign % 8))
    if (sign !== before && at < 24) shape = Math.imul(shape ^ sign, PRIME)
    before = sign
  }
  return [
    value.length < 20 ? value.length >> 1 : Math.min(20, 8 + (value.length >> 3)),
    32 + Math.min(4, Math.round((digits / value.length) * 6)),
    64 + Math.max(-3, Math.min(5, Math.round(randomness(value) * 5))),
    shape >>> 0,
    1_000_000 + classes,
  ]
}

/** Letters, digits, and signs in the groups in which they are used. */
function signOf(code: number): number {
  if (code >= 97 && code <= 122) return 1
  if (code >= 65 && code <= 90) return 2
  if (code >= 48 && code <= 57) return 4
  return code > 127 ? 512 : (SIGNS[code] ?? 256)
}

const SIGNS: Record<number, number> = {}
for (const [group, signs] of ['_-', './:', '!@#$%^*?+~&', '=', '<>{}()[]|\\'].entries())
  for (const sign of signs) SIGNS[sign.charCodeAt(0)] = 8 << group

function signsOf(value: string): number[] {
  return SIGNS_OF.flatMap((has, at) => (has(value) ? [at + 1] : []))
}

const SIGNS_OF: ((value: string) => boolean)[] = [
  isChosen,
  isLikely,
  isUnmistakable,
  looksDrawn,
  (value) => isToldValue(value, 'strong'),
]

const SEED = 2166136261
const PRIME = 16777619

function textHash(text: string, from = 0, to = text.length): number {
  let sum = SEED
  for (let at = from; at < to; at++) sum = Math.imul(sum ^ text.charCodeAt(at), PRIME)
  return sum >>> 0
}

function bucket(tag: number, a: number, b: number, c: number): number {
  let sum = Math.imul(SEED ^ tag, PRIME)
  sum = Math.imul((sum ^ a) + (sum >>> 13), PRIME)
  sum = Math.imul((sum ^ b) + (sum >>> 11), PRIME)
  sum = Math.imul((sum ^ c) + (sum >>> 15), PRIME)
  return (sum ^ (sum >>> 15)) & (BUCKETS - 1)
}
