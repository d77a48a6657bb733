/**
 * Regular expressions that are compiled when a text may match them. A process that lives for one event compiles every
 * expression it uses anew, which takes longer than everything else it does, and most of them look for words that the text
 * does not have. `scripts/screen-expressions.mjs` puts them in place of ordinary ones in what such a process runs, and works
 * out which letters each of them needs.
 */

/** How many kinds of three letters are told apart; some share one, and then a text is taken for one that may match. */
export const GRAMS = 32768

/** Stands in place of a letter for the beginning or end of a word of Latin letters. */
export const EDGE = 1

/** The number of up to three letters that follow each other; what is missing before them is 0. */
export function gramOf(first: number, second: number, third: number): number {
  const mixed = Math.imul(Math.imul(Math.imul(first + 7, 31) + second, 0x01000193) + third, 0x2c1b3c6d)
  return (mixed ^ (mixed >>> 15)) & (GRAMS - 1)
}

/** Reading a long text for its letters takes longer than compiling. */
const LONGEST = 4000
/** Letters of which another form in lower case is another letter than the one that an expression takes them for. */
const ODD = /[\u0130\u017f\u212a]/

const marks = new Uint8Array(GRAMS)
let turn = 0
let read: { text: string; isShown: boolean } = { text: '', isShown: false }

/** Marks every gram of a text; false where that tells nothing. */
function isRead(text: string): boolean {
  if (text === read.text && turn > 0) return read.isShown
  const isShown = text.length <= LONGEST && !ODD.test(text)
  read = { text, isShown }
  if (turn === 255) marks.fill(0)
  turn = turn === 255 ? 1 : turn + 1
  if (!isShown) return false
  const lower = text.toLowerCase()
  let first = 0
  let second = 0
  for (let at = 0; at <= lower.length; at++) {
    const third = at < lower.length ? lower.charCodeAt(at) : 0
    marks[gramOf(0, 0, third)] = turn
    marks[gramOf(0, second, third)] = turn
    marks[gramOf(first, second, third)] = turn
    if (isLetter(second)) {
      const begins = !isLetter(first)
      if (begins) {
        marks[gramOf(0, EDGE, second)] = turn
        marks[gramOf(EDGE, second, third)] = turn
      }
      if (!isLetter(third)) {
        marks[gramOf(0, second, EDGE)] = turn
        marks[gramOf(first, second, EDGE)] = turn
        if (begins) marks[gramOf(EDGE, second, EDGE)] = turn
      }
    }
    first = second
    second = third
  }
  return true
}

/** The letters after which a word of Latin letters goes on. */
export function isLetter(code: number): boolean {
  return code >= 97 && code <= 122
}

/** Whether the text has both grams of one of the pairs. */
export function mayMatch(needs: string, text: string): boolean {
  if (!isRead(text)) return true
  for (let at = 0; at < needs.length; at += 2)
    if (marks[needs.charCodeAt(at)] === turn && marks[needs.charCodeAt(at + 1)] === turn) return true
  return false
}

/** An expression that needs one of those pairs of grams in a text. */
export function screened(source: string, flags: string, needs: string): RegExp {
  return new Screened(source, flags, needs) as unknown as RegExp
}

/** What strings ask of an expression, and what people ask of one. */
class Screened {
  readonly source: string
  readonly flags: string
  readonly #needs: string
  #made: RegExp | undefined
  #lastIndex = 0

  constructor(source: string, flags: string, needs: string) {
    this.source = source
    this.flags = flags
    this.#needs = needs
  }

  get lastIndex(): number {
    return this.#made?.lastIndex ?? this.#lastIndex
  }

  set lastIndex(at: number) {
    if (this.#made) this.#made.lastIndex = at
    else this.#lastIndex = at
  }

  /** The expression itself; nothing where the text cannot match. */
  #for(text: string): RegExp | undefined {
    if (this.#made) return this.#made
    if (!mayMatch(this.#needs, text)) {
      if (this.flags.includes('g') || this.flags.includes('y')) this.#lastIndex = 0
      return undefined
    }
    this.#made = new RegExp(this.source, this.flags)
    this.#made.lastIndex = this.#lastIndex
    return this.#made
  }

  test(text: string): boolean {
    return this.#for(text)?.test(text) ?? false
  }

  exec(text: string): RegExpExecArray | null {
    return this.#for(text)?.exec(text) ?? null
  }

  [Symbol.match](text: string): RegExpMatchArray | null {
    return this.#for(text)?.[Symbol.match](text) ?? null
  }

  [Symbol.matchAll](text: string): Iterable<RegExpMatchArray> {
    return this.#for(text)?.[Symbol.matchAll](text) ?? [].values()
  }

  [Symbol.replace](text: string, by: string): string {
    return this.#for(text)?.[Symbol.replace](text, by) ?? text
  }

  [Symbol.search](text: string): number {
    return this.#for(text)?.[Symbol.search](text) ?? -1
  }

  [Symbol.split](text: string, limit?: number): string[] {
    return this.#for(text)?.[Symbol.split](text, limit) ?? [text].slice(0, limit)
  }
}
