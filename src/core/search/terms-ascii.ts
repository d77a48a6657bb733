/**
 * The terms of a text that is all ASCII, as nearly every text is. `terms.ts` says what terms are, in regular expressions;
 * here the same is done byte by byte, several times as fast, because nothing is cut out, looked up or joined.
 */

export const STOP_WORDS = new Set(
  (
    'the and for with that this from are was were not but you can has have had its also into when then than which what there ' +
    'will would should could does did just only some any all our your they them their more very been being about after before ' +
    'if in is it of on or to an as at be by do we so no up my me us he she who how why'
  ).split(' '),
)
const LONGEST_STOP_WORD = 6
export const MAX_WORD = 40
export const MAX_WHOLE = 60

/** Fixed in size, because that makes them quick; a longer text goes the other way. */
const MAX_CHARS = 4096
const input = new Uint8Array(MAX_CHARS)
/** The parts of the identifier at hand, in lower case, one after the other. */
const parts = new Uint8Array(MAX_CHARS)
/** At worst every letter is a part, with a space before it, and stands once more in the whole. */
const output = new Uint8Array(4 * MAX_CHARS)
const encoder = new TextEncoder()
const decoder = new TextDecoder()

const [OTHER, LOWER, UPPER, DIGIT, UNDERSCORE] = [0, 1, 2, 3, 4]
const KIND = Uint8Array.from({ length: 256 }, (_, code) => {
  const sign = String.fromCharCode(code)
  if (/[a-z]/.test(sign)) return LOWER
  if (/[A-Z]/.test(sign)) return UPPER
  if (/[0-9]/.test(sign)) return DIGIT
  return sign === '_' ? UNDERSCORE : OTHER
})

const [SPACE, C, D, E, G, H, I, N, S, U, X, Y, Z] = [...' cdeghinsuxyz'].map((sign) => sign.charCodeAt(0))
const STAYS_DOUBLE = Uint8Array.from({ length: 256 }, (_, code) =>
  Number('aeiouls'.includes(String.fromCharCode(code))),
)

/** All terms with a space before each; nothing when this is not the way for the text. */
export function asciiTerms(text: string): string | undefined {
  const { length } = text
  // A letter beyond ASCII takes more bytes than one.
  if (length > MAX_CHARS || encoder.encodeInto(text, input).written !== length) return undefined
  let written = 0
  let from = 0
  while (from < length) {
    if (KIND[input[from]!] === OTHER) {
      from++
      continue
    }
    let to = from + 1
    while (to < length && KIND[input[to]!] !== OTHER) to++
    written = writeIdentifier(from, to, written)
    from = to + 1
  }
  return written === 0 ? '' : decoder.decode(output.subarray(0, written))
}

/** The words of one identifier, and the whole of it when it has several; answers where in the output that ends. */
function writeIdentifier(from: number, to: number, written: number): number {
  let [at, many, whole, end] = [from, 0, 0, written]
  while (at < to) {
    const kind = KIND[input[at]!]!
    if (kind === UNDERSCORE) {
      at++
      continue
    }
    const part = whole
    for (const partEnd = endOfPart(at, to, kind); at < partEnd; at++)
      parts[whole++] = KIND[input[at]!] === UPPER ? input[at]! + 32 : input[at]!
    many++
    if (isWord(part, whole)) end = writeStem(part, whole, end)
  }
  return many > 1 && whole > 2 && whole <= MAX_WHOLE ? writeStem(0, whole, end) : end
}

/** `HTTPHeader` is cut before its second H: the last capital belongs to the small letters that follow. */
function endOfPart(from: number, to: number, kind: number): number {
  let at = from + 1
  while (at < to && KIND[input[at]!] === kind) at++
  if (kind !== UPPER || at === to || KIND[input[at]!] !== LOWER) return at
  return at - from > 1 ? at - 1 : endOfPart(at, to, LOWER)
}

function isWord(from: number, to: number): boolean {
  const length = to - from
  if (length < 2 || length > MAX_WORD) return false
  if (KIND[parts[from]!] === DIGIT) return length > 2
  return length > LONGEST_STOP_WORD || !STOP_NUMBERS.has(numberOf(from, to))
}

/** A short word as a number that no other word has. */
function numberOf(from: number, to: number): number {
  let number = 0
  for (let at = from; at < to; at++) number = number * 27 + parts[at]! - 96
  return number
}

const STOP_NUMBERS = new Set([...STOP_WORDS].map((word) => numberOf(0, encoder.encodeInto(word, parts).written)))

/** A space, and what `stem` makes of the word. */
function writeStem(from: number, to: number, written: number): number {
  const start = written + 1
  output[written] = SPACE!
  for (let at = from; at < to; at++) output[start + at - from] = parts[at]!
  const end = start + to - from
  if (to - from < 4) return end
  let bare = withoutEnding(start, end)
  if (bare - start < 3) return end
  if (output[bare - 1] === output[bare - 2] && !STAYS_DOUBLE[output[bare - 1]!]) bare--
  return output[bare - 1] === E ? bare - 1 : bare
}

/** Where the word ends then. */
function withoutEnding(start: number, end: number): number {
  if (output[end - 1] !== S) return withoutVerbEnding(start, end)
  const before = output[end - 2]
  const third = output[end - 3]
  if (before === E && third === I && end - start > 4) {
    output[end - 3] = Y!
    return end - 2
  }
  if (before === E && takesEs(third, output[end - 4])) return end - 2
  if (before === S || before === U || before === I) return end
  return withoutVerbEnding(start, end - 1)
}

/** After `ch`, `sh`, `x`, `z` and `ss`. */
function takesEs(last: number | undefined, before: number | undefined): boolean {
  if (last === H) return before === C || before === S
  return last === X || last === Z || (last === S && before === S)
}

function withoutVerbEnding(start: number, end: number): number {
  const last = output[end - 1]
  const before = output[end - 2]
  if (last === G && before === N && output[end - 3] === I && end - start > 5) return end - 3
  return last === D && before === E && end - start > 4 ? end - 2 : end
}
