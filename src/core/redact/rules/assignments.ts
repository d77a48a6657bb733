import {
  isAbout,
  MORE,
  NAME,
  nameOf,
  type Strength,
  standsAlone,
  strengthOf,
  tellingPlaces,
  withPasswords,
} from '../names.ts'
import { matchesAt, replaceAt } from '../openings.ts'
import { randomness } from '../randomness.ts'
import { type How, isChosen, isSecretValue, isUnmistakable, isWordWithNumber, looksDrawn } from '../values.ts'

/** Secrets that stand behind a name such as `password`: in code, configuration, environment, flags, queries and sentences. */

/** A text inside a text has its quotes escaped, once for each text around it. */
export const QUOTE = '\\\\{0,7}["\'`]'
/** Some languages put a letter before a text to say of what kind it is. */
export const KIND = '(?:[bfru]{1,2}|@)?'
/** What takes a text and is still that text: `String("…")`, `SecretStr('…')`, `Buffer.from("…"`. */
const WRAPPED =
  '(?:(?:new[ \\t]|&)?(?:[\\w.:]{0,30}(?:from|fromhex|fromHex|FromHexString|hexToBytes|DecodeString|decodeHex|[gG]etBytes|of|valueOf|encode|decode|b64decode|unhexlify|literal)|(?:[\\w.]{0,20}\\.)?(?:String|str|SecretStr|Secret|Some|Just|Ok|bytes|Bytes|SecureString|Sensitive|\\[\\]byte))\\([ \\t]{0,4})?'
/** `is`, in the languages of the names above. */
const IS = '(?:is now|is|was|lautet|ist|est|es|è|é|är|je|jest|là|to)'
/** Where no spaces stand between words. */
const IS_JOINED = '(?:是|为|為|は|が|는|은)'
/** `: &str =`, `: string =`. */
const TYPE = String.raw`:[ \t]{0,4}&?[\w.<>]{1,30}[ \t]{0,4}=`
const SEPARATOR = String.raw`[ \t]{0,8}(?:(=>|:=|(?:\|\||\?\??|\+)?={1,3}|${TYPE}|[:：](?!\/\/)|->|→|>|${IS_JOINED}[:：]?|${IS}[ \t:])[ \t]{0,8}(?:\\\n[ \t]{0,40})?(?:!!str[ \t]{1,4}|q[qw]?[{(])?|(?=(?<=[ \t])${QUOTE}))`

const TOLD = new RegExp(`^(?:${IS_JOINED}|${IS}|->|→)`, 'i')

/** A name and what leads from it to a value: `password: `, `apiKey => `, `<secret>`, `?token=`, "the password is ". */
const assigned = withPasswords(
  (passwords) =>
    new RegExp(
      String.raw`${nameOf(passwords)}${MORE}(?:${QUOTE})?[\])]{0,2}[?!]?${SEPARATOR}(?:${KIND}${WRAPPED}${KIND}(${QUOTE})|(?=[^\s"',;&<>(){}[\]|\\${'`'}]{4}))`,
      'iy',
    ),
)
/** `DB_PASSWORD=…`: in an environment the value goes on to the next space, whatever it is made of. */
const VARIABLE = new RegExp(
  `(?<![a-z])${NAME.toUpperCase().slice(0, -1)}|(?<=_)PAT)[A-Z0-9_]{0,20}=([^\\s"'\`]{4,})`,
  'y',
)
/** `--password …`, `-storepass …`. */
const FLAG = new RegExp(
  String.raw`(?<![\w-])--?[\w-]{0,20}(password|passwd|passphrase|pass|storepass|keypass|secret|token|api-?key|auth-?key|access-key|private-key)(?:-key)?[ \t]+(?:\\\n[ \t]{0,40})?(?:${QUOTE})?((?!(?:env|file|fd|pass):)[^\s"'\\${'`'}]{4,})`,
  'gi',
)

/** What stands in a usage for what is to be given: `[--password PASSWORD]`, `--secret id=NAME[,src=PATH]`. */
const IN_USAGE = /^(?:[a-z]{1,10}=)?[A-Z][A-Z_-]{1,30}(?:[\])>|,.:[]|$)/

/** `token-…` as part of a path or a name. */
const JOINED = /(?<![A-Za-z])((token|secret|passw(?:or)?d|api[_-]?key|key)[-_])([A-Za-z0-9]{10,})(?![\w-])/iy

/** Masks values that are assigned to secret names. */
export function assignedSecrets(text: string, mask: string): string {
  const variables = replaceAt(text, tellingPlaces(text), VARIABLE, ({ 0: match, 1: name, 2: value, index }) =>
    isAbout(text, index + name!.length) ? match : masked(match, value!, mask, strengthOf(name!), 'variable'),
  )
  const joined = replaceAt(variables, tellingPlaces(variables), JOINED, ({ 0: match, 1: head, 2: name, 3: value }) => {
    const isDrawn = isChosen(value!) && randomness(value!) > (value!.length < 16 ? 0.5 : 0.3)
    return isDrawn || (strengthOf(name!) === 'strong' && looksDrawn(value!)) ? head + mask : match
  })
  const flags = mayHaveFlag(joined)
    ? joined.replace(FLAG, (match, _, value: string) =>
        IN_USAGE.test(value) ? match : masked(match, value, mask, 'strong', 'variable'),
      )
    : joined
  return namedValues(flags, mask)
}

/** So much of an option's name may stand before the word that tells. */
const BEFORE_FLAG = 30

function mayHaveFlag(text: string): boolean {
  return tellingPlaces(text).some((at) => text.slice(Math.max(0, at - BEFORE_FLAG), at).includes('-'))
}

function namedValues(text: string, mask: string): string {
  let result = ''
  let done = 0
  for (const { 0: head, 1: name, 2: separator = '', 3: quote, index } of matchesAt(
    text,
    tellingPlaces(text),
    assigned(text),
  )) {
    const from = index + head.length
    if (index < done || !standsAlone(text, index, name!)) continue
    const value = quote === undefined ? bareValue(text, from, separator) : quotedValue(text, from, quote)
    const how =
      quote !== undefined ? 'quoted' : TOLD.test(separator) ? 'told' : inQuery(text, index) ? 'variable' : 'bare'
    if (quote === undefined && isCode(text, from + value.length, value)) continue
    if (isVerb(text, index, name!) && !isUnmistakable(value) && (separator === '' || !isPersonal(value))) continue
    if (!isSecretValue(value, strengthOf(name!), how)) continue
    result += text.slice(done, from) + mask
    done = from + value.length
  }
  return result + text.slice(done)
}

const LONGEST = 4096

/** Up to a quote like the one that opened it; one that is escaped more often belongs to the value. */
export function quotedValue(text: string, from: number, quote: string): string {
  const sign = quote.at(-1)!
  const rest = text.slice(from, from + LONGEST)
  let escapes = 0
  for (let at = 0; at < rest.length; at++) {
    const char = rest[at]!
    if (char === '\n') return rest.slice(0, at)
    if (char === sign && escapes <= quote.length - 1) return rest.slice(0, at - escapes)
    escapes = char === '\\' ? escapes + 1 : 0
  }
  return rest
}

const JOINS = new RegExp(`^${IS_JOINED}`)
const PLAIN = /^[^\u3000-\u9fff\uac00-\uffef]+/
/** An ampersand ends a value where another one follows, as in a query. */
const BARE = /^(?:[^\s"',;&<>(){}[\]|\\`]|&(?![\w.%-]{1,40}=|&|amp;|\s))+/

/** Up to what ends a value in code, or in a language without spaces the word that follows. */
function bareValue(text: string, from: number, separator: string): string {
  const bare = BARE.exec(text.slice(from, from + LONGEST))?.[0] ?? ''
  const own = /^[\x21-\x7e]/.test(bare) || JOINS.test(separator) ? (PLAIN.exec(bare)?.[0] ?? '') : bare
  return own.replace(TOLD.test(separator) ? /(?<![.!?])[.!?]+$/ : /\.$/, '')
}

/** `password: get()` and `secret = !x` are code. */
function isCode(text: string, end: number, bare: string): boolean {
  return (/^[!?]|^@[\w.-]+(?:[:/]|$)/.test(bare) && !isUnmistakable(bare)) || text[end] === '('
}

/** What hardly counts tests: `ginger6329`, `Rocket50!`, thirty-two hexadecimal digits. */
function isPersonal(value: string): boolean {
  if (/^(?:[A-Z][a-z]+)+\d{0,2}$/.test(value)) return false
  return isChosen(value) || isWordWithNumber(value) || (value.length >= 16 && looksDrawn(value))
}

/** Tests pass too; only at the end of a name is it short for `password`. */
function isVerb(text: string, index: number, name: string): boolean {
  if (!/^pass$/i.test(name) || /[A-Za-z_-]/.test(text[index - 1] ?? ' ')) return false
  // `pass=…` at the beginning of a line is a setting.
  return (
    !/^pass[=:]/i.test(text.slice(index, index + 5)) ||
    !/(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, index - 20), index))
  )
}

/** In a query of a server, or an option of a command, stands a value, never a name in code. */
function inQuery(text: string, offset: number): boolean {
  return /(?:[?&]|[ \t]--[a-z-]{1,20}=)[\w.-]{0,20}$/.test(text.slice(Math.max(0, offset - 43), offset))
}

function masked(match: string, value: string, mask: string, strength: Strength, how: How): string {
  if (!isSecretValue(value, strength, how)) return match
  const at = match.lastIndexOf(value)
  return match.slice(0, at) + mask + match.slice(at + value.length)
}
