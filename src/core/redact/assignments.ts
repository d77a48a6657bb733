import { randomness } from './randomness.ts'

/** Secrets that are known by where they stand: in a URL, in a header, or behind a name such as `password`. */

export const QUOTE = '\\\\?["\'`]'
/** Some languages put a letter before a text to say of what kind it is. */
export const KIND = '(?:[bfru]{1,2}|@)?'
/** The names that announce a secret, and what may follow them inside one name. */
export const NAME =
  '(pass(?:word|wd|[ _-]?phrase|code|wort|ord)|pass|pwd|pw|psk|kennwort|mot de passe|contrase[nñ]a|senha|wachtwoord|has[lł]o|l[oö]senord(?:et)?|heslo|parola|adgangskode|salasana|şifre|mật khẩu|kata sandi|пароль|密码|密碼|口令|パスワード|비밀번호|암호|secret|token|токен|トークン|토큰|api[ _-]?key|credentials?|signature|sig|auth|key' +
  '|(?:access|private|signing|encryption|master|account|service|webhook|license)[ _-]?key)'
export const MORE = String.raw`(?:[_-]?(?:key|access|base|value|hash|prod|production|dev|test|staging|live|old|new|root|admin|user|b64|base64|\d{1,3})){0,3}`
/** `is`, in the languages of the names above. */
const IS = '(?:is now|is|was|lautet|ist|est|es|è|é|är|je|jest|là|to|是|为|は|는|은)'
/** `: &str =`, `: string =`. */
const TYPE = String.raw`:[ \t]{0,4}&?[\w.<>]{1,30}[ \t]{0,4}=`
const SEPARATOR = String.raw`[ \t]{0,8}(=>|:=|={1,3}|${TYPE}|[:：](?!\/\/)|->|→|>|${IS}[ \t:])[ \t]{0,8}(?:!!str[ \t]{1,4})?`

const TOLD = new RegExp(`^(?:${IS}|->|→)`, 'i')

/** `password: "…"`, `apiKey => '…'`, `<secret>…`, `?token=…`, "the password is …". */
const ASSIGNMENT = new RegExp(
  String.raw`${NAME}${MORE}(?:${QUOTE})?\]?\??${SEPARATOR}(?:${KIND}(${QUOTE})([^"'\n\\${'`'}]+)|([^\s"',;&<>(){}[\]|\\${'`'}]{4,}))`,
  'gi',
)
/** `DB_PASSWORD=…`: in an environment the value goes on to the next space, whatever it is made of. */
const VARIABLE = new RegExp(
  `(?<![a-z])${NAME.toUpperCase().slice(0, -1)}|(?<=_)PAT)[A-Z0-9_]{0,20}=([^\\s"'\`]{4,})`,
  'g',
)
/** `--password …`, `-storepass …`. */
const FLAG = new RegExp(
  String.raw`(?<![\w-])--?[\w-]{0,20}(password|passwd|passphrase|storepass|keypass|secret|token|api-?key|access-key|private-key)(?:-key)?[ \t]+(?:${QUOTE})?([^\s"'\\${'`'}]{4,})`,
  'gi',
)

/** `token-…` as part of a path or a name. */
const JOINED = /(?<![A-Za-z])((token|secret|passw(?:or)?d|api[_-]?key|key)[-_])([A-Za-z0-9]{10,})(?![\w-])/gi

/** Something of every name above. Most texts have none, and to get the patterns ready takes longer than this look. */
const MAY_NAME =
  /pass|pw|psk|kennwort|zugangsdaten|contrase|senha|wachtwoord|has[lł]|l[oö]senord|hesl|parola|şifre|jelszó|salasana|adgangskode|khẩu|sandi|токен|口令|トークン|キー|토큰|парол|密[码碼]|パスワード|비밀번호|암호|clave|clé|chiave|schlüssel|ключ|cred|login|_pat|secret|token|key|credential|sig|auth/i

/** Whether the text has a word that announces a secret at all. */
export function mayName(text: string): boolean {
  return MAY_NAME.test(text)
}

/** Masks values that are assigned to secret names: in code, configuration, environment, flags, queries and sentences. */
export function assignedSecrets(text: string, mask: string): string {
  return text
    .replace(VARIABLE, (match, name: string, value: string) => masked(match, value, mask, strengthOf(name), 'variable'))
    .replace(JOINED, (match, head: string, name: string, value: string) => {
      const isDrawn = isChosen(value) && randomness(value) > (value.length < 16 ? 0.5 : 0.3)
      return isDrawn || (strengthOf(name) === 'strong' && looksDrawn(value)) ? head + mask : match
    })
    .replace(FLAG, (match, _, value: string) => masked(match, value, mask, 'strong', 'variable'))
    .replace(
      ASSIGNMENT,
      (
        match,
        name: string,
        separator: string,
        quote: string,
        quoted: string,
        bare: string,
        offset: number,
        whole: string,
      ) => {
        if (!standsAlone(whole, offset, name)) return match
        if (quote) return masked(match, quoted, mask, strengthOf(name), 'quoted')
        // Tests pass too, and `password: get()` or `secret = !x` are code.
        if (
          (/^pass$/i.test(name) && !isChosen(bare) && !looksDrawn(bare)) ||
          bare.startsWith('!') ||
          whole[offset + match.length] === '('
        )
          return match
        const how = TOLD.test(separator) ? 'told' : inQuery(whole, offset) ? 'variable' : 'bare'
        return masked(
          match,
          bare.replace(how === 'told' ? /(?<![.!?])[.!?]+$/ : /\.$/, ''),
          mask,
          strengthOf(name),
          how,
        )
      },
    )
}

/** In a query of a server, or an option of a command, stands a value, never a name in code. */
function inQuery(text: string, offset: number): boolean {
  return /(?:[?&]|[ \t]--[a-z-]{1,20}=)[\w.-]{0,20}$/.test(text.slice(Math.max(0, offset - 43), offset))
}

/** How surely a name announces a secret. */
export type Strength = 'strong' | 'weak'
type How = 'quoted' | 'bare' | 'variable' | 'told'

function masked(match: string, value: string, mask: string, strength: Strength, how: How): string {
  if (!isSecretValue(value, strength, how)) return match
  const at = match.lastIndexOf(value)
  return match.slice(0, at) + mask + match.slice(at + value.length)
}

/** `password` and `secret` mean a secret; `token`, `key` and `auth` mean many things, so their values must look like one. */
export function strengthOf(name: string): Strength {
  return /^(?:token|key|auth|sig|signature|credentials?|service|webhook|license)/i.test(name) ? 'weak' : 'strong'
}

/** `compass`, `monkey` and `author` are no secrets; `dbPassword`, `DB_PASSWORD` and `dbpassword` are. */
export function standsAlone(text: string, offset: number, name: string): boolean {
  const before = text[offset - 1] ?? ' '
  if (
    /^key$/i.test(name) &&
    /(?:public|cache|sort|primary|foreign|partition|storage|query)[ _-]?$/i.test(
      text.slice(Math.max(0, offset - 10), offset),
    )
  )
    return false
  if (!/[A-Za-z]/.test(before)) return true
  const isHump = /[a-z]/.test(before) && /^[A-Z]/.test(name)
  return (
    isHump ||
    (name.length > 4 && !/^(?:pass|pw|key|auth|sig)$/i.test(name) && /[a-z]/.test(before) === /^[a-z]/.test(name))
  )
}

const PLACEHOLDER =
  /^(?:(?:x+|\*+|\.+|-+|_+|#+|n\/a|null|nil|none|true|false|undefined|string|number|boolean|any|unknown|required|optional|empty|todo|tbd|redacted|hidden|masked|secret|password|passwd|pass|admin|root|env|default|bearer|basic|disabled|enabled)|(?:token|key|value|foo|bar|baz|test|testing|user|dummy|example|sample|placeholder|changeme|change[_-]me)\d{0,3}|0x[0-9a-f]{1,8})$/i
/** Code, a reference or a template instead of a value. */
const EXPRESSION = /^[$%@&!]?[{(<[]|^\$[A-Za-z_]|^[\w$.]*[(]|\$\{|\{\{|^%\w+%$/
/** `config.db.password`. */
const MEMBER = /^[\w$]+(?:[?!]?\.[A-Za-z_$][\w$]*)+$/
/** A value that talks about itself: the name of a field, or a hint at what belongs here. */
const SELF_NAMED =
  /^(?=[A-Za-z_.-]+\d?$).*(?:pass|secret|token|key)|^[\w.-]*(?:password|secret|token|key)$|your[_-]|example|changeme|xxxx|\.\.\./i
/** Words with numbers that name a type, a format or a method. */
const TERM =
  /^(?:u?int\d+|i\d+|u\d+|f\d+|base\d+|sha-?\d+|md\d|utf-?\d+|oauth\d?|aes-?\d\w*|[hre]s\d{3}|argon2\w*|pbkdf2|bcrypt|scrypt|v\d+|http\d?|ipv\d|x\d+|p\d{3}|ed25519|x25519|rsa\d*)$/i

/** Whether a value that stands where a secret would is one. */
export function isSecretValue(value: string, strength: Strength, how: How): boolean {
  if (value.length < (strength === 'strong' ? 6 : 10) || /\s|\[redacted/.test(value)) return false
  if (isMotley(value)) return true
  if (PLACEHOLDER.test(value) || EXPRESSION.test(value) || SELF_NAMED.test(value) || TERM.test(value)) return false
  if (/^(?:[a-z]+:)?\/\/|^(?:\.{0,2}|~)\/[\w.-]+(?:\/|$)/i.test(value)) return false
  if (looksDrawn(value)) return true
  if (isChosen(value) && (how === 'variable' || hasSign(value) || randomness(value) > 0.3)) return true
  if (strength === 'weak' || MEMBER.test(value)) return false
  if (
    how === 'variable' ||
    isMixed(value, how === 'quoted' ? { length: 8, random: 0.1 } : { length: 10, random: 0.35 })
  )
    return true
  if (/^\d+$/.test(value)) return how === 'quoted'
  if (isJumbled(value)) return true
  // Where values are not marked as such, `Uint8Array` and `newPassword` are names, and `30days` is a measure.
  if (how !== 'quoted' && /^[A-Z][a-z]+\d+[A-Z]\w*$|^\d+[a-z]{1,4}$/.test(value)) return false
  return /\d|[^\p{L}\d_.:/-]/u.test(value)
}

/** Whether a word of a sentence, some words behind one that announces a secret, is it. */
export function isToldValue(value: string, strength: Strength): boolean {
  if (value.length < 8 || value.length > 200 || NO_PASSWORD.test(value)) return false
  if (PLACEHOLDER.test(value) || EXPRESSION.test(value) || SELF_NAMED.test(value) || TERM.test(value)) return false
  if (MEMBER.test(value) && !/[=+]$/.test(value)) return false
  if (looksDrawn(value)) return true
  if (strength === 'weak') return false
  if (isJumbled(value)) return true
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false
  return hasSign(value) || (isChosen(value) && randomness(value) > 0.3)
}

/** Capitals where no word begins: `GaYWiUMItah`. Names have words of some letters between them, or an abbreviation. */
function isJumbled(value: string): boolean {
  if (value.length < 10 || !/^[A-Za-z]+$/.test(value) || !/[a-z]/.test(value)) return false
  const words = value.split(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
  return words.length >= 3 && words.filter((word) => /^[A-Z]?[a-z]{2,}$/.test(word)).length * 2 <= words.length
}

function hasSign(value: string): boolean {
  return /[!@#$%^*?+~]/.test(value)
}

/** Made as people are told to make passwords: long enough, of small and capital letters, digits or signs. */
function isChosen(value: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[!@#$%^*?+~]/].filter((kind) => kind.test(value))
  return value.length >= 8 && kinds.length >= 3
}

/** Ids, dates, versions, paths and files. */
const NO_PASSWORD =
  /^[0-9a-f]{8}-[0-9a-f]{4}-|^v?\d+[.:-]\d|^(?:\.{0,2}|~)\/|^@|^[\w-]+(?:\/[\w.-]+)*\.[a-z]{1,5}$|^[\w.-]+@[\w.-]+$|^\w+:\/\//i

const LONG = { length: 16, random: -0.15 }

/** Letters alone may be a name; behind a word such as `secret`, those of a long one must at least read like one. */
function isMixed(value: string, least: typeof LONG): boolean {
  const reads = value.length >= LONG.length ? LONG.random : least.random
  return value.length >= least.length && /[a-z]/.test(value) && /[A-Z]/.test(value) && randomness(value) > reads
}

/** Random enough for a value that stands where a secret would stand. */
function looksDrawn(value: string): boolean {
  // Forty capital digits are the fingerprint of a public key.
  if (/^[0-9A-F]{40}$/.test(value)) return false
  if (/^[0-9a-f]{20,}$/i.test(value) || /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)) return true
  const drawn = value.replace(/%[0-9A-F]{2}/g, '')
  if (drawn.length < 12 || !/[A-Za-z]/.test(drawn)) return false
  return randomness(drawn) > (/\d/.test(drawn) ? 0.15 : 0.35)
}

/** Of everything a little, as generators of passwords make them; patterns and templates look alike. */
function isMotley(value: string): boolean {
  if (
    value.length < 16 ||
    /^[\^$]|\$[{(]|\{\{|[a-z0-9]-[z9]/i.test(value) ||
    !/\d/.test(value) ||
    !/[a-z]/.test(value) ||
    !/[A-Z]/.test(value)
  )
    return false
  return new Set(value.match(/[!@#$%^*()+{}|<>~]/g)).size > 2
}

const URL_USER = /:\/\/([^\s:@/?#"'<>`]{0,128}):([^\s/?#"'<>`]{4,256})@(?=[\w.[-])/g
const URL_TOKEN = /:\/\/([^\s:@/?#"'<>`]{20,256})@(?=[\w.[-])/g
const AUTHORIZATION =
  /\b(authorization(?:\\?["'])?[ \t]{0,4}[:=,][ \t]{0,4}(?:[a-z]?\\?["'`])?(?:(?:bearer|basic|token|apikey|bot|negotiate)[ \t]+)?)([^\s"'`,;\\]{8,})/gi
const BEARER = /\b(bearer[ \t]+)([A-Za-z0-9._~+/=-]{16,})/gi
const LOGIN = /(\s(?:-u|--user)[ =]["']?[^\s:"']{1,64}:)([^\s"']{4,})/g
const NETRC = /(\blogin[ \t]+\S{1,64}\s{1,8}password[ \t]+)(\S{4,})/g
const SHELL_LOGIN =
  /(\b(?:sshpass|(?:docker|podman|oc|az|skopeo|buildah|helm registry) login)\b[^\n]{0,80}?[ \t]-p[ \t]*["']?)([^\s"']{4,})/g
/** Some programs take the password right behind the letter, others only after a space. */
/** `app:…@tcp(db:3306)`, `app:…@db:5432`. */
const DSN = /(?<![\w.:/@-])([\w.-]{1,64}:)([^\s:@/"'`]{6,128})@(?=(?:tcp|unix)\(|[\w.-]{1,100}:\d{2,5}(?!\d))/g
const DATABASE_LOGIN =
  /(\b(?:(?:mysql|mariadb|mysqldump|mysqladmin)\b[^\n]{0,80}?[ \t]-p["']?|(?:redis-cli\b[^\n]{0,80}?[ \t]-a|(?:mongosh?|mongodump|mongorestore)\b[^\n]{0,80}?[ \t]-p|ldap\w+\b[^\n]{0,80}?[ \t]-w)[ \t]+["']?))([^\s"']{4,})/g
/** The words that a wallet can be restored from. */
const SEED_WORDS =
  /(\b(?:mnemonic|(?:seed|recovery|backup)[ _-]?(?:phrase|words))\b["']?[ \t]*(?:[:=]|is)[ \t]*["']?)((?:[a-z]{3,8}[ \t]+){11,23}[a-z]{3,8})/gi
const COOKIES = /((?:\bcookie["']?:|[ \t]--cookie[ =]|\bcurl\b[^\n]{0,80}?[ \t]-b)[ \t]*["']?)([^\n"']{1,2000})/gi

/** Masks credentials in URLs, headers, cookies and the options of common commands. */
export function credentials(text: string, mask: string): string {
  const keep = (value: string) =>
    EXPRESSION.test(value) ||
    (MEMBER.test(value) && !looksDrawn(value)) ||
    PLACEHOLDER.test(value) ||
    SELF_NAMED.test(value) ||
    value.includes(mask)
  const unlessKept = (match: string, head: string, value: string) => (keep(value) ? match : head + mask)
  return text
    .replace(URL_USER, (match, user: string, pass: string) =>
      isVariable(pass) || PLACEHOLDER.test(pass) ? match : `://${user}:${mask}@`,
    )
    .replace(DSN, (match, user: string, pass: string) => (keep(pass) ? match : `${user}${mask}@`))
    .replace(URL_TOKEN, (match, token: string) => (/\d/.test(token) && !isVariable(token) ? `://${mask}@` : match))
    .replace(AUTHORIZATION, (match, head: string, value: string) =>
      /[\d=]/.test(value) || looksDrawn(value) ? unlessKept(match, head, value) : match,
    )
    .replace(BEARER, (match, head: string, value: string) =>
      looksDrawn(value) ? unlessKept(match, head, value) : match,
    )
    .replace(LOGIN, (match, head: string, value: string) =>
      /^\d+$/.test(value) ? match : unlessKept(match, head, value),
    )
    .replace(NETRC, unlessKept)
    .replace(SHELL_LOGIN, unlessKept)
    .replace(DATABASE_LOGIN, unlessKept)
    .replace(SEED_WORDS, (_, head: string) => head + mask)
    .replace(
      COOKIES,
      (_, head: string, body: string) =>
        head +
        body.replace(/=([^;\s]{8,})/g, (pair, value: string) =>
          looksDrawn(value) || isChosen(value) ? `=${mask}` : pair,
        ),
    )
}

function isVariable(value: string): boolean {
  return /^\$|^[<{%*]|\[redacted|^x+$/i.test(value)
}
