/**
 * A secret that was found in one place is one wherever else it stands in the same text: told in a sentence, typed twice, or printed by a
 * program that was handed it. Words alone are left, since a text may be about what somebody chose for a password.
 */

const SHORTEST = 7
/** A text with more secrets is a list of them, of which each stands in its own place. */
const MOST = 32
/** In a longer text, such as a file of code, one mistake would become many. */
const LONGEST_TEXT = 4000
const INSIDE = /[\p{L}\d_]/u

/** Whether a value can hardly stand for anything else in the same text. */
export function isTelltale(value: string): boolean {
  return value.length >= SHORTEST && /\p{L}/u.test(value) && /\d|[!@#$%^*?+~]/.test(value) && !/[\s[\]]/.test(value)
}

/** Masks what was found before wherever it stands by itself. */
export function withoutRepeats(text: string, found: ReadonlySet<string>, mask: string): string {
  if (text.length > LONGEST_TEXT) return text
  let rest = text
  for (const value of [...found].slice(0, MOST)) {
    if (!rest.includes(value)) continue
    const parts = rest.split(value)
    rest = parts.reduce((before, part) => {
      const isApart = (!INSIDE.test(before.at(-1) ?? ' ') || before.endsWith('\\n')) && !INSIDE.test(part[0] ?? ' ')
      return before + (isApart ? mask : value) + part
    })
  }
  return rest
}
