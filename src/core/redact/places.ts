import { KIND, QUOTE } from './assignments.ts'
import { MORE, NAME, standsAlone, strengthOf } from './names.ts'
import { isSecretValue, isToldValue } from './values.ts'

/** Secrets that are known by the call, the statement or the command they are handed to. */

const GAP = String.raw`[ \t]{0,8}`
const HANDED = [
  // setPassword("…")
  String.raw`\(\s{0,8}`,
  // define('DB_PASSWORD', '…'), getenv("API_KEY", "…"), key="Password" value="…"
  String.raw`(${QUOTE}(?:${GAP},\s{0,12}|[ \t]{1,8}value${GAP}[=:]${GAP}))`,
  // "name": "API_TOKEN", "value": "…"
  String.raw`${QUOTE},\s{0,12}${QUOTE}value${QUOTE}${GAP}:${GAP}`,
  // options.secret || '…'
  String.raw`(?:${QUOTE})?[\])]{0,2}${GAP}(?:\|\||\?\?|\bor\b)${GAP}`,
].join('|')
const QUOTED = String.raw`(?:${HANDED})${KIND}${QUOTE}([^"'\n\\${'`'}]{6,})(?=\\?["'${'`'}])`
/** A line ends; in a quoted text it only says so. */
const LINE = String.raw`(?:\r?\n|(?:\\r)?\\n)\s{0,40}`
/** `name: DB_PASSWORD`, and its value in the next line; `password: |`, and its value there. */
const NEXT_LINE = String.raw`(?:(?:${QUOTE})?,?${GAP}${LINE}(?:${QUOTE})?value(?:${QUOTE})?${GAP}:${GAP}|:${GAP}[|>][+-]?${GAP}${LINE})(?:${QUOTE})?([^\s"'\\${'`'}]{6,})`
const NAMED = new RegExp(`${NAME}${MORE}(?:${QUOTED}|${NEXT_LINE})`, 'gi')

/** Without any of these nothing is handed on. Looking for them first is many times faster than looking for names. */
const HINTS = ['("', "('", '",', "',", 'value', '||', '??', ' or ', '|\n', '>\n', '|\\n', '>\\n', '|-', '>-']

/** Masks what is handed to something that takes a secret. */
export function placedSecrets(text: string, mask: string): string {
  const handed = HINTS.some((hint) => text.includes(hint)) ? handedSecrets(text, mask) : text
  return PROGRAMS.reduce((rest, { words, taken, mustShow }) => {
    if (!words.some((word) => rest.includes(word))) return rest
    const isOne = (value: string) =>
      mustShow ? isToldValue(value, 'strong') : isSecretValue(value, 'strong', 'variable')
    return rest.replace(taken, (match, head: string, value: string) => (isOne(value) ? head + mask : match))
  }, handed)
}

function handedSecrets(text: string, mask: string): string {
  return text.replace(
    NAMED,
    (match, name: string, pair?: string, quoted?: string, below?: string, at = 0, whole = '') => {
      const value = quoted ?? below ?? ''
      // A list such as `['password', 'address2']` looks like a pair; only names of the environment are sure to have a value.
      const strength = pair !== undefined && name !== name.toUpperCase() ? 'weak' : strengthOf(name)
      if (!standsAlone(whole, at, name) || !isSecretValue(value, strength, 'quoted')) return match
      return match.slice(0, match.length - value.length) + mask
    },
  )
}

/** What a system keeps of a password; whoever has it can try passwords until one fits. */
const PASSWORD_HASH =
  /\$(?:apr1|[1567y]|2[abxy]?|gy|argon2i?d?|scrypt|pbkdf2[\w-]{0,20})\$[./A-Za-z0-9$=,+-]{20,}|\{(?:S?SHA\d{0,3}|S?MD5|CRYPT)\}[A-Za-z0-9+/=$.]{13,}/g
/** `host:port:database:user:password`, a line each, in the file of PostgreSQL. */
const PGPASS =
  /^((?:(?=[\w.-]{0,99}[g-z])[\w.-]{1,100}|\*|\d{1,3}(?:\.\d{1,3}){3}):(?:\d{4,5}|\*):[\w.*-]{1,64}:[\w.*@-]{1,64}:)(\S{4,})$/gim

/** Masks passwords in files that are made for them. */
export function keptPasswords(text: string, mask: string): string {
  const masked = text.includes('$') || text.includes('{') ? text.replace(PASSWORD_HASH, mask) : text
  return masked.replace(PGPASS, `$1${mask}`)
}

/** What takes a secret in a way of its own, and the words that tell of it. */
const PROGRAMS: { words: string[]; taken: RegExp; mustShow?: true }[] = [
  {
    words: ['PASSWORD', 'password', 'IDENTIFIED', 'identified'],
    taken:
      /(\b(?:password[ \t]{1,4}'|identified(?: with \S{1,40})? by(?: password)?[ \t]{1,4}["']?))([^\s"';,)]{4,})/gi,
  },
  { words: ['SecureString'], taken: /(\bConvertTo-SecureString[ \t]+(?:-String[ \t]+)?["'])([^\s"']{4,})/g },
  {
    words: ['requirepass', 'masterauth', 'bindpw', 'rootpw'],
    taken: /(\b(?:requirepass|masterauth|bindpw|rootpw)[ \t]+["']?)([^\s"']{4,})/g,
  },
  // setenv ADMIN_PW …, aws configure set aws_secret_access_key …, npm config set //host/:_authToken …
  {
    words: ['setenv ', ' set '],
    taken:
      /(\b(?:setenv|(?:configure|config)[ \t]+set)[ \t]+[\w.:/@-]{0,100}(?:pw|pass|password|secret|token|key)[ \t]+["']?)([^\s"']{4,})/gi,
  },
  // ENV DB_PASSWORD …, #define WIFI_PASSWORD "…"
  {
    words: ['ENV ', 'define'],
    taken: /((?:^ENV|#[ \t]*define)[ \t]+\w{0,60}(?:PW|PASS|PASSWORD|SECRET|TOKEN|KEY)[ \t]+["']?)([^\s"'=]{4,})/gm,
  },
  // sqlcmd -U sa -P …, twine upload -u bot -p …
  {
    words: [' -u ', ' -U '],
    // Many take no password there, but ask for it.
    mustShow: true,
    taken: /([ \t]-[uU][ \t]+[\w.@\\-]{1,64}[ \t][^\n]{0,60}?-[pP][ \t]+["']?)((?![\d.:]+[\s"'])[^\s"'/]{6,})/g,
  },
  {
    words: ['login(', 'logIn(', 'bcrypt.'],
    taken:
      /(\b(?:log[iI]n\(\s{0,8}["'][^"'\n]{1,64}["'],\s{0,8}|bcrypt\.(?:hash|compare)(?:Sync)?\(\s{0,8})["'])([^\s"']{6,})(?=["'])/g,
  },
  // DriverManager.getConnection("jdbc:…", "scott", "…"), new PDO('mysql:…', 'root', '…'), mysqli_connect("db", "app", "…")
  {
    words: ['onnect', 'WiFi.begin', 'PDO(', 'mysqli(', 'redential(', 'redentials(', 'uthentication(', 'asicAuth'],
    mustShow: true,
    taken:
      /(\b\w{0,30}(?:[cC]onnect(?:ion)?|WiFi\.begin|PDO|mysqli|[cC]redentials?|Authentication|[bB]asicAuth)\(\s{0,8}(?:["'][^"'\n]{1,200}["'],\s{0,8}){1,3}["'])([^\s"']{6,})(?=["'])/g,
  },
  // expect "password:" and, in the next line, send "…"
  {
    words: ['send'],
    taken: /(assw(?:or)?d[^\n]{0,40}\n?[^\n]{0,40}\bsend(?:line)?[ \t(]{1,4}(?:--[ \t]+)?["'])([^\s"'\\]{4,})/g,
  },
  { words: ['secret set'], taken: /(\bsecret set[ \t]+\w{1,60}[ \t]+(?:--body|-b)[ =]["']?)([^\s"']{4,})/g },
  // echo … | sudo -S, echo … | docker login --password-stdin, printf … | wrangler secret put API_KEY
  {
    words: ['echo', 'printf'],
    taken:
      /(\b(?:echo|printf)[ \t]+(?:-n[ \t]+)?["']?)([^\s"'|]{4,200})(?=["']?[ \t]*\|[ \t]*(?:sudo[ \t][^\n]{0,20}?-\w{0,5}S\b|[^\n|]{0,60}(?:passw|token|secret|login|\bpw\b)))/g,
  },
  {
    words: ['<<<'],
    taken: /((?:PASS|pass|token|TOKEN|secret|SECRET|login)[\w-]{0,20}[ \t]*<<<[ \t]*["']?)([^\s"']{4,})/g,
  },
  { words: ['net user'], taken: /(\bnet user[ \t]+[^\s/]{1,40}[ \t]+)([^\s/][^\s]{5,})/gi },
  { words: ['openssl'], taken: /(\bopenssl\b[^\n]{0,80}?[ \t]-k[ \t]+["']?)([^\s"']{4,})/g },
  { words: ['-setcookie'], taken: /(-setcookie[ \t]+["']?)([^\s"']{4,})/g },
  // http -a bob:…, stats auth admin:…, login=bob:…, lftp -u bob,…
  {
    words: ['auth ', 'login=', ' -a ', ' -u ', '--auth'],
    mustShow: true,
    taken: /((?:[ \t]-[aui][ \t]+|\bauth[ =]|\blogin=)["']?[\w.@\\-]{1,64}[:,])([^\s"'/:,]{6,})/g,
  },
  { words: ['net use'], taken: /(\bnet use\b[^\n]{0,80}?[ \t])([^\s/]\S{5,})(?=[ \t]+\/user:)/gi },
  {
    words: ['auth(', 'Auth(', 'auth=', 'auth:', 'auth ='],
    taken: /(auth[ \t]?(?:[=:][ \t]?)?[([]\s{0,8}["'][^"'\n]{1,64}["'],\s{0,8}(?:Some\()?["'])([^\s"']{4,})(?=["'])/gi,
  },
  {
    words: ['mac', 'jwt', 'Mac'],
    taken:
      /(\b(?:createHmac|jwt\.(?:sign|verify|encode|decode)|hmac\.new)\([^,()\n]{1,80},\s{0,8}["'])([^\s"']{8,})(?=["'])/g,
  },
  { words: ['zip -', 'zip x'], taken: /(\b(?:un)?zip\b[^\n]{0,60}?[ \t]-P[ \t]*)([^\s"']{4,})/g },
  { words: ['7z '], taken: /(\b7z[ \t][^\n]{0,60}?[ \t]-p)([^\s"']{4,})/g },
  { words: ['smbclient', 'rpcclient'], taken: /(client\b[^\n]{0,80}?-U[ \t]*["']?[\w.\\-]{1,40}%)([^\s"']{4,})/g },
  { words: ['chpasswd'], taken: /(\becho[ \t]+["']?[\w.-]{1,32}:)([^\s"'|]{4,})(?=["']?[ \t]*\|[^\n]{0,20}chpasswd)/g },
  { words: ['chpasswd'], taken: /(\bchpasswd[ \t]*<<<[ \t]*["']?[\w.-]{1,32}:)([^\s"'|]{4,})/g },
  { words: ['htpasswd'], taken: /(\bhtpasswd[ \t]+-(?=\w*b)\w+[ \t]+(?:[^\s"']+[ \t]+){1,2}["']?)([^\s"']{4,})/g },
  { words: ['pass:'], taken: /([ \t]-pass(?:in|out)?[ \t]+["']?pass:)([^\s"']{4,})/g },
]
