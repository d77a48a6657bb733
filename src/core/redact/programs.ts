import { replaceOnLines } from './lines.ts'
import {
  isChosen,
  isLikely,
  isPassphrase,
  isSecretValue,
  isUnmistakable,
  isWordWithNumber,
  isWordy,
  looksDrawn,
} from './values.ts'

/** Commands, statements and lines of configuration that take a secret in a way of their own. */

interface Program {
  /** One of them stands in every line that is worth a look, or in every text. */
  words: string[]
  /** What leads to the secret, and the secret. */
  taken: RegExp
  /** What the value must be, where something else may stand in its place. */
  must?: (value: string) => boolean
  /** Its words may stand in another line than the secret. */
  isFar?: true
}

/** Masks what is handed to programs. */
export function handedToPrograms(text: string, mask: string): string {
  const found = wordsFound(text)
  return PROGRAMS.reduce((rest, { words, taken, must = isTaken, isFar }) => {
    if (!words.some((word) => found.has(word))) return rest
    const replace = (part: string) =>
      part.replace(taken, (match, head: string, value: string) =>
        !value.includes(mask) && must(value) ? head + mask + match.slice(head.length + value.length) : match,
      )
    return isFar || !isOfOneLine(taken)
      ? replace(rest)
      : replaceOnLines(rest, linesWith(words, rest, taken.flags.includes('i') ? undefined : found), replace)
  }, text)
}

/** Where the words stand, once in a line: those that were found, or any in small and capital letters. */
function linesWith(words: readonly string[], text: string, found: ReadonlySet<string> | undefined): number[] {
  const read = found ? text : lowered(text)
  const places: number[] = []
  for (const word of words) {
    if (found && !found.has(word)) continue
    const sought = found ? word : word.toLowerCase()
    for (let at = read.indexOf(sought); at >= 0; ) {
      places.push(at)
      const end = read.indexOf('\n', at)
      at = end < 0 ? -1 : read.indexOf(sought, end)
    }
  }
  return places.sort((a, b) => a - b)
}

/** One program after the other asks for the same text. */
let last = { text: '', lower: '' }

/** In small letters, each at its place. */
function lowered(text: string): string {
  if (text !== last.text) {
    const lower = text.toLowerCase()
    // A few letters become two.
    last = { text, lower: lower.length === text.length ? lower : text.replace(/[A-Z]+/g, (each) => each.toLowerCase()) }
  }
  return last.lower
}

/** Whether nothing that fits goes on behind the end of a line: outside of what must not be, no part of it takes one. */
function isOfOneLine(taken: RegExp): boolean {
  let isOne = OF_ONE_LINE.get(taken)
  if (isOne === undefined) {
    const classes = taken.source.match(CLASS) ?? []
    isOne =
      !/\\s|\\n|\\W|\\D/.test(taken.source.replace(CLASS, '')) &&
      classes.every((each) => each.startsWith('[^') === /\\s|\\n/.test(each))
    OF_ONE_LINE.set(taken, isOne)
  }
  return isOne
}

const OF_ONE_LINE = new Map<RegExp, boolean>()
const CLASS = /\[(?:\\.|[^\]\\]){1,60}\]/g

/**
 * The words of the programs that stand in a text. It is read once for all of them: at each place only the words are tried
 * that begin with the two characters there.
 */
function wordsFound(text: string): Set<string> {
  const found = new Set(SINGLE.filter((word) => text.includes(word)))
  let before = NOT_ASCII
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const group = before < NOT_ASCII && code < NOT_ASCII ? GROUP_OF[before * NOT_ASCII + code]! : 0
    before = code
    if (group === 0) continue
    for (const word of GROUPS[group]!) if (!found.has(word) && text.startsWith(word, at - 1)) found.add(word)
  }
  return found
}

function isTaken(value: string): boolean {
  return isSecretValue(value, 'strong', 'variable')
}

function isShown(value: string): boolean {
  return (
    (isChosen(value) && looksDrawn(value)) ||
    isUnmistakable(value) ||
    isPassphrase(value) ||
    isWordy(value) ||
    isWordWithNumber(value)
  )
}

function isPin(value: string): boolean {
  return /^\d/.test(value)
}

/** Where one of these leads, a secret is written to a file, or read by a program that opens something with it. */
const OPENS = String.raw`(?:cryptsetup|luks\w+|gpg|ssh-add|vault|kinit|passwd|smbpasswd|openssl|age|wpa_passphrase|security|gh|bw|op|pass|su|vncpasswd|keytool|secret-tool|realm|adcli|bitlocker)\b`

const PROGRAMS: Program[] = [
  {
    words: ['PASSWORD', 'password', 'IDENTIFIED', 'identified'],
    taken:
      /(\b(?:password[ \t]{1,4}'|identified(?: with \S{1,40})? by(?: password)?[ \t]{1,4}["']?))([^\s"';,)]{4,})/gi,
  },
  { words: ['SecureString'], taken: /(\bConvertTo-SecureString[ \t]+(?:-String[ \t]+)?["'])([^\s"']{4,})/g },
  {
    words: ['requirepass', 'masterauth', 'bindpw', 'rootpw'],
    taken: /(\b(?:requirepass|masterauth|bindpw|rootpw)[ \t]+["']?)((?!--)[^\s"']{4,})/g,
  },
  // setenv ADMIN_PW …, aws configure set aws_secret_access_key …, npm config set //host/:_authToken …
  {
    words: ['setenv ', ' set ', 'set -'],
    taken:
      /(\b(?:setenv|set[ \t]+-\w{1,3}|(?:configure|config)[ \t]+set)[ \t]+[\w.:/@-]{0,100}(?:pw|pass|password|secret|token|key)[ \t]+["']?)([^\s"']{4,})/gi,
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
    must: isLikely,
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
    must: isLikely,
    taken:
      /(\b\w{0,30}(?:[cC]onnect(?:ion)?|WiFi\.begin|PDO|mysqli|[cC]redentials?|Authentication|[bB]asicAuth\w{0,20})\(\s{0,8}(?:(?:["'][^"'\n]{1,200}["']|[\w.]{1,40}),\s{0,8}){1,3}["'])([^\s"']{6,})(?=["'])/g,
  },
  // cy.get('#password').type('…')
  {
    words: ['.type(', '.fill(', 'sendKeys(', 'send_keys(', '.setValue(', '.val('],
    must: isLikely,
    taken:
      /((?:assw(?:or)?d|pwd|ecret|oken)[^\n]{0,60}\.(?:type|fill|sendKeys|send_keys|setValue|val)\([ \t]{0,4}["'])([^\s"']{6,})(?=["'])/g,
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
    words: ['auth', 'login=', ' -a ', ' -u ', ' -i '],
    must: isLikely,
    taken: /((?:[ \t]-[aui][ \t]+|\bauth\w{0,8}[ =]|\blogin=)["']?[\w.@\\-]{1,64}[:,])([^\s"'/:,]{6,})/g,
  },
  // bw login bob@host 'some words 12'
  {
    words: ['login', 'unlock', 'signin'],
    must: (value) => !/[$%\\]/.test(value),
    taken:
      /(^[ \t$#>]{0,6}(?:bw|rbw|op|lpass|keepassxc-cli|pass-cli|vault)[ \t]+(?:login|unlock|signin)(?:[ \t]+[\w.@:/-]{1,64}){0,2}[ \t]+["'])([^"'\n]{6,90})(?=["'])/gm,
  },
  { words: ['net use'], taken: /(\bnet use\b[^\n]{0,80}?[ \t])([^\s/\\]\S{5,})(?=[ \t]+\/user:)/gi },
  { words: ['net use'], taken: /(\bnet use\b[^\n]{0,120}?\/user:\S{1,60}[ \t]+)([^\s/]\S{4,})/gi },
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
  { words: ['lftp'], taken: /(\blftp[ \t][^\n]{0,40}?-u[ \t]+[\w.@-]{1,64},)([^\s"']{4,})/g },
  { words: [']:'], taken: /(^\[[\w.-]{1,100}\]:\d{2,5}[ \t]+[\w.@+-]{1,64}:)([^\s"':]{4,})/gm },
  { words: ['%'], taken: /([ \t]-U[ \t]*["']?[\w.\\-]{1,40}%)([^\s"']{4,})/g },
  { words: ['chpasswd'], taken: /(\becho[ \t]+["']?[\w.-]{1,32}:)([^\s"'|]{4,})(?=["']?[ \t]*\|[^\n]{0,20}chpasswd)/g },
  { words: ['chpasswd'], taken: /(\bchpasswd[ \t]*<<<[ \t]*["']?[\w.-]{1,32}:)([^\s"'|]{4,})/g },
  { words: ['htpasswd'], taken: /(\bhtpasswd[ \t]+-(?=\w*b)\w+[ \t]+(?:[^\s"']+[ \t]+){1,2}["']?)([^\s"']{4,})/g },
  { words: ['pass:'], taken: /([ \t]-pass(?:in|out)?[ \t]+["']?pass:)([^\s"']{4,})/g },
  // sqlplus scott/…@db, jdbc:oracle:thin:scott/…@db, app/…@//db:1521/X
  {
    words: ['sqlplus', 'sqlldr', 'impdp', 'expdp', 'rman', 'exp ', 'imp ', 'oracle:', 'conn', 'CONN', 'sqlcl'],
    taken:
      /((?:\b(?:sqlplus|sqlldr|sqlcl|impdp|expdp|rman|exp|imp|conn(?:ect)?)\b[^\n@]{0,60}?[ \t]|oracle:\w{2,6}:)["']?(?:userid=|target )?[\w.$#]{1,64}\/)([^\s"'@/]{4,128})(?=@|["';\s]|$)/gi,
  },
  {
    words: ['@//', ':1521'],
    must: isLikely,
    taken: /((?<![\w.$#/])[\w.$#]{1,64}\/)([^\s"'@/]{4,128})(?=@(?:\/\/|[\w.-]{1,100}:1521))/g,
  },
  {
    words: ['@ORCL', '@XE', '@PROD', '@TEST', '@DEV', '@DB'],
    taken: /((?<![\w.$#/@-])[A-Za-z][\w$#]{1,30}\/)([^\s"'@/]{6,64})(?=@[A-Z][A-Z0-9_]{2,30}(?![\w.@/-]))/g,
  },
  // net use Z: \\nas\share … /user:bob, xfreerdp /u:bob /p:…, schtasks /ru bob /rp …
  {
    words: ['/p:', '/rp', '/pass', '/pw'],
    must: isLikely,
    taken: /([ \t]\/(?:p:|rp[ \t]|pass(?:word)?[:= \t]|pw[:= \t])["']?)([^\s"'/=]{5,})(?!=)/g,
  },
  {
    words: ['/user:'],
    must: isLikely,
    taken: /(\bnet use\b[^\n]{0,80}?[ \t])([^\s/\\:][^\s\\:]{5,})(?=[ \t]+\/user:)/gi,
  },
  // … add_user worker …, wpa_passphrase Home …, composer config http-basic.host bob …, mc alias set nas http://… key …
  {
    words: [
      'wpa_passphrase',
      'add_user',
      'change_password',
      'http-basic',
      'smbpasswd',
      'mosquitto_passwd',
      'alias set',
      'adduser',
      'useradd',
    ],
    taken:
      /(\b(?:wpa_passphrase|\w{0,30}ctl[ \t]{1,4}(?:add_user|change_password)|smbpasswd|mosquitto_passwd[ \t]{1,4}-b[ \t]{1,4}\S{1,100}|config[ \t]{1,4}(?:-[\w-]{1,20}[ \t]{1,4}){0,3}(?:set[ \t]{1,4})?http-basic\.\S{1,100}|alias set[ \t]{1,4}\S{1,60}[ \t]{1,4}\S{1,200})[ \t]{1,4}(?:"[^"\n]{1,64}"|'[^'\n]{1,64}'|[\w.@-]{1,64})[ \t]{1,4}["']?)([^\s"']{5,})/g,
  },
  // bundle config gems.host bob:…, [smtp.host]:587 bob:…, root:… below chpasswd
  {
    words: ['bundle', ']:', 'chpasswd', 'curlftpfs', 'user:pass', 'creds', 'log in', 'login', 'auth'],
    must: isLikely,
    taken:
      /((?:\bbundle config[^\n]{0,60}?[ \t][\w.-]{1,100}[ \t]+|^\[[\w.-]{1,100}\]:\d{2,5}[ \t]+|\bchpasswd:\s{1,8}\{?(?:list:[ \t]*[|>]?-?\s{1,12}|users:\s{1,12}-[ \t])(?:- )?|\bcurlftpfs[ \t]+|\b(?:creds|use|credentials?|log ?in|auth)(?: are| is| with| as|:)?[ \t]+)["'`]?[\w.@+-]{1,64}:)([^\s"'`@/:][^\s"'`@/:]{5,})/gim,
  },
  // PASS … and LOGIN … of mail, chat and file servers; AUTH of Redis
  {
    words: ['PASS ', 'AUTH ', 'LOGIN ', 'IDENTIFY ', 'auth '],
    must: isLikely,
    taken:
      /((?:^|[>\n\r]|\\n)[ \t]*(?:PASS|AUTH(?:[ \t]+\w{1,30})?|\w{1,6}[ \t]+LOGIN[ \t]+["']?[\w.@+-]{1,64}["']?|\/msg NickServ IDENTIFY(?:[ \t]+\w{1,30}(?=[ \t]+\S))?)[ \t]+["']?)([^\s"'\\]{6,})/g,
  },
  { words: ['SETUSER'], must: isLikely, taken: /(\bSETUSER\b[^\n]{0,60}?[ \t]["']?>)([^\s"']{4,})/g },
  // openssl enc -K …, snmpwalk -c …, security -w …, kadmin -w …
  { words: ['openssl'], taken: /(\bopenssl\b[^\n]{0,80}?[ \t]-(?:K|hmac|macopt key:)[ \t]+["']?)([^\s"']{8,})/g },
  {
    words: ['snmp', 'community'],
    must: isLikely,
    taken:
      /(\b(?:snmp(?:walk|get|set|bulkwalk|getnext|table)\b[^\n]{0,80}?[ \t]-[cAX][ \t]*|snmp-server community[ \t]+|(?:ro|rw)community6?[ \t]+)["']?)([^\s"']{5,})/g,
  },
  { words: ['snmp'], must: isLikely, taken: /(\bsnmp\w{1,12}\b[^\n]{0,120}?[ \t]-X[ \t]*["']?)([^\s"']{5,})/g },
  // kubectl create secret generic db --from-literal=pin=…
  {
    words: ['secret generic'],
    isFar: true,
    must: isLikely,
    taken: /(--from-literal[= ]["']?[\w.-]{1,60}=["']?)([^\s"']{4,})/g,
  },
  {
    words: [' -w '],
    must: isLikely,
    taken: /(\b(?:security|kadmin|ldap\w+|smb\w+|net)\b[^\n]{0,80}?[ \t]-w[ \t]+["']?)([^\s"']{5,})/g,
  },
  // password 7 …, secret 5 …, key-string …, rootpw --plaintext …
  {
    words: ['password', 'secret', 'rootpw', 'key', 'psk', 'community'],
    must: (value) => isLikely(value) || isChosen(value) || /^[0-9A-F]{10,}$/.test(value),
    taken:
      /((?:\brootpw[ \t]+(?:--\w{1,12}[ \t]+){1,2}|-server[^\n]{0,40}[ \t]key[ \t]+|^[ \t]{0,8}(?:[\w.-]{1,30}[ \t]+){0,4}(?:[\w-]{0,20}(?:password|secret|-key|psk|community)|key-string|set-key|authentication pre-share key)[ \t]+(?:(?:\d|ascii|md5|hex|text|encrypted)[ \t]+){0,3})["']?)([^\s"'{[(=:][^\s"'{[(=]{5,})$/gm,
  },
  {
    words: ['isakmp', 'PRAGMA', 'pragma', 'ATTACH'],
    must: isLikely,
    taken:
      /(\b(?:isakmp key[ \t]+|pragma[ \t]+(?:hex|re)?key[ \t]*=[ \t]*["'x]{1,2}|attach\b[^\n]{0,100}[ \t]key[ \t]+['"]))([^\s"']{5,})/gi,
  },
  { words: ['code='], must: looksDrawn, taken: /([?&]code=)([\w./~%-]{16,})/g },
  { words: ['login='], must: looksDrawn, taken: /([ \t]-D[\w.]{0,40}login=)([^\s"']{16,})/g },
  // echo … > ~/.vault_pass, echo … | cryptsetup luksOpen, cryptsetup … <<< …
  {
    words: ['echo', 'printf'],
    must: isLikely,
    taken:
      /(\b(?:echo|printf)[ \t]+(?:-\w[ \t]+|["']%s(?:\\n)?["'][ \t]+)?["']?)([^\s"'|>]{6,200})(?=["']?[ \t]*(?:>{1,2}|\|[ \t]*(?:sudo[ \t]+)?tee)[ \t]*[^\s|;&]{0,120}(?:pass|secret|token|cred|\bkey\b|_key|htpasswd|pw\b))/gi,
  },
  {
    words: ['echo', 'printf'],
    must: isLikely,
    taken: new RegExp(
      String.raw`(\b(?:echo|printf)[ \t]+(?:-\w[ \t]+|["']%s(?:\\n)?["'][ \t]+)?["']?)([^\s"'|>]{6,200})(?=["']?[ \t]*\|[ \t]*(?:sudo[ \t]+)?${OPENS})`,
      'g',
    ),
  },
  // echo -n "some words" | cryptsetup luksOpen
  {
    words: ['echo', 'printf'],
    must: (value) => !/[$%\\]/.test(value),
    taken: new RegExp(
      String.raw`(\b(?:echo|printf)[ \t]+(?:-\w[ \t]+)?["'])([^"'\n|]{6,90})(?=["'][ \t]*\|[ \t]*(?:sudo[ \t]+)?${OPENS})`,
      'g',
    ),
  },
  {
    words: ['<<<'],
    must: isLikely,
    taken: new RegExp(String.raw`(\b${OPENS}[^\n|;]{0,100}<<<[ \t]*["']?)([^\s"']{6,})`, 'g'),
  },
  {
    words: ['<<'],
    must: isLikely,
    taken:
      /(>{1,2}[ \t]*[^\s|;&<>]{0,120}(?:pass|secret|token|cred|_key|\.key)[^\s|;&<>]{0,30}[ \t]*<<-?[ \t]*["']?\w{1,20}["']?[ \t]*\n[ \t]{0,20})(\S{6,})(?=[ \t]*\n)/g,
  },
  // bw unlock …, vault login …, op signin acme bob@acme …, cargo login …, ngrok config add-authtoken …, cloudflared service install …
  {
    words: [
      'unlock',
      'signin',
      'sign-in',
      'login',
      'authtoken',
      'identify',
      'service install',
      'set-initial-password',
      'reset-admin-password',
      'authenticate',
      'http-basic',
      'pypi-token',
      'auth ',
      'token',
    ],
    must: (value) => isShown(value) || looksDrawn(value),
    taken:
      /(^[ \t$#>]{0,6}[\w./-]{1,40}(?:[ \t]+[a-z][a-z-]{0,20}){0,2}[ \t]+(?:unlock|signin|sign-in|login|(?:add-)?authtoken|identify|service install|set-initial-password|reset-admin-password|authenticate|set-token|auth|\S{0,20}token\.\S{1,40})(?:[ \t]+[\w.@:/][\w.@:/-]{0,63}(?=[ \t]+\S{8})){0,2}[ \t]+["']?)([^\s"']{8,})/gm,
  },
  // What a generator of passwords prints
  {
    words: ['openssl rand', 'pwgen', 'urandom', 'mkpasswd', 'token_hex', 'token_urlsafe', 'randomBytes'],
    must: (value) => isLikely(value) || looksDrawn(value),
    taken:
      /(^[ \t]{0,4}[$#>%][^\n]{0,80}\b(?:openssl rand|pwgen|urandom|mkpasswd|token_hex|token_urlsafe|randomBytes)\b[^\n]{0,120}\n[ \t]{0,4})([^\s"']{8,200})(?=[ \t]*(?:\n|$))/gm,
  },
  // db2 connect to X user Y using …
  { words: [' using '], must: isLikely, taken: /(\buser[ \t]+[\w.@-]{1,64}[ \t]+using[ \t]+["']?)([^\s"';]{5,})/gi },
  // pgp_sym_decrypt(payload, '…'), AES_ENCRYPT(x, '…')
  {
    words: ['crypt(', 'CRYPT('],
    must: isLikely,
    taken: /(\b\w{0,30}crypt\([^()\n,]{1,60},[ \t]{0,4}["'])([^\s"']{6,})(?=["'])/gi,
  },
  // bob : EAP "…", bob pptpd … *, {PLAIN}…, <auth-user-pass>
  {
    words: [': EAP', ': XAUTH', ': NTLM', ': PIN', ': RSA'],
    taken: /(:[ \t]{1,4}(?:EAP|XAUTH|NTLM|PIN|RSA[ \t]+\S{1,80})[ \t]+["'])([^\s"']{4,})/g,
  },
  {
    words: [' *'],
    isFar: true,
    must: isLikely,
    taken:
      /(^["']?[\w.@\\-]{1,64}["']?[ \t]+(?:\*|[\w.-]{1,40})[ \t]+["']?)([^\s"'*]{6,})(?=["']?[ \t]+(?:\*|\d{1,3}(?:\.\d{1,3}){3})[ \t]*$)/gm,
  },
  { words: ['{PLAIN}', '{CLEARTEXT}', '{CLEAR}'], taken: /(\{(?:PLAIN|CLEAR(?:TEXT)?)\})([^\s:"']{4,})/g },
  { words: ['auth-user-pass>'], taken: /(<auth-user-pass>\s{1,4}\S{1,64}\s{1,4})(\S{4,})/g },
  // <key>Password</key><string>…</string>, <Password><Value>…</Value>
  {
    words: ['assword', 'ecret', 'oken', 'pwd', 'Key</'],
    taken:
      /(<(?:key|name)>[\w .-]{0,40}(?:password|passwd|pwd|secret|token|api ?key)<\/(?:key|name)>\s{0,12}<\w{1,20}>)([^\s<]{4,})/gi,
  },
  {
    words: ['assword>', 'ecret>', 'assword ', 'ecret ', '<Pass ', '<pass '],
    must: isLikely,
    taken: /(<(?:\w{0,30}(?:password|secret)|pass)(?:>\s{0,12}<\w{1,20}|[ \t][^<>\n]{1,100})>)([^\s<]{4,})/gi,
  },
  // H=db U=app P=…
  { words: [' P=', ';P='], must: isLikely, taken: /(\bU(?:SER|ID)?=\S{1,40}[ \t;]+P=)([^\s;"']{5,})/g },
  // A webhook, a reset link, a private feed, a channel with a token in its path
  {
    words: ['hook', '/key/', 'reset', 'private', '/t/', 'invite', 'token', 'verify', 'magic', 'confirm', 'services/'],
    must: (value) => value.split('/').some((part) => part.length >= 16 && /\d/.test(part) && looksDrawn(part)),
    taken:
      /(https?:\/\/[^\s"'<>/]{3,100}(?:\/[^\s"'<>/?#]{0,80}){0,5}?\/(?:IncomingWebhook|[\w-]{0,20}hooks?|services\/\w{4,20}\/\w{4,20}|reset[\w-]{0,20}|t|invite|[\w-]{0,10}token|verify[\w-]{0,10}|magic[\w-]{0,10}|confirm[\w-]{0,10}|key|shared_invite)\/)([\w~=@/-]{16,})/gi,
  },
  { words: ['private-'], must: looksDrawn, taken: /(\/private-)([0-9a-z]{16,})/g },
  // PIN: 4821, PUK 12067073, the door code is 482910
  {
    words: [
      'PIN',
      'pin ',
      'pin:',
      'Pin',
      'PUK',
      'OTP',
      'asscode',
      ' code',
      ' Code',
      '-code',
      '-pin',
      'CVV',
      'CVC',
      'TAN',
      'ombination',
    ],
    must: isPin,
    taken:
      /(\b(?:PINs?|passcode|OTP|PUK\d?|CVV2?|CVC2?|TAN|(?:door|alarm|gate|entry|access|security|safe|lockbox|garage|unlock|keypad|verification|2fa|backup|recovery|one-time)[ -](?:pin|code|combination))(?:[ \t]{1,4}(?:[a-z]{2,12}[ \t]){0,4}?(?:is|ist|est|es|è)|[ \t]{0,4}[:=])?[ \t]{0,4}["']?)(\d{4,8})(?!\w|[.:,-]\d)/gi,
  },
  {
    words: ['asicauth ', 'asic_auth '],
    must: isLikely,
    taken: /(\bbasic_?auth[ \t]+[\w.@-]{1,64}[ \t]+["']?)([^\s"']{6,})/g,
  },
  // admin / …, root/…
  {
    words: ['admin', 'root', 'guest', 'demo', 'test', 'user', 'sa /', 'ubuntu /', 'pi /', 'postgres /'],
    must: isLikely,
    taken:
      /((?<![\w/.-])(?:admin|administrator|root|guest|demo|test|user|sa|ubuntu|pi|postgres)[ \t]\/[ \t]["'`]?)([^\s"'`/)]{6,64})/gi,
  },
  // -p … -u admin
  {
    words: [' -u ', ' -U '],
    must: isLikely,
    taken: /((?:^|[ \t])-[pP][ \t]+["']?)([^\s"'/:]{6,64})(?=["']?[ \t]+-[uU][ \t])/g,
  },
  // new SecretKeySpec("…", hmac.new(b"…", msg
  {
    words: ['SecretKeySpec(', 'hmac.new('],
    must: isLikely,
    taken: /(\b(?:SecretKeySpec|hmac\.new)\([ \t]{0,4}b?["'])([^\s"']{8,})(?=["'])/g,
  },
  // ('…' | ConvertTo-SecureString, --password-file=<(echo …), encrypt_string '…', -pw …, signtool /p …
  {
    words: ['SecureString'],
    must: isLikely,
    taken: /(["'])([^\s"']{6,})(?=["'][ \t]*\|[ \t]*ConvertTo-SecureString)/g,
  },
  {
    words: ['<(echo'],
    must: isLikely,
    taken: /((?:pass|secret|token)[\w-]{0,20}[= ]<\(echo[ \t]+["']?)([^\s"')]{6,})/g,
  },
  {
    words: ['encrypt'],
    must: isLikely,
    taken: /(\b(?:encrypt_string|travis encrypt)[ \t]+["']?)([^\s"'=-][^\s"'=]{5,})/g,
  },
  { words: ['-pw '], must: isLikely, taken: /([ \t]-pw[ \t]+["']?)([^\s"']{6,})/g },
  { words: [' /p '], must: isShown, taken: /([ \t]\/p[ \t]+["']?)([^\s"'/]{6,})/g },
  // What is said to a program in place of its keyboard
  { words: ['<<<'], must: isShown, taken: /(<<<[ \t]*["']?)([^\s"']{8,})/g },
  // user bob …, in a script for ftp
  { words: ['user '], must: isLikely, taken: /(^user[ \t]+[\w.@-]{1,40}[ \t]+)(\S{6,})$/gm },
  // The cookie that a session is known by
  {
    words: ['SESS', 'sess', 'remember_', 'connect.sid'],
    must: looksDrawn,
    taken:
      /(\b(?:\w{0,10}SESS(?:ION)?_?ID|remember_\w{2,8}|connect\.sid|session(?: id)?[ _]cookie)["']?[ \t]?[=:][ \t]?["']?(?:s(?:%3A|:))?)([\w.%+/-]{16,})/g,
  },
  // A licence: groups of capitals and digits
  {
    words: ['erial', 'icen', 'roduct key', 'ctivation', 'ecovery'],
    must: (value) => /\d/.test(value) && /[A-Z]/.test(value),
    taken:
      /(\b(?:serial|licen[sc]e|product key|activation|recovery)[^\n]{0,40}?)(\b[A-Z0-9]{4,6}(?:-[A-Z0-9]{4,6}){3,8})(?![\w-])/gi,
  },
  // Backup codes for the shop: 4471 0923, 8820 1746
  {
    words: ['ecovery', 'ackup code', 'BACKUP', 'RECOVERY', 'cratch code', 'mergency'],
    must: isPin,
    taken:
      /(\b(?:recovery|backup|scratch|emergency)[ _-]codes?\b[^\n\d]{0,40})(\d{4}[ -]\d{4}(?:,? \d{4}[ -]\d{4}){0,15})(?![\w-])/gi,
  },
  // recovery codes, one or more
  {
    words: ['ecovery', 'ackup code', 'BACKUP', 'RECOVERY', 'cratch code', 'PUK'],
    must: (value) => /\d/.test(value),
    taken:
      /(\b(?:recovery|backup|scratch|2fa|emergency)[ _-](?:codes?|keys?)["']?(?:[ \t]{0,4}(?:[:=]|is|are))?[ \t]{0,4}\n?[ \t*-]{0,6}["'`]?)((?:[A-Za-z0-9]{4,12}[ -]){1,9}[A-Za-z0-9]{4,12}|\d{8})(?![\w-])/gi,
  },
]

const WORDS = [...new Set(PROGRAMS.flatMap(({ words }) => words))]
const SINGLE = WORDS.filter(({ length }) => length === 1)
const NOT_ASCII = 128
/** Words by their first two characters, and for each pair of characters which group that is; 0 for none. */
const GROUPS: string[][] = [[]]
const GROUP_OF = new Uint16Array(NOT_ASCII * NOT_ASCII)
for (const word of WORDS) {
  if (word.length === 1) continue
  const pair = word.charCodeAt(0) * NOT_ASCII + word.charCodeAt(1)
  if (GROUP_OF[pair] === 0) GROUP_OF[pair] = GROUPS.push([]) - 1
  GROUPS[GROUP_OF[pair]!]!.push(word)
}
