import { ordinaryShare } from '../ordinary-words.ts'
import { isExpression, isLikely, isShown, isWordWithNumber, looksDrawn, PLACEHOLDER, SELF_NAMED } from '../values.ts'
import { byLines, type LineRule } from './line-rules.ts'

/** Commands, statements and lines of configuration that take a secret in a way of their own, which the model of secrets does not know. */

function isPin(value: string): boolean {
  return /^\d/.test(value)
}

/** Where one of these leads, a secret is written to a file, or read by a program that opens something with it. */
const OPENS = String.raw`(?:cryptsetup|luks\w+|gpg|ssh-add|vault|kinit|passwd|smbpasswd|openssl|age|wpa_passphrase|security|gh|bw|op|pass|su|vncpasswd|keytool|secret-tool|realm|adcli|bitlocker)\b`

/** A value, and no hint at what belongs there. */
function isWritten(value: string): boolean {
  return !/[$%{]/.test(value) && !PLACEHOLDER.test(value) && !isExpression(value) && !SELF_NAMED.test(value)
}

/** Three words or more, or one of many letters; the name of a thing has few, and says where or what it is. */
function isMadeUp(value: string): boolean {
  const words = value.split(/[-_.]/)
  if (PLACEHOLDER.test(value) || STANDS_IN.test(value) || isExpression(value)) return false
  if (words.length === 1) return value.length >= 16
  return (
    words.length >= 3 &&
    !words.some((word) =>
      /^(?:secrets?|keys?|tokens?|jwt|session|prod|production|staging|dev|app|auth|name|ref)$/i.test(word),
    )
  )
}

const STANDS_IN = /your|change|replace|placeholder|example|insert|here$|dummy|sample|xxx|todo|generate|random/i

/** Commands and dialogues in which nothing but a secret can stand there, however it is made. */
const CERTAIN: LineRule[] = [
  // C: PASS …, >>> PASS …: what a program was seen to say to a server
  {
    words: ['pass ', 'login '],
    must: isWritten,
    taken:
      /((?:^|\n)[ \t]*(?:C:|>{2,3}|-{1,3}>)[ \t]*(?:PASS|\w{1,6}[ \t]+LOGIN[ \t]+["']?[\w.@+-]{1,64}["']?)[ \t]+["']?)([^\s"'\\/]{4,})/g,
  },
  // snmpget -A … -X …
  {
    words: ['snmp'],
    must: isWritten,
    taken: /([ \t]-[AX][ \t]{1,4}["']?)(?<=\bsnmp\w{1,12}\b[^\n]{0,160})([^\s"']{5,})/g,
  },
  // kinit bob <<< …, sudo -S <<< …
  {
    words: ['<<<'],
    must: isWritten,
    taken:
      /(\b(?:kinit|sudo|su|\w{0,10}passwd|cryptsetup|ssh-add)\b[^\n|;]{0,100}<<<[ \t]*["']?(?:\w{1,32}:(?<=\bchpasswd\b[^\n]{0,140}))?)([^\s"')]{4,})/g,
  },
  // expect "assword:", and then send "…\r"
  {
    words: ['assword'],
    must: isWritten,
    isFar: true,
    taken: /(assword[^\n]{0,40}\n[^\n]{0,20}\bsend(?:ln)?[ \t]+(?:--[ \t]+)?["'])([^"'\n\\]{4,60})(?=\\[rn]|["'])/g,
  },
  // htpasswd -b file bob …
  {
    words: ['htpasswd'],
    must: isWritten,
    taken:
      /(\bhtpasswd[ \t][^\n|;]{0,30}?-[A-Za-z]{0,4}b[A-Za-z]{0,4}[ \t][^\n|;]{1,150}?[ \t]["']?)([^\s"']{4,})(?=["']?[ \t]*(?:[|>;&\n]|$))/g,
  },
  // zip -P … -r out.zip src, 7z a -p…
  {
    words: ['zip', '7z', 'rar'],
    must: (value) => !/[$%{]/.test(value) && !PLACEHOLDER.test(value) && !isExpression(value),
    taken:
      /(\b(?:(?:un)?zip|zipcloak)\b[^\n|;]{0,80}?[ \t]-P[ \t]+|\b(?:7z[ar]?|rar|unrar)[ \t]+[a-z]\b[^\n|;]{0,80}?[ \t]-h?p)("[^"\n]{4,60}"|'[^'\n]{4,60}'|[^\s"'-][^\s"']{3,})/g,
  },
  // SESSION_SECRET=three-words-together: what is made up for it, of whatever words; a Secret of Kubernetes has another name
  {
    words: ['_secret'],
    must: isMadeUp,
    taken:
      /((?<![a-z])(?:JWT|SESSION|COOKIE|CSRF|NEXTAUTH|APP|AUTH|SIGNING|EXPRESS)_SECRET(?:_KEY)?=["']?)([A-Za-z\d_.-]{12,80})(?=["']?[ \t]*(?:#|\n|$))/g,
  },
  // db2 connect to SHOP user bob using …
  { words: ['db2'], must: isWritten, taken: /(\bdb2[ \t][^\n]{0,80}[ \t]using[ \t]+["']?)([^\s"']{4,})/gi },
  // bw login bob@host 'some words 12'
  {
    words: ['login', 'unlock', 'signin'],
    must: isWritten,
    taken:
      /(^[ \t$#>]{0,6}(?:bw|rbw|op|lpass|keepassxc-cli|pass-cli|vault)[ \t]+(?:login|unlock|signin)(?:[ \t]+[\w.@:/-]{1,64}){0,2}[ \t]+["'])([^"'\n]{6,90})(?=["'])/gm,
  },
  {
    words: ['securestring'],
    must: isWritten,
    taken: /(\bConvertTo-SecureString[ \t]+(?:-String[ \t]+)?["'])([^"'\n]{4,128})(?=["'])/gi,
  },
  // bob : EAP "…"
  {
    words: [': eap', ': xauth', ': ntlm', ': pin', ': rsa'],
    must: isWritten,
    taken: /(:[ \t]{1,4}(?:EAP|XAUTH|NTLM|PIN|RSA[ \t]+\S{1,80})[ \t]+["'])([^"'\n]{4,60})(?=["'])/g,
  },
  // What a machine logs in to Vault with beside its public role_id, and what opens a sealed one
  {
    words: ['secret_id', 'secret-id'],
    must: isWritten,
    taken: /(\bsecret[_-]id["']?[ \t]{0,8}(?:=>|[=:])[ \t]{0,8}["']?)([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/gi,
  },
  {
    words: ['unseal'],
    must: looksDrawn,
    taken: /(\bunseal(?:[ \t]Key[ \t]\d{1,2}:|[ \t]-[\w-]{1,30}=\S{1,200})?[ \t]{1,4}["']?)([\w+/=]{32,100})/g,
  },
  // A password as PHP's portable hasher keeps it
  { words: ['$p$', '$h$'], must: () => true, taken: /()(\$[PH]\$[./0-9A-Za-z]{31})(?![./0-9A-Za-z])/g },
  // WLAN-Schlüssel: 4821-9930-1175-6620, as it is printed on a router
  {
    words: ['schlüssel', ' key', '-key', 'wpa', 'passwor', 'clé', 'chiave', 'clave', 'chave'],
    must: isPin,
    taken:
      /(\b(?:WPA\d?|WLAN|Wi-?Fi)[ -](?:PSK|\p{L}{0,10}(?:schlüssel|key|passwor[dt]|clé|chiave|clave|chave))["']?[ \t]{0,3}(?:[:=]|is|ist|lautet|est|è|es|é)?[ \t]{0,3}["']?)(\d{4}(?:[- ]?\d{4}){3,4})(?!\d)/giu,
  },
]

const MAY_BE_CERTAIN =
  /secret[_-]id|unseal|_SECRET|zip |\b7z|rar |\$[PH]\$|WPA|WLAN|[Ww]i-?[Ff]i|WI-?FI|snmp|<<<|db2|htpasswd|SecureString|(?:bw|op|lpass|-cli|vault)[ \t]+(?:unlock|signin|login)|\b(?:PASS|LOGIN) |\bsend(?:ln)?[ \t]|: (?:EAP|XAUTH|NTLM|PIN|RSA)/
const handed = byLines(CERTAIN)

/** Masks what programs are handed where nothing else can stand; most texts name none of these, and are not read for them. */
export function surelyHanded(text: string, mask: string): string {
  return MAY_BE_CERTAIN.test(text) ? handed(text, mask) : text
}

const PROGRAMS: LineRule[] = [
  // define( 'AUTH_SALT', '…' ): what WordPress signs with, spaces and all
  {
    words: ['define('],
    must: (value) => /\d/.test(value) && /[^\w\s]/.test(value),
    taken: /(\bdefine\([ \t]{0,4}["']\w{0,40}(?:KEY|SALT|SECRET|TOKEN)["'],[ \t]{0,20}')([^'\n]{16,200})(?=')/g,
  },
  {
    words: ['password', 'identified'],
    taken:
      /(\b(?:password[ \t]{1,4}'|identified(?: with \S{1,40})? by(?: password)?[ \t]{1,4}["']?))([^\s"';,)]{4,})/gi,
  },
  {
    words: ['requirepass', 'masterauth', 'bindpw', 'rootpw'],
    taken: /(\b(?:requirepass|masterauth|bindpw|rootpw)[ \t]+["']?)((?!--)[^\s"']{4,})/g,
  },
  { words: ['net user'], taken: /(\bnet user[ \t]+[^\s/]{1,40}[ \t]+)([^\s/][^\s]{5,})/gi },
  { words: ['net use'], taken: /(\bnet use\b[^\n]{0,80}?[ \t])([^\s/\\]\S{5,})(?=[ \t]+\/user:)/gi },
  { words: ['net use'], taken: /(\bnet use\b[^\n]{0,120}?\/user:\S{1,60}[ \t]+)([^\s/]\S{4,})/gi },
  { words: ['lftp'], taken: /(\blftp[ \t][^\n]{0,40}?-u[ \t]+[\w.@-]{1,64},)([^\s"']{4,})/g },
  { words: [' -u'], taken: /([ \t]-U[ \t]*["']?[\w.\\-]{1,40}%)([^\s"']{4,})/g },
  // sqlplus scott/…@db, jdbc:oracle:thin:scott/…@db, app/…@//db:1521/X
  {
    words: ['sqlplus', 'sqlldr', 'impdp', 'expdp', 'rman', 'exp ', 'imp ', 'oracle:', 'conn', 'sqlcl'],
    taken:
      /((?:\b(?:sqlplus|sqlldr|sqlcl|impdp|expdp|rman|exp|imp|conn(?:ect)?)\b[^\n@]{0,60}?[ \t]|oracle:\w{2,6}:)["']?(?:userid=|target )?[\w.$#]{1,64}\/)([^\s"'@/]{4,128})(?=@|["';\s]|$)/gi,
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
  // mc alias set nas http://… key secret
  {
    words: ['alias set'],
    must: looksDrawn,
    taken: /(\balias set[ \t]{1,4}\S{1,60}[ \t]{1,4}\S{1,200}[ \t]{1,4}["']?)([^\s"']{12,})(?=["']?[ \t]{1,4}\S)/g,
  },
  // bundle config gems.host bob:…, [smtp.host]:587 bob:…, root:… below chpasswd
  {
    words: ['bundle', ']:', 'chpasswd', 'curlftpfs'],
    isFar: true,
    taken:
      /((?:\bbundle config[^\n]{0,60}?[ \t][\w.-]{1,100}[ \t]+|^\[[\w.-]{1,100}\]:\d{2,5}[ \t]+|\bchpasswd:\s{1,8}\{?(?:list:[ \t]*[|>]?-?\s{1,12}|users:\s{1,12}-[ \t])(?:- )?|\bcurlftpfs[ \t]+)["'`]?[\w.@+-]{1,64}:)([^\s"'`@/:][^\s"'`@/:]{5,})/gim,
  },
  // creds are bob:…
  {
    words: ['user:pass', 'creds', 'log in', 'login', 'auth'],
    must: isLikely,
    isFar: true,
    taken:
      /((?:\b(?:creds|use|credentials?|log ?in|auth)(?: are| is| with| as|:)?[ \t]+)["'`]?[\w.@+-]{1,64}:)([^\s"'`@/:][^\s"'`@/:]{5,})/gim,
  },
  // variable "db_password" { … default = "…" }
  {
    words: ['variable "'],
    isFar: true,
    must: (value) => isLikely(value) || looksDrawn(value),
    taken:
      /(\bvariable "\w{0,40}(?:passw(?:or)?d|passphrase|secret|token|api_?key)" \{[^}"]{0,200}\bdefault[ \t]{0,20}= ?")([^\s"]{6,200})(?=")/g,
  },
  // PASS … and LOGIN … of mail, chat and file servers; AUTH of Redis
  {
    words: ['pass ', 'auth ', 'login ', 'identify '],
    must: isLikely,
    taken:
      /((?:^|[>\n\r]|\\n)[ \t]*(?:PASS|AUTH(?:[ \t]+\w{1,30})?|\w{1,6}[ \t]+LOGIN[ \t]+["']?[\w.@+-]{1,64}["']?|\/msg NickServ IDENTIFY(?:[ \t]+\w{1,30}(?=[ \t]+\S))?)[ \t]+["']?)([^\s"'\\]{6,})/g,
  },
  { words: ['setuser'], must: isLikely, taken: /(\bSETUSER\b[^\n]{0,60}?[ \t]["']?>)([^\s"']{4,})/g },
  // snmpwalk -c …
  {
    words: ['snmp'],
    must: isLikely,
    taken: /([ \t]-c[ \t]{1,4}["']?)(?<=\bsnmp\w{1,12}\b[^\n]{0,160})([^\s"']{5,})/g,
  },
  // echo … | sudo -S, echo … | docker login --password-stdin, printf … | wrangler secret put API_KEY
  {
    words: ['echo', 'printf'],
    taken:
      /(\b(?:echo|printf)[ \t]+(?:-n[ \t]+)?["']?)([^\s"'|]{4,200})(?=["']?(?:[ \t]*;[ \t]*(?:echo|printf)[ \t][^\n|;]{1,90}){0,3}[ \t;)}]*\|[ \t]*(?:sudo[ \t][^\n]{0,20}?-\w{0,5}S\b|[^\n|]{0,60}(?:passw|token|secret|login|\bpw\b)))/g,
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
  // "backup password ….zip"
  {
    words: ['pass', 'pw', 'kennwort', 'mdp', 'senha'],
    must: (value) => /\d/.test(value) && isLikely(value) && ordinaryShare(value) !== 'all',
    taken:
      /(\b(?:passwor[dt]|pass|pw|kennwort|mdp|senha)[ =_-])([^\s"'`()._-]{6,40})(?=\)?\.(?:zip|7z|rar|gz|tgz|tar|sql|dump|pdf|xlsx?|docx?|kdbx|p12|pfx|gpg)(?!\w))/gi,
  },
  // What a generator of passwords prints
  {
    words: ['openssl rand', 'pwgen', 'urandom', 'mkpasswd', 'token_hex', 'token_urlsafe', 'randombytes'],
    must: (value) => isLikely(value) || looksDrawn(value),
    isFar: true,
    taken:
      /(^[ \t]{0,4}[$#>%][^\n]{0,80}\b(?:openssl rand|pwgen|urandom|mkpasswd|token_hex|token_urlsafe|randomBytes)\b[^\n]{0,120}\n[ \t]{0,4})([^\s"']{8,200})(?=[ \t]*(?:\n|$))/gm,
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
    must: (value) => isShown(value) || isWordWithNumber(value) || looksDrawn(value),
    taken:
      /(^[ \t$#>]{0,6}[\w./-]{1,40}(?:[ \t]+[a-z][a-z-]{0,20}){0,2}[ \t]+(?:unlock|signin|sign-in|login|(?:add-)?authtoken|identify|service install|set-initial-password|reset-admin-password|authenticate|set-token|auth|\S{0,20}token\.\S{1,40})(?:[ \t]+[\w.@:/][\w.@:/-]{0,63}(?=[ \t]+\S{8})){0,2}[ \t]+["']?)([^\s"']{8,})/gm,
  },
  {
    words: ['login(', 'bcrypt.'],
    isFar: true,
    taken:
      /(\b(?:log[iI]n\(\s{0,8}["'][^"'\n]{1,64}["'],\s{0,8}|bcrypt\.(?:hash|compare)(?:Sync)?\(\s{0,8})["'])([^\s"']{6,})(?=["'])/g,
  },
  // cy.get('#password').type('…')
  {
    words: ['.type(', '.fill(', 'sendkeys(', 'send_keys(', '.setvalue(', '.val('],
    must: isLikely,
    taken:
      /((?:assw(?:or)?d|pwd|ecret|oken)[^\n]{0,60}\.(?:type|fill|sendKeys|send_keys|setValue|val)\([ \t]{0,4}["'])([^\s"']{6,})(?=["'])/g,
  },
  {
    words: ['mac', 'jwt'],
    isFar: true,
    taken:
      /(\b(?:createHmac|jwt\.(?:sign|verify|encode|decode)|hmac\.new)\([^,()\n]{1,80},\s{0,8}["'])([^\s"']{8,})(?=["'])/g,
  },
  // AES.new(bytes.fromhex("…"), createCipheriv('aes-256-gcm', Buffer.from('…', Fernet(b"…")
  {
    words: ['aes', 'cipher', 'fernet', 'secretbox', 'chacha', 'secretkeyspec', 'hmac'],
    must: looksDrawn,
    taken:
      /(\b(?:AES\w{0,12}|ChaCha20\w{0,12}|Fernet|SecretBox|SecretKeySpec|\w{0,12}[cC]ipher\w{0,12}|\w{0,8}[hH]mac\w{0,12})(?:(?:\.|::)\w{1,20})?\([^"'\n]{0,40}(?:["'][\w/-]{2,24}["'],[^"'\n]{0,40})?["'])([^\s"']{16,})(?=["'])/g,
  },
  // pgp_sym_decrypt(payload, '…'), AES_ENCRYPT(x, '…')
  {
    words: ['crypt('],
    must: isLikely,
    taken: /(\b\w{0,30}crypt\([^()\n,]{1,60},[ \t]{0,4}["'])([^\s"']{6,})(?=["'])/gi,
  },
  // bob pptpd … *, {PLAIN}…, <auth-user-pass>
  {
    words: [' *'],
    isFar: true,
    must: isLikely,
    taken:
      /(^["']?[\w.@\\-]{1,64}["']?[ \t]+(?:\*|[\w.-]{1,40})[ \t]+["']?)([^\s"'*]{6,})(?=["']?[ \t]+(?:\*|\d{1,3}(?:\.\d{1,3}){3})[ \t]*$)/gm,
  },
  { words: ['{plain}', '{cleartext}', '{clear}'], taken: /(\{(?:PLAIN|CLEAR(?:TEXT)?)\})([^\s:"']{4,})/g },
  // H=db U=app P=…
  { words: [' p=', ';p='], must: isLikely, taken: /(\bU(?:SER|ID)?=\S{1,40}[ \t;]+P=)([^\s;"']{5,})/g },
  // user bob …, in a script for ftp
  { words: ['user '], must: isLikely, taken: /(^user[ \t]+[\w.@-]{1,40}[ \t]+)(\S{6,})$/gm },
  { words: ['code='], must: looksDrawn, taken: /([?&]code=)([\w./~%-]{16,})/g },
  // A webhook, a reset link, a private feed, a channel with a token in its path
  {
    words: ['hook', '/key/', 'reset', 'private', '/t/', 'invite', 'token', 'verify', 'magic', 'confirm', 'services/'],
    must: (value) => value.split('/').some((part) => part.length >= 16 && /\d/.test(part) && looksDrawn(part)),
    taken:
      /(https?:\/\/[^\s"'<>/]{3,100}(?:\/[^\s"'<>/?#]{0,80}){0,5}?\/(?:IncomingWebhook|[\w-]{0,20}hooks?|services\/\w{4,20}\/\w{4,20}|reset[\w-]{0,20}|t|invite|[\w-]{0,10}token|verify[\w-]{0,10}|magic[\w-]{0,10}|confirm[\w-]{0,10}|key|shared_invite)\/)([\w~=@/-]{16,})/gi,
  },
  // The cookie that a session is known by
  {
    words: ['sess', 'remember_', 'connect.sid'],
    must: looksDrawn,
    taken:
      /(\b(?:\w{0,10}SESS(?:ION)?_?ID|remember_\w{2,8}|connect\.sid|session(?: id)?[ _]cookie)["']?[ \t]?[=:][ \t]?["']?(?:s(?:%3A|:))?)([\w.%+/-]{16,})/g,
  },
  // PIN: 4821, PUK 12067073, the door code is 482910
  {
    words: [
      'pin',
      'pin ',
      'pin:',
      'puk',
      'otp',
      'asscode',
      ' code',
      '-code',
      '-pin',
      'cvv',
      'cvc',
      'tan',
      'ombination',
    ],
    must: isPin,
    taken:
      /(\b(?:PINs?|passcode|OTP|PUK\d?|CVV2?|CVC2?|TAN|(?:door|alarm|gate|entry|access|security|safe|lockbox|garage|unlock|keypad|verification|2fa|backup|recovery|one-time)[ -](?:pin|code|combination))(?:[ \t]{1,4}(?:[a-z]{2,12}[ \t]){0,4}?(?:is|ist|est|es|è)|[ \t]{0,4}[:=])?[ \t]{0,4}["']?)(\d{4,8})(?!\w|[.:,-]\d)/gi,
  },
  // recovery codes, one or more
  {
    words: ['ecovery', 'ackup code', 'backup', 'recovery', 'cratch code', 'puk'],
    must: (value) => /\d/.test(value),
    isFar: true,
    taken:
      /(\b(?:recovery|backup|scratch|2fa|emergency)[ _-](?:codes?|keys?)["']?(?:[ \t]{0,4}(?:[:=]|is|are))?[ \t]{0,4}\n?[ \t*-]{0,6}["'`]?)((?:[A-Za-z0-9]{4,12}[ -]){1,9}[A-Za-z0-9]{4,12}|\d{8})(?![\w-])/gi,
  },
]

/** Masks what is handed to programs. */
export const handedToPrograms = byLines(PROGRAMS)
