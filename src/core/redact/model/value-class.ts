import { ordinaryShare } from '../ordinary-words.ts'
import { isMonotonous, randomness, saysSomething } from '../randomness.ts'
import {
  isAppPassword,
  isCall,
  isChosen,
  isExpression,
  isPassphrase,
  isWordWithNumber,
  isWordy,
  looksDrawn,
  MEMBER,
  PLACEHOLDER,
  SELF_NAMED,
  TERM,
} from '../values.ts'

/** What a value looks like by itself, in one word: the first shape that fits. Between quotes stands less code. */
export function classOfValue(value: string, isQuoted = false): string {
  const shape = SHAPES.find(
    ([name, fits]) =>
      (typeof fits === 'function' ? fits(value) : fits.test(value)) &&
      !(isQuoted && name === 'call' && !QUOTED_CODE.test(value) && !isCall(value)),
  )
  const name = shape?.[0] ?? made(value)
  return OF_WORDS.has(name) || shape === undefined ? `${name} ${ordinaryShare(value)}` : name
}

/** Shapes of words, which are ordinary ones or not. */
const OF_WORDS: ReadonlySet<string> = new Set(
  'member snake kebab lower capital upper letters words numbered wordy wordNumber passphrase'.split(' '),
)

const SHAPES: [name: string, fits: RegExp | ((value: string) => boolean)][] = [
  ['pin', /^\d{4,8}$/],
  ['number', /^[+-]?[\d.,_:/%-]+$|^0x[0-9a-f_]{1,24}$|^U\+[0-9A-F]{4}/i],
  ['script', (value) => !/^[\x21-\x7e]/.test(value) && OTHER_SCRIPT.test(value)],
  ['masked', /^[xX*•●.#_-]{3,}$|xxxx|\*\*\*|\.\.\.|…|\[redacted/],
  ['placeholder', PLACEHOLDER],
  ['expression', isExpression],
  ['sealed', /^Ag[A-D][A-Za-z0-9+/]{80,}={0,2}$/],
  ['uuid', /^\{?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}?$/i],
  ['colour', /^#[0-9a-f]{3,8}$/i],
  ['hex7', /^[0-9a-f]{6,12}$/],
  ['hex16', /^[0-9a-f]{13,20}$/i],
  ['hex24', /^[0-9a-f]{21,31}$/i],
  ['hex32', /^[0-9a-f]{32}$/i],
  ['hex40', /^[0-9a-f]{40}$/],
  ['HEX40', /^[0-9A-F]{40}$/],
  ['hex64', /^[0-9a-f]{64}$/i],
  ['hexN', /^(?:0x)?[0-9a-f]{33,}$/i],
  ['hexColons', /^[0-9a-f]{2}(?::[0-9a-f]{2}){4,}$/i],
  ['date', /^\d{4}-\d{2}-\d{2}(?:[T_].*)?$/],
  ['version', /^[v^~=<>]{0,3}\d{1,9}\.[\dx*]{1,9}(?:[-+.][\w.+-]*)?$|^[a-z]\w{0,30}-\d{1,9}\.\d[\w.-]*$/],
  ['measure', /^\d+(?:\.\d+)?(?:[a-zA-Zµ]{1,3}|days?|min|sec|hours?|bytes)$/],
  ['url', /^[a-z][\w+.-]*:\/\//i],
  ['mail', /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/],
  [
    'address',
    /^[\w.-]+@[\w.-]+$|^[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|local|internal|example|lan|test)(?::\d+)?$/,
  ],
  ['file', isFile],
  ['path', (value) => /^(?:[~.]{0,2}\/|\w:\\)|^[\w@.-]+(?:\/[\w@.-]+){2,}$/.test(value) && randomness(value) < 0.3],
  ['member', MEMBER],
  ['call', isCode],
  ['term', TERM],
  ['selfNamed', SELF_NAMED],
  ['constant', /^[A-Z]+(?:_[A-Z\d]+)+$/],
  ['option', /^--?[A-Za-z][\w-]*(?:=|$)/],
  ['objectId', /^[a-z]{2,12}_0\d[A-Za-z0-9]{18,30}$/],
  ['snake', /^_*[a-z]+(?:_[a-z]+)+$/],
  ['kebab', /^[a-z]+(?:-[a-z]+)+$/],
  ['lower', /^\p{Ll}+$/u],
  ['capital', /^\p{Lu}\p{Ll}+$/u],
  ['upper', /^[A-Z]+$/],
  ['letters', /^\p{L}+$/u],
  ['words', /^\p{L}+(?:[ ._+&-]\p{L}+)+$/u],
  ['passphrase', isPassphrase],
  ['appPassword', isAppPassword],
  ['wordy', isWordy],
  ['wordNumber', isWordWithNumber],
  ['numbered', /^[A-Za-z]+(?:[-_.][A-Za-z]+)*[-_.]?\d{1,2}$/],
  ['ticket', /^[A-Z]{2,6}-\d+$/],
  ['monotonous', isMonotonous],
  ['says', saysSomething],
]

const CODE = /[\w!?]\(|\)$|=>|->|\?\.|^[A-Za-z_$][\w$.?]{0,60}\[|&&|\$\{|\+\+$|\\u\{/
/** Code that stands between quotes as well: paths into data, templates, escapes. */
const QUOTED_CODE = /=>|->|\?\.|\[["'$\d]|\$\{|\\u\{|::/

/** A sign of code; of names with colons between them none may be drawn, as parts of some tokens are. */
function isCode(value: string): boolean {
  return (
    CODE.test(value) ||
    (value.includes('::') && !value.split(/[:/]+/).some((part) => part.length >= 16 && looksDrawn(part)))
  )
}

const OTHER_SCRIPT = /^[^\x21-\x7e\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]+[?!.:]{0,3}$/u

/** A name with an ending that files have. As one expression the endings would take long to compile. */
function isFile(value: string): boolean {
  const dot = value.lastIndexOf('.')
  return dot > 0 && ENDINGS.has(value.slice(dot + 1).toLowerCase()) && BEFORE_ENDING.test(value.slice(0, dot))
}

const BEFORE_ENDING = /^[\p{L}\d_./@\\:-]*[\p{L}\d_]$/u
const ENDINGS: ReadonlySet<string> = new Set(
  'js jsx ts tsx cjs cjsx cts ctsx mjs mjsx mts mtsx json json5 jsonl jsonc yml yaml toml ini cfg conf config env md mdx rst txt log lock htm html css scss sass less xml xsd svg png jpg jpeg gif webp ico pdf doc docx xls xlsx ppt pptx csv tsv sql db sqlite sqlite3 py pyc ipynb rb go rs java kt kts scala clj ex exs erl hs ml php pl lua c cc cpp cxx h hpp m mm swift cs fs vb sh bash zsh fish ps1 psm1 bat cmd exe dll so dylib a o jar war whl gem deb rpm apk ipa dmg iso img zip tar gz tgz bz2 xz zst 7z rar pem crt cer key pub p12 pfx jks kdb kdbx gpg asc sig age bak old orig tmp swp pid sock service timer tf tfvars tfstate hcl nix gradle properties plist vue svelte astro graphql gql proto wasm map snap tpl j2 erb ejs hbs mp3 mp4 wav ogg webm ttf woff woff2 eot dump gitignore dockerignore npmrc htpasswd htaccess aws dev io'.split(
    ' ',
  ),
)

/** Kinds that are no secrets wherever they stand, unless a rule says so. */
export const NEVER: ReadonlySet<string> = new Set(
  'script sealed number masked placeholder expression colour hex7 date version measure url mail file call term option objectId selfNamed constant monotonous says'.split(
    ' ',
  ),
)

/** Kinds that are none even where a rule says so. */
export const CERTAINLY_NOT: ReadonlySet<string> = new Set('script masked expression call colour sealed'.split(' '))

/** What no shape fits is told apart by what it is made of, how long it is and how random it reads. */
function made(value: string): string {
  const random = randomness(value)
  const reads = random > 0.6 ? 3 : random > 0.3 ? 2 : random > 0 ? 1 : 0
  const size = value.length < 8 ? 's' : value.length < 14 ? 'm' : value.length < 24 ? 'l' : 'x'
  return `${kinds(value)}${size}${reads}`
}

function kinds(value: string): string {
  if (isChosen(value) && /[!@#$%^*?+~&]/.test(value)) return 'chosen!'
  if (/^[A-Za-z0-9]+$/.test(value)) return /\d/.test(value) ? 'alnum' : 'mixed'
  if (/^[\w-]+$/.test(value)) return /\d/.test(value) ? 'joined' : 'names'
  if (/^[\w+/=-]+$/.test(value)) return 'base64'
  return /\d/.test(value) && /[A-Za-z]/.test(value) ? 'signs' : 'other'
}
