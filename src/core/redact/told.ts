import { isAbout, type Strength, standsAlone } from './names.ts'
import { isSecretValue, isToldValue, isUnmistakable, isWordy } from './values.ts'

/**
 * Secrets that a sentence tells: "log in as admin with password …", "Zugangsdaten: admin / …". Behind a telling word the
 * next few words of its line are looked at, and the first that people would choose, or a machine would draw, is masked. Behind a
 * name in code the same is done for what can hardly be anything else.
 */

const STRONG =
  'pass(?:words?|wd|[ -]?phrase|code|wort|ord)?|pwd|pw|mdp|kennwort|zugangsdaten|mots? de passe|contrase[nñ]as?|clave|senha|wachtwoord|has[lł]\\p{L}{1,3}|l[oö]senord(?:et)?|hesl[oa]|parol[aeă]|slaptažodis|lozinka|geslo|lykilorð|κωδικός|סיסמה|كلمة (?:المرور|السر)|पासवर्ड|รหัสผ่าน|暗証番号|şifre|jelsz[oó]|salasana|adgangskode|mật khẩu|kata sandi|口令|парол\\p{L}{1,3}|密[码碼]|パスワード|비밀번호|암호|credentials?|creds|secret'
const WEAK =
  '(?:api|access|private|secret|encryption|signing|master)[ _-]?keys?|api[ -]schlüssel|tokens?|токен\\p{L}{0,2}|トークン|토큰|令牌|密钥|jeton|api[ -]?キー|login|log in|zugang|accès|acceso|accesso|auth|key|schlüssel|clé|chiave|ключ'
const TELLING = new RegExp(`(?:(${STRONG})|(?:${WEAK}))(?![\\p{Ll}\\d/(])`, 'giu')
/** What a login is made of, so that what follows a name and a stroke is the rest of it. */
const PAIR = /^(?:credentials?|creds|login|log in|zugangsdaten|zugang|accès|acceso|accesso)$/i
/** Nothing is told of a secret behind these: a digest or a name of a commit follows. */
const OF_NO_SECRET =
  /\b(?:commit|sha-?\d*|hash(?:es|ed)?|digest|checksum|revision|etag|fingerprint|public|id|uuid|version|branch|file|cache|md5|line)\b/i
/** A weak word alone says little; one of these beside it says more. */
const OF_A_SECRET = /\b(?:api|encrypt\w*|decrypt\w*|sign(?:ing)?|secret|private|geheime\w*|secr[eè]t\w*|segret\w*)\b/i

const LONGEST = 200
const MOST_WORDS = 9

export function toldSecrets(text: string, mask: string): string {
  return toldAfter(/ (?:as|is) |\((?:the )?p/.test(text) ? toldBefore(text, mask) : text, mask)
}

function toldAfter(text: string, mask: string): string {
  let result = ''
  let done = 0
  for (const { 0: word, 1: strong, index } of text.matchAll(TELLING)) {
    const from = index + word.length
    if (from < done || !standsAlone(text, index, word)) continue
    if (!mayHold(text.slice(from, from + LONGEST))) continue
    const strength = strong === undefined ? 'weak' : 'strong'
    const found =
      (isProse(text, index, from) ? valueAfter(text, from, word, strength, mask) : undefined) ??
      valueNear(text, from, strength, mask)
    if (!found) continue
    result += text.slice(done, found.start) + mask
    done = found.end
  }
  return result + text.slice(done)
}

/** Whether anything there is long enough. A text may be telling words only, and looking behind each of them takes time. */
function mayHold(rest: string): boolean {
  return /[^\s"'`|]{10}/.test(rest) || (/[\d!@#$%^*?+~&]/.test(rest) && /[^\s"'`|]{6}/.test(rest))
}

/** A word by itself, not a part of a name or a path. */
function isProse(text: string, start: number, end: number): boolean {
  return !/[\p{L}\d_./#-]/u.test(text[start - 1] ?? ' ') && !/[A-Za-z\d_./-]/.test(text[end] ?? ' ')
}

interface Place {
  start: number
  end: number
}

function valueAfter(text: string, from: number, word: string, strength: Strength, mask: string): Place | undefined {
  const line = lineAfter(text.slice(from, from + LONGEST), text.slice(Math.max(0, from - word.length - 20), from))
  let before = text.slice(Math.max(0, from - word.length - 20), from)
  let words = 0
  const isVerb = /^pass$/i.test(word)
  for (const { 0: token, index } of line.matchAll(/[^\s"'`|「」]+/g)) {
    // Code goes on here, another thing is told, or there is nothing left to find.
    if (words++ >= MOST_WORDS || /[{}<>;\\]|\w\(.|[[\]]|=[^=]/.test(token) || token.includes(mask)) {
      if (!/^\w{1,20}[:/]\S/.test(token) || token.includes(mask)) return undefined
    }
    const value = told(token, word)
    const isValue = (): boolean =>
      isToldValue(value.text, words === 1 ? 'strong' : strengthIn(before, strength)) ||
      (value.isRest && isUnmistakable(value.text)) ||
      (LEADS.test(before) && isSecretValue(value.text, strengthIn(before, strength), 'told'))
    if (!OF_NO_SECRET.test(before) && isValue() && (!isVerb || isUnmistakable(value.text))) {
      const start = from + index + value.at
      return { start, end: start + value.text.length }
    }
    // A sentence ends, and a path or an address is none of the words that lead to a secret.
    if (/[.!?;]$|\/\w|:\/\//.test(token)) return undefined
    before += ` ${token}`
  }
  return undefined
}

const LEADS = /[:：=/→]$|->$/

/** `"db_password" {` and in the next line `default = "…"`, `#password", "…"`, `SetEnv DB_PASSWORD …`. */
function valueNear(text: string, from: number, strength: Strength, mask: string): Place | undefined {
  if (isAbout(text, from)) return undefined
  const rest = /^[\w-]{0,30}/.exec(text.slice(from, from + 30))![0].length
  const near = text.slice(from + rest, from + rest + NEAR)
  // A path, a member or a call goes on.
  if (/^[./(]/.test(near)) return undefined
  let words = 0
  for (const { 0: token, index } of near.matchAll(/[^\s"'`|,;(){}[\]<>=]+/g)) {
    if (words++ >= 4 || token.includes(mask) || /^(?:\/\/|#|&&|\|\||\$)/.test(token)) return undefined
    const [last, next] = [near[index - 1] ?? ' ', near[index + token.length] ?? ' ']
    const isQuoted = /["'`]/.test(last) && last === next
    const isApart = /[\s>]/.test(last) && /[\s<]/.test(next)
    const value = token.replace(/(?<![.:])[.:]+$/, '')
    if ((isQuoted || isApart) && (isUnmistakable(value) || (isQuoted && strength === 'strong' && isWordy(value)))) {
      const start = from + rest + index
      return { start, end: start + value.length }
    }
  }
  return undefined
}

const NEAR = 100

/** The rest of the line, or the next one where the value is announced for it. */
function lineAfter(rest: string, before: string): string {
  const [first = '', second = ''] = rest.split('\n', 2)
  const isLabel = first.trim() === '' && /(?:^|\n)[^\n]{0,20}$/.test(before)
  const isAlone = /^\s{0,8}\S+\s{0,4}$/.test(second)
  return isAlone && (/:[ \t*]{0,4}$/.test(first) || isLabel) ? `${first}\n${second}` : first
}

/** "… is the password", "use … as your token", "admin / … (password)". */
const BEFORE = new RegExp(
  `(?<![^\\s"'\`])([^\\s"'\`]{8,200})["'\`]?[ \\t]{1,4}(?:(?:as|is)[ \\t](?:(?:the|my|our|your|a)[ \\t])?(?:[a-z]{1,15}[ \\t]){0,2}|\\((?:the[ \\t])?)(?:(${STRONG})|(?:${WEAK}))(?!\\p{L})`,
  'giu',
)

function toldBefore(text: string, mask: string): string {
  return text.replace(BEFORE, (match, value: string, strong?: string) =>
    isToldValue(value, strong === undefined ? 'weak' : 'strong') ? mask + match.slice(value.length) : match,
  )
}

function strengthIn(before: string, strength: Strength): Strength {
  return OF_A_SECRET.test(before) ? 'strong' : strength
}

interface Told {
  text: string
  at: number
  /** What follows a name and a stroke. */
  isRest: boolean
}

/** The part of a word that may be the secret: without what a sentence puts behind it, and without the name before it. */
function told(token: string, word: string): Told {
  const plain = token.replace(/^[(]+/, '')
  const at = token.length - plain.length
  const text = plain.replace(/(?<![.,:)])[.,:)]+$/, '')
  const name = PAIR.test(word) ? /^[\w.@-]{1,40}[:/](?=\S{6})/.exec(text)?.[0].length : undefined
  return name === undefined
    ? { text, at, isRest: PAIR.test(word) }
    : { text: text.slice(name), at: at + name, isRest: true }
}
