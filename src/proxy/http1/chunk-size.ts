const MOST_DIGITS = 6
const NO_DIGIT = 255
const CR = 0x0d
const LF = 0x0a
const VALUES = new Uint8Array(256).fill(NO_DIGIT)
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  VALUES[digit.charCodeAt(0)] = value
  VALUES[digit.toUpperCase().charCodeAt(0)] = value
}

/** Where the data behind a chunk's size begins, if that is what nearly every size is: a few digits and the line break. */
export function plainSizeEnd(bytes: Buffer, start: number): number | undefined {
  let at = start
  while (at < start + MOST_DIGITS && isDigit(bytes[at])) at++
  return at > start && bytes[at] === CR && bytes[at + 1] === LF ? at + 2 : undefined
}

/** The size that a plain line spells, whose data begins at `end`. */
export function plainSize(bytes: Buffer, start: number, end: number): number {
  let size = 0
  for (let at = start; at < end - 2; at++) size = size * 16 + VALUES[bytes[at]!]!
  return size
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && VALUES[byte] !== NO_DIGIT
}
