import { isSecretValue, KIND, MORE, NAME, QUOTE, standsAlone, strengthOf } from './assignments.ts'

/** Secrets that are known by the call, the statement or the command they are handed to. */

const GAP = String.raw`[ \t]{0,8}`
const HANDED = [
  // setPassword("…")
  String.raw`\(\s{0,8}`,
  // define('DB_PASSWORD', '…'), getenv("API_KEY", "…"), key="Password" value="…"
  String.raw`(${QUOTE}(?:${GAP},\s{0,12}|[ \t]{1,8}value${GAP}[=:]${GAP}))`,
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
const HINTS = ['("', "('", '",', "',", 'value', '||', '??', ' or ', '|\n', '>\n', '|\\n', '>\\n']

/** Masks what is handed to something that takes a secret. */
export function placedSecrets(text: string, mask: string): string {
  const handed = HINTS.some((hint) => text.includes(hint)) ? handedSecrets(text, mask) : text
  return PROGRAMS.reduce((rest, { words, taken }) => {
    if (!words.some((word) => rest.includes(word))) return rest
    return rest.replace(taken, (match, head: string, value: string) =>
      isSecretValue(value, 'strong', 'variable') ? head + mask : match,
    )
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

/** What takes a secret in a way of its own, and the words that tell of it. */
const PROGRAMS: { words: string[]; taken: RegExp }[] = [
  {
    words: ['PASSWORD', 'password', 'IDENTIFIED', 'identified'],
    taken: /(\b(?:password|identified(?: with \S{1,40})? by(?: password)?)[ \t]{1,4}')([^\s"']{4,})/gi,
  },
  { words: ['SecureString'], taken: /(\bConvertTo-SecureString[ \t]+(?:-String[ \t]+)?["'])([^\s"']{4,})/g },
  { words: ['requirepass', 'masterauth'], taken: /(\b(?:requirepass|masterauth)[ \t]+["']?)([^\s"']{4,})/g },
  { words: ['zip -', 'zip x'], taken: /(\b(?:un)?zip\b[^\n]{0,60}?[ \t]-P[ \t]*)([^\s"']{4,})/g },
  { words: ['7z '], taken: /(\b7z[ \t][^\n]{0,60}?[ \t]-p)([^\s"']{4,})/g },
  { words: ['smbclient', 'rpcclient'], taken: /(client\b[^\n]{0,80}?-U[ \t]*["']?[\w.\\-]{1,40}%)([^\s"']{4,})/g },
  { words: ['chpasswd'], taken: /(\becho[ \t]+["']?[\w.-]{1,32}:)([^\s"'|]{4,})(?=["']?[ \t]*\|[^\n]{0,20}chpasswd)/g },
  { words: ['htpasswd'], taken: /(\bhtpasswd[ \t]+-(?=\w*b)\w+[ \t]+(?:[^\s"']+[ \t]+){1,2}["']?)([^\s"']{4,})/g },
  { words: ['pass:'], taken: /([ \t]-pass(?:in|out)?[ \t]+["']?pass:)([^\s"']{4,})/g },
]
