import { isSecretValue, isToldValue, type Strength } from './assignments.ts'

/**
 * Secrets that a sentence tells: "log in as admin with password …", "Zugangsdaten: admin / …". Behind a telling word the
 * next few words of its line are looked at, and the first that people would choose, or a machine would draw, is masked.
 */

const STRONG =
  'pass(?:words?|wd|[ -]?phrase|code|wort|ord)|pw|kennwort|zugangsdaten|mots? de passe|contrase[nñ]as?|senha|wachtwoord|has[lł]\\p{L}{1,3}|l[oö]senord(?:et)?|hesl[oa]|parola|şifre|jelszó|salasana|adgangskode|mật khẩu|kata sandi|口令|парол\\p{L}{1,3}|密[码碼]|パスワード|비밀번호|암호|credentials?|creds|secret'
const WEAK =
  '(?:api|access|private|secret|encryption|signing|master)[ _-]?keys?|api[ -]schlüssel|tokens?|токен\\p{L}{0,2}|トークン|토큰|api[ -]?キー|login|key|schlüssel|clé|clave|chiave|ключ'
const TELLING = new RegExp(`(?<![\\p{L}\\d_./-])(?:(${STRONG})|(?:${WEAK}))(?![A-Za-z\\d_./(-])`, 'giu')
/** What a login is made of, so that what follows a name and a stroke is the rest of it. */
const PAIR = /^(?:credentials?|creds|login|zugangsdaten)$/i
/** Nothing is told of a secret behind these: a digest or a name of a commit follows. */
const OF_NO_SECRET =
  /\b(?:commit|sha-?\d*|hash(?:es|ed)?|digest|checksum|revision|etag|fingerprint|public|id|uuid|version|branch|file|cache|md5|line)\b/i
/** A weak word alone says little; one of these beside it says more. */
const OF_A_SECRET = /\b(?:api|encrypt\w*|decrypt\w*|sign(?:ing)?|secret|private|geheime\w*|secr[eè]t\w*|segret\w*)\b/i

const LONGEST = 200
const MOST_WORDS = 9

export function toldSecrets(text: string, mask: string): string {
  return toldAfter(/ (?:as|is) /.test(text) ? toldBefore(text, mask) : text, mask)
}

function toldAfter(text: string, mask: string): string {
  let result = ''
  let done = 0
  for (const { 0: word, 1: strong, index } of text.matchAll(TELLING)) {
    const from = index + word.length
    if (from < done) continue
    const found = valueAfter(text, from, word, strong === undefined ? 'weak' : 'strong', mask)
    if (!found) continue
    result += text.slice(done, found.start) + mask
    done = found.end
  }
  return result + text.slice(done)
}

interface Place {
  start: number
  end: number
}

function valueAfter(text: string, from: number, word: string, strength: Strength, mask: string): Place | undefined {
  const line = lineAfter(text.slice(from, from + LONGEST))
  let before = text.slice(Math.max(0, from - word.length - 20), from)
  let words = 0
  for (const { 0: token, index } of line.matchAll(/[^\s"'`|]+/g)) {
    // Code goes on here, another thing is told, or there is nothing left to find.
    if (words++ >= MOST_WORDS || /[{}<>;\\]|\w\(.|[[\]]|=[^=]/.test(token) || token.includes(mask)) {
      if (!/^\w{1,20}[:/]\S/.test(token) || token.includes(mask)) return undefined
    }
    const value = told(token, word)
    const isValue = (): boolean =>
      isToldValue(value.text, words === 1 ? 'strong' : strengthIn(before, strength)) ||
      (/[:：=/→]$|->$/.test(before) && isSecretValue(value.text, strengthIn(before, strength), 'told'))
    if (!OF_NO_SECRET.test(before) && isValue()) {
      const start = from + index + value.at
      return { start, end: start + value.text.length }
    }
    // A sentence ends, and a path or an address is none of the words that lead to a secret.
    if (/[.!?;]$|\/\w|:\/\//.test(token)) return undefined
    before += ` ${token}`
  }
  return undefined
}

/** The rest of the line, or the next one where the value is announced for it. */
function lineAfter(rest: string): string {
  const [first = '', second = ''] = rest.split('\n', 2)
  return /:[ \t*]{0,4}$/.test(first) && /^\s{0,8}\S+\s{0,4}$/.test(second) ? `${first}\n${second}` : first
}

/** "… is the password", "use … as your token". */
const BEFORE = new RegExp(
  `(?<![^\\s"'\`])([^\\s"'\`]{8,200})["'\`]?[ \\t]{1,4}(?:as|is)[ \\t](?:the|my|our|your|a)(?:[ \\t][a-z]{1,15}){0,2}[ \\t](?:(${STRONG})|(?:${WEAK}))(?!\\p{L})`,
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

/** The part of a word that may be the secret: without what a sentence puts behind it, and without the name before it. */
function told(token: string, word: string): { text: string; at: number } {
  const plain = token.replace(/^[(]+/, '')
  const at = token.length - plain.length
  const text = plain.replace(/(?<![.,:)])[.,:)]+$/, '')
  const name = PAIR.test(word) ? /^[\w.@-]{1,40}[:/](?=\S{6})/.exec(text)?.[0].length : undefined
  return name === undefined ? { text, at } : { text: text.slice(name), at: at + name }
}
