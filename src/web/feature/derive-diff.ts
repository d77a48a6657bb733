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
      file.lines.push({ type: 'hunk', text: hunk[3]!.trim() })
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
