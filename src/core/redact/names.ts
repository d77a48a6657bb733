import { onFirstUse } from '../on-first-use.ts'
import { firstMatch, openingsOf, placesOf } from './openings.ts'

/**
 * Names that announce a secret, in any casing and with anything in front of them: `dbPassword`, `X-Api-Key`, `MOT_DE_PASSE`. What
 * follows the telling word inside a name says whether the value itself is meant (`password_prod`) or something about it
 * (`secretName`, `token_url`, `SECRET_MANAGER_PROJECT`).
 */

/** `password` in the languages of those who write to agents. All of them mean a secret and nothing else. */
const PASSWORD = [
  'pass(?:word|wd|wrd|[ _-]?phrase|code|wort|ord(?:et)?)',
  'pswd?',
  'passwort(?:es|s)?',
  'pwd',
  'psk',
  'passkey',
  'security[ _-]?answer',
  'kennwort',
  'mot[ _-]de[ _-]passe',
  'mdp',
  'contrase(?:[nñ]a|nya)',
  'contrasinal',
  'palavra[ _-]passe',
  'senha',
  'wachtwoord',
  'has[lł]o',
  'l[oö]senord(?:et)?',
  'heslo',
  'parol(?:[aeă]|ata|anız|ası)',
  'parool',
  'salasõna',
  'slaptažodis',
  'lozinka',
  'лозинк[аи]',
  'geslo',
  'jelsz(?:[oó]|ava|avam)',
  'adgangskoden?',
  'kodeord(?:et)?',
  'salasana(?:n|si|ni)?',
  'lykilorð(?:ið)?',
  'pasahitza',
  'fjalëkalimi',
  'cyfrinair',
  'pasfhocal',
  'pasvorto',
  'nenosiri',
  'şifre(?:si|niz|n)?',
  'mật khẩu',
  'kata[ _-](?:sandi|laluan)',
  'парол(?:ь|я|а|ата)',
  'κωδικός(?: πρόσβασης)?',
  'סיסמ[הא]',
  'كلمة (?:المرور|السر)',
  'رمز عبور',
  'گذرواژه',
  'پاس ورڈ',
  'पासवर्ड',
  'পাসওয়ার্ড',
  'கடவுச்சொல்',
  'გასაღები',
  'პაროლი',
  'գաղտնաբառ',
  'รหัสผ่าน',
  '密码',
  '密碼',
  '口令',
  '暗証番号',
  'パスワード',
  '비밀번호',
  '비번',
  '암호',
].join('|')
/** Words for keys, by the name of what they open. */
const SECRET = 'secret|(?:hash|nonce|auth|password|logged_in|secure_auth)_salt|シークレット|密钥|密鑰|秘密鍵'
const KEY =
  'token|токен|トークン|토큰|令牌|jeton|api[ _-]?key|credentials?|signature|sig|auth(?:key)?|key|(?:access|private|signing|encryption|master|account|service|webhook|license)[ _-]?key'

/** The telling part of a name, with these words for `password`. */
export const nameOf = (passwords: string) => `(${passwords}|pass|pw|${SECRET}|${KEY})`
/** The telling part of any name. */
export const NAME = nameOf(PASSWORD)

/**
 * An expression with the words for `password` in it, made for a text. Most texts have none of them, and without them it compiles in
 * a fraction of the time, which a process that lives for one event is made of.
 */
export function withPasswords(make: (passwords: string) => RegExp): (text: string) => RegExp {
  const all = onFirstUse(() => make(PASSWORD))
  const others = onFirstUse(() => make('(?!)'))
  return (text) => (saysPassword(text) ? all() : others())
}

const SAYS_PASSWORD = new RegExp(PASSWORD, 'iuy')
/** The same text is asked about by one reader after the other. */
let asked = { text: '', says: false }

function saysPassword(text: string): boolean {
  if (text !== asked.text) asked = { text, says: firstMatch(text, tellingOpenings(), SAYS_PASSWORD) >= 0 }
  return asked.says
}

/** How the words that tell of a secret begin: the names here, and the words of sentences in told.ts. */
export const TELLING =
  'acce|accè|acco|adga|api|auth|chav|chia|clav|clé|cont|cred|cyfr|encr|fjal|gehe|gesl|hash|hasl|hasł|hesl|jels|jeto|kata|kenn|key|kode|lice|log |logg|logi|lose|lozi|lyki|löse|mast|mdp|mot |mot-|mot_|mots|mật|neno|nonc|pala|paro|pat|pasa|pasf|pass|pasv|priv|psk|psw|pw|sala|schl|secr|secu|segr|senh|serv|sig|slap|toke|wach|webh|wi-f|wifi|wlan|zuga|é|секр'
const tellingOpenings = onFirstUse(() => openingsOf(TELLING))

let placed: { text: string; places: readonly number[] } = { text: '', places: [] }

/** Where in a text a word may begin that tells of a secret. */
export function tellingPlaces(text: string): readonly number[] {
  if (text !== placed.text) placed = { text, places: placesOf(text, tellingOpenings()) }
  return placed.places
}
/** What may follow it inside a name without changing what the value is. */
export const MORE = String.raw`(?:[_-]?(?:key|access|base|value|hash|plain|text|str|raw|prod|production|dev|test|staging|live|old|new|root|admin|user|b64|base64|hex|\d{1,3})){0,3}`

/** Something of every name above and of every word that tells of a secret. */
export const MAY_NAME =
  /assw|pass|pw|ps[kw]|mdp|PSK|pasf|pasv|fjal|cyfrin|geheim|segret|segred|секрет|nenosiri|contrasin|parool|kodeord|salasõ|лозин|סיסמא|رمز|گذر|پاس|পাস|கடவு|პარო|გასა|գաղ|비번|laluan|SALT|security.?answer|sign.?in|details|salt|wi-?fi|wlan|chave|kennwort|zugang|acc[eè]s|log in|contrase|senha|wachtwoord|has[lł]|l[oö]senord|hesl|parol|slapta|lozink|gesl|şifre|jelsz|salasana|adgangskode|lykilor|pasahitz|khẩu|sandi|токен|κωδικ|סיסמ|كلمة|पासवर्ड|รหัส|口令|暗証|トークン|シークレット|キー|토큰|令牌|парол|密|パスワード|비밀번호|암호|clave|clé|chiave|schlüssel|ключ|cred|login|_pat|secret|token|jeton|key|sig|auth/i

/** Words that only begin or end like one that tells: keyword, bypass, author, design. */
export const OTHER_WORDS = String.raw`key(?:word|board|frame|note|stroke|press|code|down|up(?!p))|pass(?:ing|ed|es(?![a-z])|ive|age|enger|port(?!al))|(?<=com|by|sur|tres|im)pass|sig(?:nal|nific|ma)|(?<=as|de|re|un)sign|author(?!i)|authentic(?!at)|token(?:iz|is)`

/** How surely a name announces a secret. */
export type Strength = 'strong' | 'weak'

/** `password` and `secret` mean a secret; `token`, `key` and `auth` mean many things, so their values must look like one. */
export function strengthOf(name: string): Strength {
  return /^(?:token|токен|jeton|key|auth|sig|signature|credentials?|service|webhook|license)/i.test(name)
    ? 'weak'
    : 'strong'
}

/** `compass`, `monkey` and `author` are no secrets; `dbPassword`, `DB_PASSWORD` and `dbpassword` are. */
export function standsAlone(text: string, offset: number, name: string): boolean {
  const before = text[offset - 1] ?? ' '
  const near = text.slice(Math.max(0, offset - 80), offset)
  if (/^key$/i.test(name) && OF_MAPS.test(near)) return false
  if (/public[ _-]?(?:key[ _-]?)?$|\barn:[\w:-]{0,70}$/i.test(near)) return false
  // `-Dpassword=…` sets a property; words of scripts without spaces stand beside anything.
  if (!/[A-Za-z]/.test(before) || /(?:^|\s)-[DP]$/.test(near) || /^[\u0180-\uffff]/.test(name)) return true
  const isHump = /[a-z]/.test(before) && /^[A-Z]/.test(name)
  return (
    isHump ||
    (name.length > 4 && !/^(?:pass|pw|key|auth|sig)$/i.test(name) && /[a-z]/.test(before) === /^[a-z]/.test(name))
  )
}

/** Keys of caches, tables and maps open nothing. */
const OF_MAPS = /(?:public|cache|sort|primary|foreign|partition|storage|query)(?:[ _-]?$|[ \w]{1,40} $)/i

/** What is said about a secret, not the secret: its name, place, kind, age or size. */
const ABOUT =
  /^(?:name|names|id|ids|arn|ref|url|uri|urls|host|hosts|port|endpoint|issuer|audience|project|provider|providers|manager|management|store|backend|engine|namespace|path|paths|file|files|filename|dir|folder|location|type|types|kind|format|algorithm|alg|algo|method|policy|policies|rule|rules|scheme|class|field|fields|column|label|title|hint|help|prompt|placeholder|message|error|errors|expiry|expires|expiration|ttl|age|lifetime|timeout|interval|count|limit|max|min|length|len|size|budget|usage|version|index|header|prefix|suffix|pattern|regex|enabled|disabled|required|allowed|strategy|mode|rotation|reset|change|changed|updated|created|at|on|alias|aliases|usage|scope|scopes|status|state|env|var|variable|param|parameter|selector|mgmt|server|service|region|bucket|role|group|encryption|encoder|encoding|hasher|hashing|plugin|checker|validator|validators|validation|strength|generator|question|strategy|helper|handler|resolver|factory|interceptor|middleware|filter|input|form|page|view|screen|dialog|link|button|grant|claim|claims|family|review|exchange|introspection)$/i

/** Whether the whole name, of which the telling word is a part, means something about a secret. */
export function isAbout(text: string, end: number): boolean {
  const rest = /^[\w-]{0,60}/.exec(text.slice(end, end + 60))?.[0] ?? ''
  const words = rest.split(/[_-]+|(?<=[a-z\d])(?=[A-Z])/).filter(Boolean)
  return words.some((word) => ABOUT.test(word))
}
