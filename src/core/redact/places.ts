import { KIND, QUOTE } from './assignments.ts'
import { MORE, nameOf, standsAlone, strengthOf, tellingPlaces, withPasswords } from './names.ts'
import { matchesAt } from './openings.ts'
import { handedToPrograms } from './programs.ts'
import { isSecretValue } from './values.ts'

/** Secrets that are known by the call, the statement or the command they are handed to. */

const GAP = String.raw`[ \t]{0,8}`
const HANDED = [
  // setPassword("…")
  String.raw`\(\s{0,8}`,
  // define('DB_PASSWORD', '…'), getenv("API_KEY", "…"), key="Password" value="…"
  String.raw`(${QUOTE}(?:${GAP},\s{0,12}|[ \t]{1,8}value${GAP}[=:]${GAP}))`,
  // "name": "API_TOKEN", "value": "…"
  String.raw`${QUOTE},\s{0,12}${QUOTE}value${QUOTE}${GAP}:${GAP}`,
  // "db_password": { "sensitive": true, "value": "…" }
  String.raw`${QUOTE}${GAP}:${GAP}\{[^{}]{0,200}?${QUOTE}(?:value|default|plaintext)${QUOTE}${GAP}:${GAP}`,
  // options.secret || '…'
  String.raw`(?:${QUOTE})?[\])]{0,2}${GAP}(?:\|\||\?\?|\bor\b)${GAP}`,
].join('|')
const QUOTED = String.raw`(?:${HANDED})${KIND}${QUOTE}([^"'\n\\${'`'}]{6,})(?=\\?["'${'`'}])`
/** A line ends; in a quoted text it only says so. */
const LINE = String.raw`(?:\r?\n|(?:\\r)?\\n)\s{0,40}`
/** `name: DB_PASSWORD`, and its value in the next line; `password: |`, and its value there. */
const NEXT_LINE = String.raw`(?:(?:${QUOTE})?,?${GAP}${LINE}(?:${QUOTE})?value(?:${QUOTE})?${GAP}:${GAP}|:${GAP}[|>][+-]?${GAP}${LINE})(?:${QUOTE})?([^\s"'\\${'`'}]{6,})`
const HANDED_VALUE = `(?:${QUOTED}|${NEXT_LINE})`
const named = withPasswords((passwords) => new RegExp(`${nameOf(passwords)}${MORE}${HANDED_VALUE}`, 'iy'))

/** Without any of these nothing is handed on. Looking for them first is many times faster than looking for names. */
const HINTS = ['("', "('", '",', "',", 'value', '||', '??', ' or ', '|\n', '>\n', '|\\n', '>\\n', '|-', '>-']

/** Masks what is handed to something that takes a secret. */
export function placedSecrets(text: string, mask: string): string {
  const handed = HINTS.some((hint) => text.includes(hint)) ? handedSecrets(text, mask) : text
  return handedToPrograms(handed, mask)
}

function handedSecrets(text: string, mask: string): string {
  let result = ''
  let done = 0
  for (const { 0: match, 1: name, 2: pair, 3: quoted, 4: below, index } of matchesAt(
    text,
    tellingPlaces(text),
    named(text),
  )) {
    const value = quoted ?? below ?? ''
    // A list such as `['password', 'address2']` looks like a pair; only names of the environment are sure to have a value.
    const strength = pair !== undefined && name !== name!.toUpperCase() ? 'weak' : strengthOf(name!)
    if (!standsAlone(text, index, name!) || !isSecretValue(value, strength, 'quoted')) continue
    const end = index + match.length
    result += text.slice(done, end - value.length) + mask
    done = end
  }
  return result + text.slice(done)
}

/** Password hashes: they can be attacked offline. */
const PASSWORD_HASH =
  /\$(?:apr1|[1567y]|2[abxy]?|gy|argon2i?d?|scrypt|pbkdf2[\w-]{0,20})\$[./A-Za-z0-9$=,+-]{20,}|SCRAM-SHA-\d{1,3}\$\d{1,7}:[A-Za-z0-9+/=]{8,64}\$[A-Za-z0-9+/=:]{20,200}|\{(?:S?SHA\d{0,3}|S?MD5|CRYPT)\}[A-Za-z0-9+/=$.]{13,}/g
/** `host:port:database:user:password`, a line each, in the file of PostgreSQL. */
const PGPASS =
  /^((?:(?=[\w.-]{0,99}[g-z])[\w.-]{1,100}|\*|\d{1,3}(?:\.\d{1,3}){3}):(?:\d{4,5}|\*):[\w.*-]{1,64}:(?=[\w.*@-]{0,64}[a-z*])[\w.*@-]{1,64}:)([^\s:]\S{3,})$/gim

/** `name:500:<LM hash>:<NT hash>:::`, as tools that read Windows' accounts print them. */
const ACCOUNT_HASHES = /^([^\s:]{1,64}:\d{1,10}:)[0-9a-f]{32}:[0-9a-f]{32}(?=:)/gim
/** What a mail server is answered when it asks for the password, which it does in base64. */
const MAIL_LOGIN = /(\b334[ \t]UGFzc3dvcmQ6\s{1,4}(?:[A-Z]:[ \t]?)?)[A-Za-z0-9+/]{4,200}={0,2}/g

/** Masks passwords in files and dialogues that are made for them. */
export function keptPasswords(text: string, mask: string): string {
  const masked = text.includes('$') || text.includes('{') ? text.replace(PASSWORD_HASH, mask) : text
  return masked.replace(PGPASS, `$1${mask}`).replace(ACCOUNT_HASHES, `$1${mask}`).replace(MAIL_LOGIN, `$1${mask}`)
}
