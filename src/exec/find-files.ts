import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { statOf } from './file-hash.ts'
import { compileGlob } from './glob.ts'

const LIMIT = { found: 2000, entries: 20_000 }

/** Every file below a folder; a link is a file. Undefined when there are too many to look at. */
export function filesBelow(folder: string): string[] | undefined {
  return walk(folder, (_path, isFolder) => (isFolder ? 'enter' : 'take'))
}

/** What a pattern with wildcards stands for now, files and folders. Undefined when there is too much to look at. */
export function entriesMatching(pattern: string): string[] | undefined {
  const wild = pattern.search(/[*?[{(]/)
  if (wild < 0) return statOf(pattern) ? [pattern] : []
  const start = dirname(`${pattern.slice(0, wild)}x`)
  const matches = compileGlob(pattern)
  const depth = pattern.includes('**') ? Number.POSITIVE_INFINITY : pattern.split('/').length
  return walk(start, (path, isFolder) => {
    if (matches(path)) return 'take'
    return isFolder && path.split('/').length < depth ? 'enter' : 'leave'
  })
}

type Decide = (path: string, isFolder: boolean) => 'take' | 'enter' | 'leave'

function walk(start: string, decide: Decide): string[] | undefined {
  const found: string[] = []
  const folders = [start]
  let seen = 0
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of listed(folder)) {
      if (++seen > LIMIT.entries || found.length > LIMIT.found) return undefined
      const path = join(folder, entry.name)
      const isFolder = entry.isDirectory() && basename(path) !== '.git'
      const decision = decide(path, isFolder)
      if (decision === 'take') found.push(path)
      else if (decision === 'enter') folders.push(path)
    }
  }
  return found.sort()
}

/** What is in a folder; nothing when it cannot be read. */
export function listed(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    // Missing, no folder, or not readable: it contains nothing that we could name.
    return []
  }
}
