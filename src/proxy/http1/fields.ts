const NAME = /^[\w!#$%&'*+.^`|~-]+$/

/** What must not stand in a message's head: control characters, and half a line break. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
export const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)|(?<!\r)\n/

const names = new Map<string, string>()

/**
 * A header's name, undefined when it may not be called this. The same few come again and again, so each is looked at once,
 * and is one and the same string from then on: looking that up takes no reading of its letters.
 */
export function nameOf(written: string): string | undefined {
  const known = names.get(written)
  if (known !== undefined) return known
  if (!NAME.test(written)) return undefined
  if (names.size < 1000) names.set(written, written)
  return written
}

/** The rest of a line without the blanks around it. */
export function trimmed(line: string, from: number): string {
  let start = from
  let end = line.length
  while (start < end && isBlank(line.charCodeAt(start))) start++
  while (end > start && isBlank(line.charCodeAt(end - 1))) end--
  return line.slice(start, end)
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}
