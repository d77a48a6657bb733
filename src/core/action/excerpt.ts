/** The lines that went and came, marked `-` and `+`, without those that only moved. */
export function diff(old: string, now: string): string {
  const before = trimmedLines(old)
  const after = trimmedLines(now)
  const kept = new Set(after.filter((line) => before.includes(line)))
  const changed = (lines: string[], mark: string) => lines.filter((line) => !kept.has(line)).map((line) => mark + line)
  return [...changed(before, '-'), ...changed(after, '+')].join('\n')
}

/** More lines than an excerpt can show are not looked at. */
function trimmedLines(code: string): string[] {
  const lines = code.slice(0, 20_000).split('\n')
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, 200)
}
