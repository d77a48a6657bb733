import { createHash } from 'node:crypto'
import { lstat, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { hashOf } from '../file-hash.ts'
import type { SafeGit } from '../git/safe-git.ts'
import { paths } from './refs.ts'

/** Larger files are told apart by size and time. */
const LARGEST = 8 * 1024 * 1024
/** What Grove itself writes into a work tree is no change of it. */
const OWN = /^(?:\.orchestration|\.grove)\//

/** A text that changes whenever the commit or an uncommitted file changes. Undefined where git cannot look. */
export async function fingerprint(git: SafeGit, folder: string): Promise<string | undefined> {
  const args = ['status', '--porcelain=v2', '--branch', '-z', '--no-renames', '--untracked-files=all']
  const { code, stdout } = await git(folder, [...args, '--ignore-submodules=dirty'])
  if (code !== 0) return undefined
  const hash = createHash('sha256')
  for (const entry of paths(stdout)) {
    const path = pathIn(entry)
    if (path !== undefined && OWN.test(path)) continue
    hash.update(`${entry}\0`)
    if (path !== undefined) hash.update(`${await contentOf(join(folder, path))}\0`)
  }
  return hash.digest('hex')
}

/** `1 <states> <modes> <hashes> <path>`, `u …` with more of them, or `? <path>`; lines that begin with a hash sign are about the branch. */
function pathIn(entry: string): string | undefined {
  const fields = { '1': 8, u: 10, '?': 1 }[entry[0]!]
  return fields === undefined ? undefined : entry.split(' ').slice(fields).join(' ')
}

async function contentOf(file: string): Promise<string> {
  // A file that is gone is told by git's own line.
  const stat = await lstat(file).catch(() => undefined)
  if (!stat) return ''
  if (stat.isSymbolicLink()) return readlink(file)
  if (!stat.isFile() || stat.size > LARGEST) return `${stat.size} ${stat.mtimeMs}`
  return hashOf(file) ?? ''
}
