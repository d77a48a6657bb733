/**
 * Tells strings that a machine drew at random from those that people made of words. Random strings change between
 * letters and digits, cases and neighbours without rhyme; names, paths and sentences do not.
 */

/** The letter pairs that make up seven eighths of English words and names in code; of random letters they are a quarter. */
const COMMON_PAIRS =
  'estesttireerleinonorcoatenitntdeiorasefiaradodanlingasilcaalthrossgeactaeddymeeaetusnsheocndecismaomrichdotr' +
  'exctpevepapltsncagcerruepursladdsiloboprbeiatoulmphaemnaunsutlginedaopurutamelrtptytckapicporpouaypymocsnoai' +
  'rcdieftyigclxaabfafollimsomiolbattniuphoifdsumeprgebpiaasccridsrwiypnfblluxtieruvaevkeirskowauduotooquwetuix'

/** Whether a pair is one of them, by its letters: asked for every character of every value. */
const isCommon = new Uint8Array(26 * 26)
for (let at = 0; at < COMMON_PAIRS.length; at += 2)
  isCommon[(COMMON_PAIRS.charCodeAt(at) - 97) * 26 + COMMON_PAIRS.charCodeAt(at + 1) - 97] = 1

const LOWER = 1
const UPPER = 2
const DIGIT = 3
const OTHER = 4

/** How much more likely each pair of neighbours is in a random string than in a name, as a logarithm, softened where names vary most. */
const COMMON = -1.6
const RARE = 1.4
const HUMP = 0.6
const LETTER_AND_DIGIT = 1.6
const IN_NUMBER = 0
const AT_SEPARATOR = -0.6

/** The evidence per character that a string is random: random strings lie around 0.8, words and paths below 0. */
export function randomness(text: string): number {
  let evidence = 0
  let before = classOf(text.charCodeAt(0))
  for (let i = 1; i < text.length; i++) {
    const now = classOf(text.charCodeAt(i))
    evidence += weigh(before, now, text, i)
    before = now
  }
  return evidence / Math.max(1, text.length)
}

function weigh(before: number, now: number, text: string, i: number): number {
  if (before === OTHER || now === OTHER) return AT_SEPARATOR
  if (before === DIGIT && now === DIGIT) return IN_NUMBER
  if (before === DIGIT || now === DIGIT) return LETTER_AND_DIGIT
  if (before === LOWER && now === UPPER) return HUMP
  // Capital and small letters differ in one bit.
  const pair = ((text.charCodeAt(i - 1) | 32) - 97) * 26 + (text.charCodeAt(i) | 32) - 97
  return isCommon[pair] === 1 ? COMMON : RARE
}

function classOf(code: number): number {
  if (code >= 97 && code <= 122) return LOWER
  if (code >= 65 && code <= 90) return UPPER
  return code >= 48 && code <= 57 ? DIGIT : OTHER
}

/** True when neighbours mostly follow each other, as in an alphabet, or repeat, as in a ruler. */
export function isMonotonous(text: string): boolean {
  let steps = 0
  for (let i = 1; i < text.length; i++) {
    const distance = Math.abs(text.charCodeAt(i) - text.charCodeAt(i - 1))
    if (distance <= 1) steps++
  }
  return steps * 2 > text.length
}

/** Base64 that holds readable text is a text, not a key. */
export function saysSomething(run: string): boolean {
  if (run.length < 16) return false
  const sample = run
    .replace(/[-_]/g, (char) => (char === '-' ? '+' : '/'))
    .replace(/(?<!=)=+$/, '')
    .slice(0, 400)
  const bytes = decodeBase64(sample.slice(0, sample.length - (sample.length % 4)))
  return bytes !== undefined && (/^[\x20-\x7e\r\n\t]+$/.test(bytes) || isText(bytes))
}

/** Letters beyond English take two bytes or three, of which each says how many follow; the last may have been cut off. */
function isText(bytes: string): boolean {
  return /^(?:[\x20-\x7e\r\n\t]|[\xc3-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}){8,}[\xc3-\xef]?[\x80-\xbf]?$/.test(
    bytes,
  )
}

function decodeBase64(text: string): string | undefined {
  return /^[A-Za-z0-9+/]+$/.test(text) ? atob(text) : undefined
}
