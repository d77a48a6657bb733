import { replaceOnLines } from '../lines.ts'
import { isAbout, type Strength, standsAlone, tellingPlaces, withPasswords } from '../names.ts'
import { matchesAt } from '../openings.ts'
import {
  isChosen,
  isLikely,
  isSecretValue,
  isToldValue,
  isUnmistakable,
  isWordWithNumber,
  isWordy,
  looksDrawn,
} from '../values.ts'

/**
 * Secrets that a sentence tells: "log in as admin with password …", "Zugangsdaten: admin / …". Behind a telling word the
 * next few words of its line are looked at, and the first that people would choose, or a machine would draw, is masked. Behind a
 * name in code the same is done for what can hardly be anything else.
 */

const strong = (passwords: string) =>
  `${passwords}|passwords|pass|pw|zugangsdaten|mots de passe|contrase[nñ]as|clave|has[lł]\\p{L}{1,3}|hesl[oa]|парол\\p{L}{1,3}|credentials?|creds|secret|geheimnis|segreto|secreto|segredo|секрет`
const WEAK =
  '(?:api|access|private|secret|encryption|signing|master)[ _-]?keys?|api[ -]schlüssel|tokens?|токен\\p{L}{0,2}|トークン|토큰|令牌|密钥|jeton|api[ -]?キー|login|log in|zugang|accès|acceso|accesso|auth|key|schlüssel|clé|chiave|chave|ключ|wi-?fi|wlan|sign[ -]in(?: details)?|access details'
const telling = withPasswords(
  (passwords) => new RegExp(`(?:(${strong(passwords)})|(?:${WEAK}))(?![\\p{Ll}\\d/(])`, 'iuy'),
)
/** What a login is made of, so that what follows a name and a stroke is the rest of it. */
const PAIR =
  /^(?:sign[ -]in(?: details)?|access details|wi-?fi|wlan|credentials?|creds|login|log in|zugangsdaten|zugang|accès|acceso|accesso)$/i
/** Nothing is told of a secret behind these: a digest or a name of a commit follows. */
const OF_NO_SECRET =
  /\b(?:commit|sha-?\d*|hash(?:es|ed)?|digest|checksum|revision|etag|fingerprint|public|id|uuid|version|branch|file|cache|md5|line|rotation|policy|length|expir\w*|limit)\b/i
/** A weak word alone says little; one of these beside it says more. */
const OF_A_SECRET = /\b(?:api|encrypt\w*|decrypt\w*|sign(?:ing)?|secret|private|geheime\w*|secr[eè]t\w*|segret\w*)\b/i

const LONGEST = 200
const MOST_WORDS = 9

export function toldSecrets(text: string, mask: string): string {
  const remarked = /(?:#|\/\/|--)[^\n]{0,80}(?:token|secret|password|api key)/i.test(text)
    ? remarkedSecrets(text, mask)
    : text
  const rest = / (?:as|is) |\((?:the )?p/.test(remarked) ? toldBefore(remarked, mask) : remarked
  return toldAfter(rest.includes('?') ? answeredSecrets(rest, mask) : rest, mask)
}

/** `Client("AC…", "…")  # account sid, auth token`: a remark says what the values of its line are. */
function remarkedSecrets(text: string, mask: string): string {
  return text.replace(
    /^([^\n]{1,300}?)((?:#|\/\/|--)[^\n]{0,80}(?:token|secret|password|api key))/gim,
    (_, code: string, remark: string) =>
      code.replace(/(["'])([^\s"']{16,200})(?=\1)/g, (match, quote: string, value: string) =>
        isToldValue(value, 'weak') && /\d/.test(value) ? quote + mask : match,
      ) + remark,
  )
}

const asked = withPasswords(
  (passwords) => new RegExp(`(?:${strong(passwords)})(?!\\p{L})[^\\n?]{0,60}\\?[^\\n]{0,10}\\n`, 'iuy'),
)

/** What is asked is a rule, a place or a time, and not the secret. */
const ASKS_ABOUT =
  /\b(?:length|long|limit|policy|rule|rotat\w*|chang\w*|stored|field|column|expir\w*|reset|forgot\w*|called|where|how|why|when|set up|encrypted|hashed)\b/i

/** "What's the password?", answered with one word in one of the next lines. */
function answeredSecrets(text: string, mask: string): string {
  let result = ''
  let done = 0
  for (const { 0: question, index } of matchesAt(text, tellingPlaces(text), asked(text))) {
    let at = index + question.length
    if (at < done || ASKS_ABOUT.test(question)) continue
    for (const line of text.slice(at, at + 300).split('\n', 3)) {
      const answer =
        /^(?:.{0,40}[:>\]][ \t]{1,4})?(?:(?:it'?s|sure|yes|yep|here|try|use|still|now|i think)[,:]?[ \t]){0,3}(\S{6,})[ \t]*$/i.exec(
          line,
        )?.[1]
      if (answer !== undefined && isLikely(answer)) {
        const start = at + line.lastIndexOf(answer)
        result += text.slice(done, start) + mask
        done = start + answer.length
        break
      }
      at += line.length + 1
    }
  }
  return result + text.slice(done)
}

function toldAfter(text: string, mask: string): string {
  let result = ''
  let done = 0
  for (const { 0: word, 1: strong, index } of matchesAt(text, tellingPlaces(text), telling(text))) {
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
    if (ARROW.test(token)) {
      before += token
      continue
    }
    if (words++ >= MOST_WORDS || /[{}<>;\\]|\w\(.|[[\]]|=[^=]/.test(token) || token.includes(mask)) {
      if (!/^\w{1,20}[:/]\S/.test(token) || token.includes(mask)) return undefined
    }
    // What is written to a host: `<password>@db.internal`.
    if (token.startsWith('@')) return undefined
    const value = told(token, word)
    const isValue = (): boolean =>
      isToldValue(value.text, words === 1 ? 'strong' : strengthIn(before, strength)) ||
      (value.isRest &&
        (isUnmistakable(value.text) || (STROKE.test(before + (value.name ?? '')) && isLikely(value.text)))) ||
      (LEADS.test(before) && isSecretValue(value.text, strengthIn(before, strength), 'told')) ||
      (PAIR.test(word) && /(?:^| )(?:with|and|using|mit|avec|con|com)$/i.test(before) && isLikely(value.text)) ||
      (strength === 'strong' && (words === 1 || IS.test(before)) && isLikely(value.text))
    if (
      !OF_NO_SECRET.test(before) &&
      isValue() &&
      (!isVerb || isUnmistakable(value.text) || (isChosen(value.text) && looksDrawn(value.text)))
    ) {
      const start = from + index + value.at
      return { start, end: start + value.text.length }
    }
    // A sentence ends, and a path or an address is none of the words that lead to a secret.
    if (/[.!?;]$|\/\w|:\/\//.test(token)) return undefined
    before += ` ${token}`
  }
  return undefined
}

const STROKE = /[/:][ \t]*$/
const ARROW = /^(?:->|=>|→|>|—|–|-|:)$/
const LEADS = /[:：=/→—–]$|->$|=>$/
/** `is`, in the languages of the names, at the end of what leads to a value. */
const IS =
  /(?:^|[ \t:])(?:is|is now|was|are|lautet|ist|heißt|est|es|è|é|är|er|on|je|jest|là|este|είναι|е|adalah|ialah|(?:re)?set to|changed to|reset to|changed? \S{1,20} to|wurde auf|changée? en|cambiad[oa] a|cambiata in|alterada para|na|на|from|with|hasło \S{1,20} \S{1,20} to|to)[:]?$/i

/** `"db_password" {` and in the next line `default = "…"`, `#password", "…"`, `SetEnv DB_PASSWORD …`. */
function valueNear(text: string, from: number, strength: Strength, mask: string): Place | undefined {
  if (isAbout(text, from)) return undefined
  const rest = /^[\w-]{0,30}/.exec(text.slice(from, from + 30))![0].length
  const near = text.slice(from + rest, from + rest + NEAR)
  // A path, a member or a call goes on.
  if (/^[./(]|^[>}\]]{1,2}@/.test(near)) return undefined
  let words = 0
  for (const { 0: token, index } of near.matchAll(/[^\s"'`|,;(){}[\]<>=]+/g)) {
    if (words++ >= 4 || token.includes(mask) || /^(?:\/\/|#|&&|\|\||\$)/.test(token)) return undefined
    const [last, next] = [near[index - 1] ?? ' ', near[index + token.length] ?? ' ']
    const isQuoted = /["'`]/.test(last) && last === next
    const isApart = /[\s>]/.test(last) && /[\s<;]/.test(next)
    const value = token.replace(/(?<![.:])[.:]+$/, '')
    const isOne = (): boolean =>
      isUnmistakable(value) ||
      (strength === 'strong' && (isQuoted || words === 1) && (isWordy(value) || isWordWithNumber(value))) ||
      (words === 1 && /(?:tokens?|api[ _-]?key)$/i.test(text.slice(Math.max(0, from - 8), from)) && UUID.test(value)) ||
      (words === 1 &&
        value.length >= 16 &&
        isToldValue(value, 'weak') &&
        !OF_NO_SECRET.test(text.slice(Math.max(0, from - 40), from)))
    if ((isQuoted || isApart) && isOne()) {
      const start = from + rest + index
      return { start, end: start + value.length }
    }
  }
  return undefined
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const NEAR = 100

/** The rest of the line, or the next one where the value is announced for it. */
function lineAfter(rest: string, before: string): string {
  const [first = '', second = ''] = rest.split('\n', 2)
  const isLabel = first.trim() === '' && /(?:^|\n)[^\n]{0,20}$/.test(before)
  const isAlone = /^\s{0,8}\S+\s{0,4}$/.test(second)
  return isAlone && (/:[ \t*]{0,4}$/.test(first) || isLabel) ? `${first}\n${second}` : first
}

/** "… is the password", "use … as your token", "admin / … (password)". */
const before = withPasswords(
  (passwords) =>
    new RegExp(
      `(?<![^\\s"'\`])([^\\s"'\`]{8,200})["'\`]?[ \\t]{1,4}(?:(?:as|is)[ \\t](?:(?:the|my|our|your|a)[ \\t])?(?:[a-z]{1,15}[ \\t]){0,2}|\\((?:the[ \\t])?)(?:(${strong(passwords)})|(?:${WEAK}))(?!\\p{L})`,
      'giu',
    ),
)

/** What stands between such a value and the word that tells. */
const LEADS_BACK = /[ \t](?:as|is)[ \t](?:[a-z]{1,15}[ \t]){0,3}$|\((?:the[ \t])?$/i
const BACK = 60

function toldBefore(text: string, mask: string): string {
  return replaceOnLines(text, toldLines(text), (line) =>
    line.replace(before(text), (match, value: string, strong?: string) =>
      isToldValue(value, strong === undefined ? 'weak' : 'strong') ||
      (strong !== undefined && (isWordWithNumber(value) || isLikely(value)))
        ? mask + match.slice(value.length)
        : match,
    ),
  )
}

function toldLines(text: string): number[] {
  return tellingPlaces(text).filter((at) => LEADS_BACK.test(text.slice(Math.max(0, at - BACK), at)))
}

function strengthIn(before: string, strength: Strength): Strength {
  return OF_A_SECRET.test(before) ? 'strong' : strength
}

interface Told {
  text: string
  at: number
  /** What follows a name and a stroke. */
  isRest: boolean
  name?: string
}

/** The part of a word that may be the secret: without what a sentence puts behind it, and without the name before it. */
function told(token: string, word: string): Told {
  const plain = token.replace(/^[(]+/, '')
  const at = token.length - plain.length
  const text = plain.replace(/(?<![.,:)])[.,:)]+$/, '')
  const name = PAIR.test(word) ? /^[\w.@-]{1,40}[:/](?=\S{6})/.exec(text)?.[0].length : undefined
  return name === undefined
    ? { text, at, isRest: PAIR.test(word) }
    : { text: text.slice(name), at: at + name, isRest: true, name: text.slice(0, name) }
}
