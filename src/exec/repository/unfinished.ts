import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { SafeGit } from '../git/safe-git.ts'
import { gitDirOf } from './refs.ts'

const STATES: [file: string, abort: string[]][] = [
  ['rebase-merge', ['rebase', '--abort']],
  ['rebase-apply', ['rebase', '--abort']],
  ['MERGE_HEAD', ['merge', '--abort']],
  ['CHERRY_PICK_HEAD', ['cherry-pick', '--abort']],
  ['REVERT_HEAD', ['revert', '--abort']],
]

/** Aborts an unfinished rebase or merge, left by a crash of Grove or by other programs. */
export async function endUnfinished(git: SafeGit, folder: string): Promise<void> {
  const dir = await gitDirOf(git, folder)
  if (!dir) return
  for (const [file, abort] of STATES) if (existsSync(join(dir, file))) await git(folder, abort)
}
