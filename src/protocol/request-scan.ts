/**
 * Finds where things lie in a JSON request without parsing it, so that bytes can be put in and every other byte
 * stays the client's own. Structure, numbers and literals are checked by the JSON grammar; what stands inside a string
 * is not looked at, only where the string ends, because that is all an insertion depends on.
 */

/** Where a JSON value lies in a body: from `start` up to, not including, `end`. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Bytes to put into a body in front of the byte at `at`. */
export interface Insertion {
  at: number
  bytes: Uint8Array
}

/** A value at the top level of a body. */
export interface Value extends Span {
  /** One and the same object for as long as the scans of a conversation find the same bytes: what was read from them is known by it. */
  readonly content: object
}

/** A request body's top level: each key's value, and the elements of those values that are arrays. */
export interface RequestScan {
  readonly root: Span
  readonly keys: ReadonlyMap<string, Value>
  readonly arrays: ReadonlyMap<string, Span[]>
}

/** The scan of an earlier body, and a quick comparison of the two bodies' bytes. */
export interface EarlierScan {
  readonly scan: RequestScan
  /** Whether `length` bytes at `from` in the earlier body are the same as those at `at` in this one. */
  isSame(from: number, at: number, length: number): boolean
}

// Far more than any real request nests; beyond it we forward the body as it came.
const MAX_DEPTH = 1024
const OBJECT = 1
const ARRAY = 2
// One scan runs at a time and never calls out, so one stack serves all.
const containers = new Uint8Array(MAX_DEPTH)

/**
 * Scans a whole body in one pass; undefined when it is not one JSON object or names a top-level key twice. A conversation's
 * request repeats nearly all of the one before it: given that one's scan, values and leading elements with the same bytes
 * are taken over. What is found is the same; elements that did not move are even the same objects.
 */
export function scanRequest(body: Uint8Array, earlier?: EarlierScan): RequestScan | undefined {
  const start = skipSpace(body, 0)
  const keys = new Map<string, Value>()
  const arrays = new Map<string, Span[]>()
  const end = walkMembers(body, start, (key, at) => {
    if (keys.has(key)) return -1
    const known = earlier && knownValue(body, at, key, earlier)
    const isArray = body[at] === OPEN_BRACKET
    const elements = known?.elements ?? []
    const end = known?.end ?? (isArray ? walkArray(body, at, elements) : skipValue(body, at))
    if (isArray) arrays.set(key, elements)
    keys.set(key, { start: at, end, content: known?.content ?? {} })
    return end
  })
  if (end < 0 || skipSpace(body, end) !== body.length) return undefined
  return { root: { start, end }, keys, arrays }
}

interface KnownValue {
  end: number
  content: object | undefined
  elements: Span[] | undefined
}

/** What the earlier scan tells of the value at `at`. A number's end depends on the byte behind it, so it is not asked for those. */
function knownValue(body: Uint8Array, at: number, key: string, { scan, isSame }: EarlierScan): KnownValue | undefined {
  const value = scan.keys.get(key)
  const first = body[at]
  if (!value || (first !== OPEN_BRACE && first !== OPEN_BRACKET && first !== QUOTE)) return undefined
  const elements = first === OPEN_BRACKET ? scan.arrays.get(key) : undefined
  const by = at - value.start
  if (isSame(value.start, at, value.end - value.start)) {
    return { end: value.end + by, content: value.content, elements: elements && shifted(elements, by) }
  }
  if (!elements) return undefined
  const kept = shifted(
    elements.slice(
      0,
      leadingSame(elements, (end) => isSame(value.start, at, end - value.start)),
    ),
    by,
  )
  const last = kept.at(-1)
  if (!last || body[last.end - 1] !== CLOSE_BRACE) return undefined
  return { end: walkRest(body, last.end, kept), content: undefined, elements: kept }
}

/** How many of the elements lie in the stretch that is the same: halving, because each look compares from the beginning. */
function leadingSame(elements: readonly Span[], isSameUpTo: (end: number) => boolean): number {
  let [least, most] = [0, elements.length]
  while (least < most) {
    const middle = (least + most + 1) >> 1
    if (isSameUpTo(elements[middle - 1]!.end)) least = middle
    else most = middle - 1
  }
  return least
}

function shifted(spans: Span[], by: number): Span[] {
  return by === 0 ? spans.slice() : spans.map(({ start, end }) => ({ start: start + by, end: end + by }))
}

/** The members of the object at `span`; undefined when it is no object or names a key twice. */
export function membersOf(body: Uint8Array, span: Span): ReadonlyMap<string, Span> | undefined {
  const members = new Map<string, Span>()
  return walkObject(body, span.start, members) === span.end ? members : undefined
}

/** The first member of this name in the object at `span`; looks no further than it has to. */
export function memberAt(body: Uint8Array, { start, end }: Span, name: string): Span | undefined {
  if (body[start] !== OPEN_BRACE) return undefined
  for (let i = skipSpace(body, start + 1); i < end && body[i] === QUOTE; ) {
    const keyEnd = skipString(body, i)
    const valueStart = keyEnd < 0 ? -1 : skipColon(body, keyEnd)
    const valueEnd = valueStart < 0 ? -1 : skipValue(body, valueStart)
    if (valueEnd < 0 || valueEnd > end) return undefined
    if (readKey(body, i, keyEnd) === name) return { start: valueStart, end: valueEnd }
    const comma = skipSpace(body, valueEnd)
    if (body[comma] !== COMMA) return undefined
    i = skipSpace(body, comma + 1)
  }
  return undefined
}

/** The elements of the array at `span`; undefined when it is no array. */
export function elementsOf(body: Uint8Array, span: Span): Span[] | undefined {
  const elements: Span[] = []
  return walkArray(body, span.start, elements) === span.end ? elements : undefined
}

/** Parses one value out of a body. */
export function valueAt(body: Uint8Array, span: Span): unknown {
  return JSON.parse(textOf(body, span.start, span.end))
}

/** Adds one element, given as JSON, behind the last one of the array at `array`. */
export function appendElement(body: Uint8Array, array: Span, json: Uint8Array): Insertion {
  if (isEmptyArray(body, array)) return { at: array.end - 1, bytes: json }
  const bytes = new Uint8Array(json.length + 1)
  bytes[0] = COMMA
  bytes.set(json, 1)
  return { at: array.end - 1, bytes }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

function textOf(body: Uint8Array, start: number, end: number): string {
  return decoder.decode(body.subarray(start, end))
}

function isEmptyArray(body: Uint8Array, span: Span): boolean {
  if (body[span.start] !== OPEN_BRACKET || body[span.end - 1] !== CLOSE_BRACKET)
    throw new TypeError('There is no array here')
  return skipSpace(body, span.start + 1) === span.end - 1
}

/* Every function below takes the position where something begins and returns the one behind it, or -1. */

function walkObject(body: Uint8Array, start: number, members: Map<string, Span>): number {
  return walkMembers(body, start, (key, at) => {
    // Which of two values counts is each reader's own choice, so we do not choose.
    if (members.has(key)) return -1
    const end = skipValue(body, at)
    members.set(key, { start: at, end })
    return end
  })
}

/** `walkValue` is given each key and where its value begins, and returns where it ends. */
function walkMembers(body: Uint8Array, start: number, walkValue: (key: string, at: number) => number): number {
  if (body[start] !== OPEN_BRACE) return -1
  let i = skipSpace(body, start + 1)
  if (body[i] === CLOSE_BRACE) return i + 1
  for (;;) {
    const keyEnd = body[i] === QUOTE ? skipString(body, i) : -1
    if (keyEnd < 0) return -1
    const key = readKey(body, i, keyEnd)
    if (key === undefined) return -1
    const valueStart = skipColon(body, keyEnd)
    if (valueStart < 0) return -1
    const valueEnd = walkValue(key, valueStart)
    if (valueEnd < 0) return -1
    i = skipSpace(body, valueEnd)
    if (body[i] === CLOSE_BRACE) return i + 1
    if (body[i] !== COMMA) return -1
    i = skipSpace(body, i + 1)
  }
}

function walkArray(body: Uint8Array, start: number, elements: Span[]): number {
  if (body[start] !== OPEN_BRACKET) return -1
  const first = skipSpace(body, start + 1)
  if (body[first] === CLOSE_BRACKET) return first + 1
  const end = skipValue(body, first)
  if (end < 0) return -1
  elements.push({ start: first, end })
  return walkRest(body, end, elements)
}

/** An array from behind one of its elements. */
function walkRest(body: Uint8Array, start: number, elements: Span[]): number {
  let i = skipSpace(body, start)
  while (body[i] === COMMA) {
    const next = skipSpace(body, i + 1)
    const end = skipValue(body, next)
    if (end < 0) return -1
    elements.push({ start: next, end })
    i = skipSpace(body, end)
  }
  return body[i] === CLOSE_BRACKET ? i + 1 : -1
}

function readKey(body: Uint8Array, start: number, end: number): string | undefined {
  // Nearly every key is plain ASCII, and a decoder costs more than its letters.
  let key = ''
  for (let i = start + 1; i < end - 1; i++) {
    const byte = body[i]!
    if (byte >= 0x80 || byte === BACKSLASH) return decodeKey(body, start, end)
    key += String.fromCharCode(byte)
  }
  return key
}

function decodeKey(body: Uint8Array, start: number, end: number): string | undefined {
  try {
    return JSON.parse(textOf(body, start, end)) as string
  } catch {
    return undefined // not a JSON string, so not a JSON body
  }
}

/** Any value, without recursion: a hostile body cannot exhaust the call stack. */
function skipValue(body: Uint8Array, start: number): number {
  let depth = 0
  let i = start
  for (;;) {
    const byte = body[i]
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      const inside = skipSpace(body, i + 1)
      if (body[inside] === (byte === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET)) {
        i = inside + 1
      } else {
        if (depth === MAX_DEPTH) return -1
        containers[depth++] = byte === OPEN_BRACE ? OBJECT : ARRAY
        i = byte === OPEN_BRACE ? skipKey(body, inside) : inside
        if (i < 0) return -1
        continue
      }
    } else {
      i = byte === QUOTE ? skipString(body, i) : skipScalar(body, i)
      if (i < 0) return -1
    }
    // A value just ended: leave every container that ends with it, then go to the next value.
    for (;;) {
      if (depth === 0) return i
      i = skipSpace(body, i)
      const next = body[i]
      const inObject = containers[depth - 1] === OBJECT
      if (next === COMMA) {
        i = skipSpace(body, i + 1)
        if (inObject) i = skipKey(body, i)
        if (i < 0) return -1
        break
      }
      if (next !== (inObject ? CLOSE_BRACE : CLOSE_BRACKET)) return -1
      depth--
      i++
    }
  }
}

/** A key and its colon, up to where the value begins. */
function skipKey(body: Uint8Array, start: number): number {
  if (body[start] !== QUOTE) return -1
  const end = skipString(body, start)
  return end < 0 ? -1 : skipColon(body, end)
}

function skipColon(body: Uint8Array, start: number): number {
  const colon = skipSpace(body, start)
  return body[colon] === COLON ? skipSpace(body, colon + 1) : -1
}

function skipSpace(body: Uint8Array, start: number): number {
  let i = start
  while (i < body.length) {
    const byte = body[i]
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break
    i++
  }
  return i
}

/** A string, quotes included. `indexOf` runs in native code, which is what makes a 5 MB body cheap. */
function skipString(body: Uint8Array, start: number): number {
  let from = start + 1
  for (;;) {
    const quote = body.indexOf(QUOTE, from)
    if (quote < 0) return -1
    // Behind an odd number of backslashes the quote belongs to the text.
    let backslashes = 0
    while (quote - backslashes > from && body[quote - backslashes - 1] === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return quote + 1
    from = quote + 1
  }
}

function skipScalar(body: Uint8Array, start: number): number {
  switch (body[start]) {
    case 0x74:
      return skipWord(body, start, 'true')
    case 0x66:
      return skipWord(body, start, 'false')
    case 0x6e:
      return skipWord(body, start, 'null')
    default:
      return skipNumber(body, start)
  }
}

function skipWord(body: Uint8Array, start: number, word: string): number {
  for (let i = 0; i < word.length; i++) if (body[start + i] !== word.charCodeAt(i)) return -1
  return start + word.length
}

function skipNumber(body: Uint8Array, start: number): number {
  let i = body[start] === 0x2d ? start + 1 : start
  const whole = i
  i = skipDigits(body, i)
  if (i === whole || (body[whole] === 0x30 && i > whole + 1)) return -1
  if (body[i] === 0x2e) {
    const fraction = i + 1
    i = skipDigits(body, fraction)
    if (i === fraction) return -1
  }
  if (body[i] === 0x65 || body[i] === 0x45) {
    i++
    if (body[i] === 0x2b || body[i] === 0x2d) i++
    const exponent = i
    i = skipDigits(body, exponent)
    if (i === exponent) return -1
  }
  return i
}

function skipDigits(body: Uint8Array, start: number): number {
  let i = start
  while (i < body.length && body[i]! >= 0x30 && body[i]! <= 0x39) i++
  return i
}
