import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Baseline } from '#core/gate/session.ts'
import { git } from './git.ts'

/** How much of the working tree was changed, by file, as git sees it. */

/** Git's name for a tree without files: what everything is compared with before the first commit. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
const MAX_FILES = 2000
const MAX_NEW_FILES = 300
const MAX_BYTES = 256 * 1024
/** Notes about the work are not the work. */
const OURS = /^(\.grove|\.orchestration|\.beads|\.tissue)\//

type LinesByFile = Record<string, number>

/** How the tree stands now; undefined without git. */
export async function treeNow(root: string): Promise<Baseline | undefined> {
  const [head, changed, fresh] = await Promise.all([
    git(root, 'rev-parse', '--verify', '--quiet', 'HEAD'),
    changedSince(root, 'HEAD'),
    newFiles(root),
  ])
  if (fresh === undefined) return undefined
  const dirty = { ...(changed ?? (await changedSince(root, EMPTY_TREE))), ...fresh }
  const kept = Object.fromEntries(Object.entries(dirty).slice(0, MAX_FILES))
  return { ...(head && { head }), dirty: kept }
}

/** Lines changed since the baseline, commits included, or since the last commit without one; undefined without git. */
export async function linesChanged(root: string, baseline: Baseline | undefined): Promise<number | undefined> {
  const since = baseline ? (baseline.head ?? EMPTY_TREE) : 'HEAD'
  const [changed, fresh] = await Promise.all([changedSince(root, since), newFiles(root)])
  if (fresh === undefined) return undefined
  // The commit may be gone by now: rebased away and cleaned up.
  const now = { ...(changed ?? (await changedSince(root, 'HEAD'))), ...fresh }
  const before = baseline?.dirty ?? {}
  const files = new Set([...Object.keys(now), ...Object.keys(before)])
  return [...files].reduce((sum, file) => sum + Math.abs((now[file] ?? 0) - (before[file] ?? 0)), 0)
}

/** `12\t3\tpath\0…`; a binary file has dashes for numbers and counts as one line. */
async function changedSince(root: string, commit: string): Promise<LinesByFile | undefined> {
  const listed = await git(root, 'diff', '--numstat', '-z', '--no-renames', '--no-ext-diff', commit, '--')
  if (listed === undefined) return undefined
  const counted: [string, number][] = listed.split('\0').flatMap((entry) => {
    const [added = '', removed = '', path = ''] = entry.split('\t')
    if (path === '' || OURS.test(path)) return []
    return [[path, added === '-' ? 1 : Number(added) + Number(removed)]]
  })
  return Object.fromEntries(counted)
}

/** Files git does not know yet, with their lines; undefined when this is no repository. */
async function newFiles(root: string): Promise<LinesByFile | undefined> {
  const listed = await git(root, 'ls-files', '--others', '--exclude-standard', '-z')
  if (listed === undefined) return undefined
  const counted: LinesByFile = {}
  const paths = listed.split('\0').filter((path) => path !== '' && !OURS.test(path))
  // One after the other: there may be many, and few of them large.
  for (const path of paths.slice(0, MAX_NEW_FILES)) counted[path] = await countLines(join(root, path))
  return counted
}

async function countLines(path: string): Promise<number> {
  try {
    const file = await open(path, 'r')
    try {
      const { size } = await file.stat()
      const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, MAX_BYTES)), { position: 0 })
      return (buffer.toString('latin1', 0, bytesRead).match(/[^\n]*\n|[^\n]+$/g) ?? []).length
    } finally {
      await file.close()
    }
  } catch {
    // Gone again, a link into nowhere, or not ours to read: it counts as one line.
    return 1
  }
}
