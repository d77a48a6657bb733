const NAME = /^[\w!#$%&'*+.^`|~-]+$/

/** What must not stand in a message's head: control characters, and half a line break. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
export const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)|(?<!\r)\n/

const names = new Set<string>()

/** Whether a header may be called this. The same few names come again and again, so each is looked at once. */
export function isName(name: string): boolean {
  if (names.has(name)) return true
  if (!NAME.test(name)) return false
  if (names.size < 1000) names.add(name)
  return true
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
