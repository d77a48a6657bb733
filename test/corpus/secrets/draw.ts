/** Drawing from a seed, so that the corpus is the same everywhere and no secret-looking text is ever committed. */

const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const DIGITS = '0123456789'
export const UPPER = LOWER.toUpperCase()
export const ALNUM = LOWER + UPPER + DIGITS
export const URL_SAFE = `${ALNUM}-_`
export const BASE64 = `${ALNUM}+/`
export const HEX = `${DIGITS}abcdef`
export const BASE36 = LOWER + DIGITS
export const BASE32 = `${UPPER}234567`
export const LETTERS = LOWER + UPPER

export interface Draw {
  /** A whole number below `limit`. */
  below(limit: number): number
  pick<T>(choices: readonly T[]): T
  text(alphabet: string, length: number): string
  hex(length: number): string
  uuid(): string
  words(count: number, separator?: string): string
}

/** The same seed draws the same things in the same order. */
export function draw(seed: number): Draw {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  const pick = <T>(choices: readonly T[]) => choices[below(choices.length)]!
  const text = (alphabet: string, length: number) =>
    Array.from({ length }, () => alphabet[below(alphabet.length)]).join('')
  const hex = (length: number) => text(HEX, length)
  const uuid = () => [hex(8), hex(4), `4${hex(3)}`, `${pick(['8', '9', 'a', 'b'])}${hex(3)}`, hex(12)].join('-')
  const words = (count: number, separator = ' ') => Array.from({ length: count }, () => pick(WORDS)).join(separator)
  return { below, pick, text, hex, uuid, words }
}

const WORDS =
  'access account action active adapter address agent alert anchor archive array async backend balance banner batch binary bridge broker bucket buffer build button cache canvas channel client cluster column commit compose config connect content context control counter create cursor customer daemon data default deploy detail device dialog digest domain draft driver editor element empty endpoint engine entry event export factory feature fetch field filter folder format gateway global graph handler header height helper history image import index inline input install invoice item journal kernel label layer layout ledger library limit listener loader local logger manager market matrix member message metric migration mirror mobile model module monitor network notice number object offset option order output owner package page panel parser partner payment picker pipeline pixel planner plugin policy pool preview price printer process product profile project prompt property provider queue range reader record refund region registry release render report request resource response result retry review role route runner sample schema scope screen search section segment server service session setting shadow shape signal socket source stage state status storage store stream string style submit summary switch symbol sync system table target task template tenant theme ticket timeline toggle toolbar tracker transfer tree trigger update upload user validate value vendor version video view visitor volume wallet widget window worker wrapper zone'.split(
    ' ',
  )
