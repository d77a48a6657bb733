import { isExpression, PLACEHOLDER } from '../values.ts'

/** Passwords in files, exports and dialogues that are made to keep or hand them over: whatever stands around them, they are secret. */

/** Password hashes: they can be attacked offline. */
const PASSWORD_HASH =
  /\$(?:apr1|[1567y]|2[abxy]?|gy|argon2i?d?|scrypt|pbkdf2[\w-]{0,20})\$[./A-Za-z0-9$=,+-]{20,}|SCRAM-SHA-\d{1,3}\$\d{1,7}:[A-Za-z0-9+/=]{8,64}\$[A-Za-z0-9+/=:]{20,200}|\{(?:S?SHA\d{0,3}|S?MD5|CRYPT)\}[A-Za-z0-9+/=$.]{13,}/g
/** `host:port:database:user:password`, a line each, in the file of PostgreSQL. */
const PGPASS =
  /^((?:(?=[\w.-]{0,99}[g-z])[\w.-]{1,100}|\*|\d{1,3}(?:\.\d{1,3}){3}):(?:\d{4,5}|\*):[\w.*-]{1,64}:(?=[\w.*@-]{0,64}[a-z*])[\w.*@-]{1,64}:)([^\s:]\S{3,})$/gim

/** `name:500:<LM hash>:<NT hash>:::`, as tools that read Windows' accounts print them. */
const ACCOUNT_HASHES = /^([^\s:]{1,64}:\d{1,10}:)[0-9a-f]{32}:[0-9a-f]{32}(?=:)/gim
/** What a mail server is answered when it asks for the password, which it does in base64. */
const MAIL_LOGIN = /(\b334[ \t]UGFzc3dvcmQ6\s{1,4}(?:[A-Z]:[ \t]?)?)[A-Za-z0-9+/]{4,200}={0,2}(?![ \t]?[\w+/])/g

/** What a recorded connection is read with, as browsers and libraries log it: a label, the connection's number, its secret. */
const KEY_LOG =
  /^([ \t]{0,8}(?:CLIENT_RANDOM|(?:CLIENT_EARLY|(?:CLIENT|SERVER)_HANDSHAKE)_TRAFFIC_SECRET|(?:CLIENT|SERVER)_TRAFFIC_SECRET_\d{1,3}|(?:EARLY_)?EXPORTER_SECRET)[ \t]+[0-9a-f]{64}[ \t]+)[0-9a-f]{64,128}/gim
/** A name and its value as PHP stores them, each with its length. */
const SERIALIZED =
  /(\bs:\d{1,3}:\\?"[\w.*\0-]{0,40}(?:password|passwd|pass|pwd|secret|token|api_?key)\\?";s:\d{1,4}:\\?")([^"\\\n]{4,400})(?=\\?";)/gi
/** Two colons in an export of a directory: the value is in base64. */
const OF_DIRECTORY =
  /^([ \t]{0,8}[\w-]{0,40}(?:password|pwd|secret)[\w-]{0,20}::[ \t]{1,4})[A-Za-z0-9+/]{4,400}={0,2}(?=\s|$)/gim
/** `<Password>`, and below it, or in the same line, `<Value>…`. */
const ELEMENT = /(<\w{0,30}(?:password|secret)>\s{0,40}<(?:plain)?value>)([^\s<>]{4,200})(?=<\/)/gi
/** `user server secret addresses`, a line each, in the files of dial-up servers. */
const DIAL_UP =
  /((?:^|["'])[ \t]{0,8}"?[\w.@\\*-]{1,64}"?[ \t]{1,20}(?:\*|[\w.-]{1,40})[ \t]{1,20}"?)([^\s"'*#$<]{4,128})(?="?[ \t]{1,20}(?:\*|\d{1,3}(?:\.\d{1,3}){3}))/gm
/** `login=name:password` among the options of a line, as proxies know each other. */
const LOGIN_OPTION = /((?:^|[ \t])login=[\w.@*\\-]{1,64}:)([^\s:/"']{4,128})(?=\s|$)/gm
/** `--passphrase "some words"`; a hint at what belongs there says so. */
const OPTION_WORDS =
  /([ \t]--(?:passphrase|password)[ =]["'])(?!(?:[^"'\n]{0,60}[ ])?(?:your|my|the|password|passphrase|here|enter|secret)\b)([^"'\n$<>{}%\\`]{3,60} [^"'\n$<>{}%\\`]{3,60})(?=["'])/gi

/** Masks passwords in files and dialogues that are made for them. */
export function keptPasswords(text: string, mask: string): string {
  const masked = text.includes('$') || text.includes('{') ? text.replace(PASSWORD_HASH, mask) : text
  const unlessNone = (match: string, head: string, value: string) =>
    PLACEHOLDER.test(value) || isExpression(value) || value.includes(mask) ? match : head + mask
  const rest = masked
    .replace(PGPASS, `$1${mask}`)
    .replace(ACCOUNT_HASHES, `$1${mask}`)
    .replace(MAIL_LOGIN, `$1${mask}`)
    .replace(KEY_LOG, `$1${mask}`)
    .replace(SERIALIZED, unlessNone)
    .replace(ELEMENT, unlessNone)
    .replace(LOGIN_OPTION, unlessNone)
    .replace(OPTION_WORDS, unlessNone)
  const exported = rest.includes('::') ? rest.replace(OF_DIRECTORY, `$1${mask}`) : rest
  return /\b(?:ch|p)ap-secrets\b/.test(exported) ? exported.replace(DIAL_UP, unlessNone) : exported
}
