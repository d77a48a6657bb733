import type { Strength } from './names.ts'
import { ordinaryShare } from './ordinary-words.ts'
import { randomness } from './randomness.ts'

/** What a value looks like that stands where a secret would: chosen by a person, drawn by a machine, or no secret at all. */

/** Where a value stands: between quotes, bare in code, in a variable or an option, or in a sentence. */
export type How = 'quoted' | 'bare' | 'variable' | 'told'

export const PLACEHOLDER =
  /^(?:(?:x+|\*+|[•●·∙]+|\.+|-+|_+|#+|n\/a|null|nil|none|true|false|undefined|(?:string|number|boolean|int|id|float)!?|any|unknown|required|optional|empty|todo|tbd|redacted|hidden|masked|secret|password|passwd|pass|admin|root|env|default|bearer|basic|disabled|enabled)|(?:token|key|value|foo|bar|baz|test|testing|user|dummy|example|sample|placeholder|changeme|change[_-]me)\d{0,3}|0x[0-9a-f]{1,8}|(?:0x)?0{6,128})$/i
/** Code, a reference, a template, a named number (`rounds=12`) or a list of alternatives (`required|string|min:8`) instead of a value. */
const EXPRESSION =
  /^(?:process|import|config|cfg|conf|env|this|self|settings|options|opts|args|params|props|req|request|ctx|state|vars?|local|module|data|secrets|os|event)\b[?!]?\.[a-zA-Z_]|^[A-Za-z_$][\w$]*(?:[?!]?\.[\w$]+){0,4}[?!]?\.\w{0,20}(?:[Pp]ass(?:[Ww]ord|wd|[Pp]hrase)?|[Pp]wd|[Ss]ecret|[Tt]oken|[Kk]ey)!?$|^[a-z]+(?:_[a-z\d]+)+\.[\w-]+(?:\.[\w-]+)+$|^[$%@&!#]?[{(<[]|^\.[*+]|^@[\w./-]{1,60}\.[a-z]{2,5}$|^\$[A-Za-z_]|\$\{|\{\{|^%{1,2}(?:[a-z]{2,10}\()?[\w:]+\)?%{1,2}$|^@{1,2}[\w.-]+@{1,2}$|^[a-z_]{3,20}(?::[\w,]{1,20})?(?:\|[a-z_]{3,20}(?::[\w,]{1,20})?){1,8}$|^[A-Za-z_]{3,40}=\d{1,5}$/
/** What is called, what it is given, and the rest: `env(DB_PASSWORD)`. */
const CALL = /^([\w$.:>-]*)\(([^()]*)(\)?;?$)?/

/** `getenv("TOKEN")`, `hash(value)`: a call. A password may only have such signs among its own: `Haus(tier)`, `Wald(ohr)eule1`. */
export function isCall(value: string): boolean {
  const [call, name, given, end] = CALL.exec(value) ?? []
  if (call === undefined) return false
  if (/^["'`$]|^[A-Z\d_]*$/.test(given!) && !/^[A-Z][a-z]+$/.test(name!)) return true
  return end !== undefined && ordinaryShare(value) !== 'none'
}

/** Code, a reference or a template in place of a value. */
export function isExpression(value: string): boolean {
  return EXPRESSION.test(value) || isCall(value)
}

/** `config.db.password`. */
export const MEMBER = /^[A-Za-z_$][\w$]*(?:[?!]?\.[A-Za-z_$][\w$]*)+!?$/
/** A value that talks about itself: the name of a field, or a hint at what belongs here. */
export const SELF_NAMED =
  /^(?=[A-Za-z_.-]+\d?$).*(?:pass|secret|token|key)|^[\w.-]*(?:password|secret|token|key)$|your[_-]|(?:insert|put|enter)[_-][a-z_-]+[_-]here$|[-_]here$|redacted|example|change[_-]?(?:me|this|it)(?![_-][A-Za-z]{0,8}\d)|replace[_-]|placeholder|xxxx|\.\.\./i
/** Words with numbers that name a type, a format or a method. */
export const TERM =
  /^(?:u?int\d+|i\d+|u\d+|f\d+|base\d+|(?:hmac-?)?sha-?\d+|hmac|scram-sha-\d+|md\d|utf-?\d+|oauth\d?|aes-?\d\w*(?:-\w+)?|chacha20(?:-\w+)?|[hre]s\d{3}|argon2\w*|pbkdf2|bcrypt|scrypt|v\d+|http\d?|ipv\d|x\d+|p\d{3}|ed25519|x25519|rsa\d*|rsassa-[\w-]+|rsa-(?:pss|oaep)[\w-]*|a\d{3}(?:kw|gcm|gcmkw|cbc-hs\d{3})|rfc-?\d{3,5}|(?:big)?u?int\d+(?:clamped)?array)$/i

/** Whether a value that stands where a secret would is one. */
export function isSecretValue(value: string, strength: Strength, how: How): boolean {
  if (value.length < (strength === 'strong' ? 6 : 10) || /\s|\[redacted/.test(value)) return false
  if (isMotley(value)) return true
  if (PLACEHOLDER.test(value) || isExpression(value) || SELF_NAMED.test(value) || TERM.test(value)) return false
  if (/^(?:[a-z]+:)?\/\/|^(?:\.{0,2}|~)\/[\w.-]+(?:\/|$)/i.test(value)) return false
  if (looksDrawn(value)) return true
  if (isChosen(value) && (how === 'variable' || hasSign(value) || randomness(value) > 0.3)) return true
  if (strength === 'weak' || (MEMBER.test(value) && !(how === 'quoted' && /\d/.test(value)))) return false
  if (
    how === 'variable' ||
    isMixed(value, how === 'quoted' ? { length: 8, random: 0.1 } : { length: 10, random: 0.35 })
  )
    return true
  if (/^\d+$/.test(value)) return how === 'quoted'
  if (/^[\d/.,:%-]+$|^![a-z]+$/.test(value)) return false
  if (isJumbled(value)) return true
  // Where values are not marked as such, `Uint8Array` and `newPassword` are names, and `30days` is a measure.
  if (how !== 'quoted' && /^[A-Z][a-z]+\d+[A-Z]\w*$|^\d+[a-z]{1,4}$/.test(value)) return false
  return /\d|[^\p{L}\d_.:/-]/u.test(value)
}

/** Whether a word of a sentence, some words behind one that announces a secret, is it. */
export function isToldValue(value: string, strength: Strength): boolean {
  if (value.length < 8 || value.length > 200 || isNoSecret(value)) return false
  if (MEMBER.test(value) && !/[=+]$/.test(value)) return false
  if (looksDrawn(value)) return true
  if (strength === 'weak') return false
  if (isJumbled(value) || isPassphrase(value) || isAppPassword(value) || isWordy(value)) return true
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false
  return hasSign(value) || (isChosen(value) && randomness(value) > 0.3)
}

/** Letters with digits or signs, where hardly anything but a password is expected: behind `-u bob -p`, behind "the password is". */
export function isLikely(value: string): boolean {
  if (!/^[\x21-\x7e\p{Script=Latin}]{6,200}$/u.test(value) || isNoSecret(value)) return false
  if (MEMBER.test(value) && !/\d/.test(value)) return false
  if (isPassphrase(value) || isAppPassword(value) || looksDrawn(value)) return true
  // `30days` is a measure, `user12` and `db1` are names with a number.
  if (!/\p{L}/u.test(value) || /^\d+[a-z]{1,8}$|^[a-z]{1,4}\d$|^[a-z]+(?:[-_.][a-z]+)*[-_.]v?\d{1,2}$/i.test(value))
    return false
  return /\d/.test(value) || (hasSign(value.slice(1)) && isChosen(value))
}

/** A word and a number as people put them together: `walnut3482`, `Badger_9248bu`, `12Falcon.Walnut7`. Names of things look alike. */
export function isWordWithNumber(value: string): boolean {
  return (
    /^(?:\d{1,4}(?=[A-Z]))?(?:[A-Za-z][a-z]{2,11}[._-]?){1,3}\d{1,5}[A-Za-z]{0,3}[!?*._-]?$/.test(value) &&
    /\d{3}|^\d+[A-Z]/.test(value)
  )
}

/** Four groups of four letters, as some sites hand out one password for each program: `nchp-dsyq-wgxa-pogy`. */
export function isAppPassword(value: string): boolean {
  return /^[a-z]{4}(?:[- ][a-z]{4}){3}$/.test(value) && randomness(value.replace(/[- ]/g, '')) > 0
}

/** Three words or more with a number among them, as people are told to choose: `raven-quartz-352-comet`. */
export function isPassphrase(value: string): boolean {
  const parts = value.split(/[-_.]/)
  const words = parts.filter((part) => /^[A-Za-z]{3,12}$/.test(part))
  return words.length >= 3 && parts.length - words.length === 1 && parts.some((part) => /^\d{2,4}$/.test(part))
}

/** Words with capitals and a number behind them, as people choose them: `MapleStone7562`. Types and places look alike. */
export function isWordy(value: string): boolean {
  return /^(?:[A-Z][a-z]{2,11}){2,4}\d{2,4}$/.test(value)
}

/** A value that hardly is anything else than a password or a key, wherever it stands near a name for one. */
export function isUnmistakable(value: string): boolean {
  if (value.length < 8 || value.length > 200 || isNoSecret(value)) return false
  if (isPassphrase(value)) return true
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value) || MEMBER.test(value)) return false
  // A sign in front alone is the code's: `*argument`, `~module`, `+option`.
  if (hasSign(value.slice(1))) return /^[\w!@#$%^*?+~&.-]+$/.test(value) && !/^(\W+)\w[\w.-]*\1$/.test(value)
  return value.length >= 14 && /^[A-Za-z0-9_+/=-]+$/.test(value) && isChosen(value) && looksDrawn(value)
}

/** What hardly is a name, whatever option it stands behind. */
export function isShown(value: string): boolean {
  return (
    isUnmistakable(value) ||
    isPassphrase(value) ||
    isWordy(value) ||
    (isChosen(value) && looksDrawn(value)) ||
    isAppPassword(value)
  )
}

/** One question after the other is asked about the same value. */
let asked = { value: '', isNone: false }

/** Ids, dates, paths and addresses; placeholders, code and the names of things. */
function isNoSecret(value: string): boolean {
  if (value !== asked.value) asked = { value, isNone: NO_SECRETS.some((shape) => shape.test(value)) || isCall(value) }
  return asked.isNone
}

/** Capitals where no word begins: `GaYWiUMItah`. Names have words of some letters between them, or an abbreviation. */
function isJumbled(value: string): boolean {
  const letters = value.replace(/\d{1,4}$/, '')
  if (letters.length < 10 || !/^[A-Za-z]+$/.test(letters) || !/[a-z]/.test(letters)) return false
  const words = letters.split(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
  return words.length >= 3 && words.filter((word) => /^[A-Z]?[a-z]{2,}$/.test(word)).length * 2 <= words.length
}

function hasSign(value: string): boolean {
  return /[!@#$%^*?+~]/.test(value)
}

/** Made as people are told to make passwords: long enough, of small and capital letters, digits or signs. */
export function isChosen(value: string): boolean {
  if (value.length < 8) return false
  const kinds =
    Number(/[a-z]/.test(value)) + Number(/[A-Z]/.test(value)) + Number(/\d/.test(value)) + Number(hasSign(value))
  return kinds >= 3
}

/** Ids, dates, versions, paths and files. */
const NO_PASSWORD =
  /^[0-9a-f]{8}-[0-9a-f]{4}-|^v?\d+[.:-][QW]?\d|^(?:\.{0,2}|~)\/|^@|^[\w-]+(?:\/[\w.-]+)*\.[a-z]{1,5}$|^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$|^\w+:\/\//i
const ADDRESS = /^[a-z][a-z0-9._-]*@[a-z][a-z0-9.-]*$/
const NO_SECRETS = [NO_PASSWORD, ADDRESS, PLACEHOLDER, EXPRESSION, SELF_NAMED, TERM]

const LONG = { length: 16, random: -0.15 }

/** Letters alone may be a name; behind a word such as `secret`, those of a long one must at least read like one. */
function isMixed(value: string, least: typeof LONG): boolean {
  const reads = value.length >= LONG.length ? LONG.random : least.random
  return value.length >= least.length && /[a-z]/.test(value) && /[A-Z]/.test(value) && randomness(value) > reads
}

/** Random enough for a value that stands where a secret would stand. */
export function looksDrawn(value: string): boolean {
  // Forty capital digits are the fingerprint of a public key.
  if (/^[0-9A-F]{40}$/.test(value)) return false
  if (/^[0-9a-f]{20,}$/i.test(value) || /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)) return true
  const drawn = value.replace(/%[0-9A-F]{2}/g, '')
  if (drawn.length < 12 || !/[A-Za-z]/.test(drawn)) return false
  return randomness(drawn) > (/\d/.test(drawn) ? 0.15 : 0.35)
}

/** Of everything a little, as generators of passwords make them; patterns and templates look alike. */
export function isMotley(value: string): boolean {
  if (value.length < 16 || /^[\^$]|\$[{(]|\{\{|[a-z0-9]-[z9]/i.test(value) || !/\d/.test(value) || !/[a-z]/.test(value))
    return false
  // Some generators draw small letters only, and many signs.
  return new Set(value.match(/[!@#$%^*()+{}|<>~]/g)).size > (/[A-Z]/.test(value) ? 2 : value.length < 24 ? 99 : 5)
}
