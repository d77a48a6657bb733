/**
 * The text with each of the lines at these places, from left to right, replaced by what `replace` makes of it. A line comes with the
 * line ends on both its sides, so that an expression sees what it would see in the whole text.
 */
export function replaceOnLines(text: string, places: readonly number[], replace: (line: string) => string): string {
  let result = ''
  let done = 0
  let end = -1
  for (const place of places) {
    if (place < end) continue
    const start = Math.max(0, text.lastIndexOf('\n', place - 1))
    const newline = text.indexOf('\n', place)
    end = newline < 0 ? text.length : newline
    const line = text.slice(start, end + 1)
    const became = replace(line)
    if (became === line) continue
    // The line end behind it belongs to the next line too.
    const rest = newline < 0 ? became : became.slice(0, -1)
    result += text.slice(done, start) + rest
    done = end
  }
  return done === 0 ? text : result + text.slice(done)
}
