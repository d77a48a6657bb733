/**
 * Every key worth the name is a long run of letters, digits and a few signs, and in ordinary text such runs are rare.
 * Looking at every fifteenth character finds them all, several times faster than reading every one.
 */

const SHORTEST = 15

const isRunChar = new Uint8Array(128)
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.~:+/=-')
  isRunChar[char.charCodeAt(0)] = 1

/** The text with each of its long runs replaced by what `replace` makes of it. Each character is read at most twice. */
export function replaceRuns(text: string, replace: (run: string, start: number) => string): string {
  let result = ''
  let done = 0
  let at = SHORTEST - 1
  while (at < text.length) {
    if (!belongs(text, at)) {
      at += SHORTEST
      continue
    }
    let start = at
    while (start > done && belongs(text, start - 1)) start--
    let end = at + 1
    while (end < text.length && belongs(text, end)) end++
    at = end + SHORTEST
    if (end - start < SHORTEST) continue
    // In a quoted text the letter behind a backslash belongs to the line end, not to the key.
    if (text[start - 1] === '\\' && /[nrt]/.test(text[start]!)) start++
    result += text.slice(done, start) + replace(text.slice(start, end), start)
    done = end
  }
  return result + text.slice(done)
}

function belongs(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code < 128 && isRunChar[code] === 1
}
