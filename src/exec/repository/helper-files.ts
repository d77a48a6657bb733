import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { copyPlain } from '#config/plain-file.ts'
import type { SafeGit } from '../git/safe-git.ts'
import { compileGlob } from '../glob.ts'
import { gitDirOf, paths } from './refs.ts'

/**
 * Files that git does not know and that the work needs all the same: `CLAUDE.md`, `.env`. A worktree gets copies. Copies are
 * no part of the work: git's own folder of the checkout remembers them, and commits, diffs and checkpoints leave them out.
 */

const LIMIT = { files: 100, bytes: 1024 * 1024 }

/** Untracked files that match one of the patterns. A pattern without a slash is a name in any folder. */
export async function helperFiles(git: SafeGit, top: string, patterns: readonly string[]): Promise<string[]> {
  const globs = patterns.map((pattern) => ({ wholePath: pattern.includes('/'), matches: compileGlob(pattern) }))
  const others = ['ls-files', '-z', '--others', '--exclude-standard']
  // Ignored folders are named and not entered: node_modules alone would take longer than everything else.
  const [fresh, ignored] = await Promise.all([
    git(top, others),
    git(top, [...others, '--ignored', '--directory', '--no-empty-directory']),
  ])
  const listed = [...paths(fresh.stdout), ...paths(ignored.stdout)].filter((path) => !path.endsWith('/'))
  const found = listed.filter((path) =>
    globs.some(({ wholePath, matches }) => matches(wholePath ? path : basename(path))),
  )
  return [...new Set(found)].sort().slice(0, LIMIT.files)
}

/** Copies what is a file of reasonable size and not there yet. */
export function copyHelpers(from: string, to: string, files: readonly string[]): string[] {
  return files.filter((path) => {
    const stat = statSync(join(from, path), { throwIfNoEntry: false })
    if (!stat?.isFile() || stat.size > LIMIT.bytes || statSync(join(to, path), { throwIfNoEntry: false })) return false
    mkdirSync(dirname(join(to, path)), { recursive: true })
    copyPlain(join(from, path), join(to, path), { most: LIMIT.bytes })
    return true
  })
}

const RECORD = 'grove-left-out'

export async function recordLeftOut(git: SafeGit, folder: string, files: readonly string[]): Promise<void> {
  const dir = await gitDirOf(git, folder)
  if (dir && files.length > 0) writeFileSync(join(dir, RECORD), JSON.stringify(files))
}

export async function forgetLeftOut(git: SafeGit, folder: string): Promise<void> {
  const dir = await gitDirOf(git, folder)
  if (dir) rmSync(join(dir, RECORD), { force: true })
}

export async function leftOut(git: SafeGit, folder: string): Promise<string[]> {
  const dir = await gitDirOf(git, folder)
  return dir ? leftOutIn(dir) : []
}

/** `dir` is git's own folder of the checkout. */
export function leftOutIn(dir: string): string[] {
  try {
    const kept: unknown = JSON.parse(readFileSync(join(dir, RECORD), 'utf8'))
    return Array.isArray(kept) ? kept.filter((path) => typeof path === 'string') : []
  } catch {
    // Nothing was copied, or the note is damaged: then nothing is left out but what the caller names.
    return []
  }
}
