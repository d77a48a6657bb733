import { copyFileSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Outcome } from '#core/ports/repository.ts'
import type { GitRun, SafeGit } from '../git/safe-git.ts'
import { randomId } from '../random-id.ts'
import { leftOutIn } from './helper-files.ts'
import { gitTrouble, trouble } from './outcome.ts'
import { gitDirOf, literal, notToAdd, statusOf } from './refs.ts'

/** Git at the same files with another index. */
export type ScratchGit = (args: readonly string[], options?: { maxOutput?: number }) => Promise<GitRun>

/**
 * Does something with a copy of the index in which everything in the work tree is staged (`content`), or only known by name
 * (`names`, which writes no objects). The real index and the files stay as they are. Copies of helper files and
 * repositories inside are not staged.
 */
export async function withScratchIndex<T>(
  safeGit: SafeGit,
  folder: string,
  stage: 'content' | 'names',
  use: (scratch: ScratchGit) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const git = await safeGit.steady(folder)
  const [dir, status] = await Promise.all([gitDirOf(git, folder), statusOf(git, folder)])
  if (!dir || !status) return trouble('not_a_repository', `${folder} is not a git checkout.`)
  removeForgotten(dir)
  const index = join(dir, `${NAME}${randomId()}`)
  const scratch: ScratchGit = (args, options) => git(folder, args, { env: { GIT_INDEX_FILE: index }, ...options })
  try {
    // With the copy come git's notes about sizes and times, so only changed files are read.
    if (existsSync(join(dir, 'index'))) copyFileSync(join(dir, 'index'), index)
    const how = stage === 'content' ? '--all' : '--intent-to-add'
    const added = await scratch(['add', how, '--', '.', ...(await notToAdd(git, folder, status))])
    if (added.code !== 0) return gitTrouble('Looking at the work tree', added)
    const fresh = new Set(status.untracked)
    const out = leftOutIn(dir)
      .filter((path) => fresh.has(path))
      .map(literal)
    if (out.length > 0) await scratch(['rm', '--cached', '--quiet', '--force', '--ignore-unmatch', '--', ...out])
    return await use(scratch)
  } finally {
    rmSync(index, { force: true })
    rmSync(`${index}.lock`, { force: true })
  }
}

const NAME = 'grove-index-'
const FORGOTTEN_MS = 60 * 60_000

/** A process that was killed leaves its copy behind. */
function removeForgotten(dir: string): void {
  for (const name of readdirSync(dir).filter((each) => each.startsWith(NAME))) {
    const stat = statSync(join(dir, name), { throwIfNoEntry: false })
    if (stat && Date.now() - stat.mtimeMs > FORGOTTEN_MS) rmSync(join(dir, name), { force: true })
  }
}
