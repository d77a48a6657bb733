/** A unified diff as lines that can be shown and commented on. */

export interface DiffLine {
  type: 'context' | 'added' | 'removed' | 'hunk'
  text: string
  /** In the new file, or in the old one for what was removed. */
  line?: number
}

export interface FileDiff {
  path: string
  added: number
  removed: number
  isBinary?: true
  lines: DiffLine[]
}

/** Reads the output of `git diff`. What it does not know is left out, never guessed. */
export function readPatch(patch: string): FileDiff[] {
  const files: FileDiff[] = []
  let at = { old: 0, new: 0 }
  for (const text of patch.split('\n')) {
    const file = files.at(-1)
    if (text.startsWith('diff --git ')) {
      files.push({ path: pathIn(text), added: 0, removed: 0, lines: [] })
      at = { old: 0, new: 0 }
      continue
    }
    if (!file) continue
    if (at.new === 0 && /^Binary files .* differ$/.test(text)) file.isBinary = true
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/.exec(text)
    if (hunk) {
      at = { old: Number(hunk[1]), new: Number(hunk[2]) }
      // At its very beginning nothing was left out.
      if (at.new > 1 || file.lines.length > 0) file.lines.push({ type: 'hunk', text: hunk[3]!.trim() })
    } else if (at.new === 0 && at.old === 0) {
      const renamed = /^\+\+\+ (?:b\/)?(.+)$/.exec(text)?.[1]
      if (renamed && renamed !== '/dev/null') file.path = unquoted(renamed)
    } else if (text.startsWith('+')) {
      file.added++
      file.lines.push({ type: 'added', text: text.slice(1), line: at.new++ })
    } else if (text.startsWith('-')) {
      file.removed++
      file.lines.push({ type: 'removed', text: text.slice(1), line: at.old++ })
    } else if (text.startsWith(' ')) {
      file.lines.push({ type: 'context', text: text.slice(1), line: at.new++ })
      at.old++
    }
  }
  return files
}

/** The next line before or after one that can be commented on. */
export function lineBeside(lines: DiffLine[], from: number, by: 1 | -1): number | undefined {
  for (let at = from + by; at >= 0 && at < lines.length; at += by) if (lines[at]!.line !== undefined) return at
  return undefined
}

/** Two versions of a text as lines: what they share at the beginning and at the end is context. */
export function changedLines(
  before: string | undefined,
  after: string | undefined,
): { type: 'context' | 'added' | 'removed'; text: string }[] {
  const lines = (text: string | undefined) => (text ? text.split('\n') : [])
  const [was, is] = [lines(before), lines(after)]
  const shorter = Math.min(was.length, is.length)
  let start = 0
  while (start < shorter && was[start] === is[start]) start++
  let end = 0
  while (end < shorter - start && was.at(-1 - end) === is.at(-1 - end)) end++
  const as = (type: 'context' | 'added' | 'removed') => (text: string) => ({ type, text })
  return [
    ...is.slice(0, start).map(as('context')),
    ...was.slice(start, was.length - end).map(as('removed')),
    ...is.slice(start, is.length - end).map(as('added')),
    ...is.slice(is.length - end).map(as('context')),
  ]
}

function pathIn(head: string): string {
  const both = /^diff --git (?:a\/(.+) b\/\1|"?a\/.+"? "?b\/(.+?)"?)$/.exec(head)
  return both?.[1] ?? both?.[2] ?? head.slice('diff --git '.length)
}

/** Git quotes paths with bytes outside of ASCII. */
function unquoted(path: string): string {
  if (!path.startsWith('"')) return path
  const bytes = path
    .slice(1, -1)
    .replace(/\\(\d{3})/g, (_, octal: string) => `%${Number.parseInt(octal, 8).toString(16)}`)
  try {
    return decodeURIComponent(bytes.replace(/^b\//, ''))
  } catch {
    return path
  }
}
