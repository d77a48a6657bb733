import type { FeaturePlace, Outcome } from '#core/ports/repository.ts'
import { shellWord } from '#protocol/shell-word.ts'
import type { SafeGit } from '../git/safe-git.ts'
import { leftOut } from './helper-files.ts'
import { hiddenRef } from './hidden-refs.ts'
import { done, gitTrouble, trouble } from './outcome.ts'
import { commitOf, currentBranch, needCommit, statusOf } from './refs.ts'
import { withScratchIndex } from './scratch-index.ts'
import { endUnfinished } from './unfinished.ts'

/** Author and committer of a checkpoint: Grove itself. */
const AUTHOR = {
  GIT_AUTHOR_NAME: 'Grove',
  GIT_AUTHOR_EMAIL: 'grove',
  GIT_COMMITTER_NAME: 'Grove',
  GIT_COMMITTER_EMAIL: 'grove',
}

interface Saved {
  ref: string
  commit: string
}

/** Everything that is not ignored, as a commit on top of HEAD that only a hidden ref holds. */
export async function checkpoint(
  git: SafeGit,
  { folder, branch }: FeaturePlace,
  name: string,
  message: string,
): Promise<Outcome<Saved>> {
  const ref = hiddenRef(branch, name)
  return withScratchIndex(git, folder, 'content', async (scratch): Promise<Outcome<Saved>> => {
    const tree = await scratch(['write-tree'])
    if (tree.code !== 0) return gitTrouble('Saving the work tree', tree)
    // Whatever was checked out by hand meanwhile: the branch's own commits are saved too.
    const heads = await Promise.all([commitOf(git, folder, 'HEAD'), commitOf(git, folder, `refs/heads/${branch}`)])
    const parents = [...new Set(heads)].flatMap((head) => (head ? ['-p', head] : []))
    const args = ['commit-tree', tree.stdout.trim(), ...parents, '-F', '-']
    const made = await git(folder, args, { input: message || name, env: AUTHOR })
    if (made.code !== 0) return gitTrouble('Saving the work tree', made)
    const commit = made.stdout.trim()
    const kept = await git(folder, ['update-ref', '-m', 'grove: checkpoint', ref, commit])
    return kept.code === 0 ? done({ ref, commit }) : gitTrouble('Keeping the checkpoint', kept)
  })
}

/**
 * Puts branch and files where `to` was, after everything was saved. A checkpoint is no commit of the branch: going back to
 * one puts the branch to where it was taken, and its files into the work tree.
 */
export async function rollback(
  git: SafeGit,
  at: FeaturePlace,
  to: string,
  name: string,
): Promise<Outcome<{ savedAs: string; restore: string }>> {
  const { folder, branch } = at
  const target = await needCommit(git, folder, to)
  if (!target.ok) return target
  const saved = await checkpoint(git, at, name, `Before the rollback to ${target.value.slice(0, 12)}`)
  if (!saved.ok) return saved
  await endUnfinished(git, folder)
  const isCheckpoint = await isSaved(git, folder, target.value)
  const start = isCheckpoint ? `${target.value}^` : target.value
  // The branch is put there even when something else is checked out by now.
  const forced = ['checkout', '--quiet', '--force', '--no-track', '-B', branch, start]
  const isOn = (await currentBranch(git, folder)) === branch
  const moved = await git(folder, isOn ? ['reset', '--quiet', '--hard', start] : forced)
  if (moved.code !== 0) return gitTrouble('Rolling back', moved)
  const cleaned = await clean(git, folder)
  if (!cleaned.ok) return cleaned
  if (isCheckpoint) {
    const files = await git(folder, ['restore', `--source=${target.value}`, '--worktree', '--', ':/'])
    if (files.code !== 0) return gitTrouble('Putting the files of the checkpoint back', files)
  }
  return done({ savedAs: saved.value.ref, restore: restoreCommand(folder, saved.value.ref) })
}

/** Untracked files go, they are saved; ignored ones, copies of helper files and repositories inside stay. */
async function clean(git: SafeGit, folder: string): Promise<Outcome<void>> {
  const keep = (await leftOut(git, folder)).flatMap((path) => ['--exclude', `/${escapeGlob(path)}`])
  const cleaned = await git(folder, ['clean', '--quiet', '--force', '-d', ...keep, '--', ':/'])
  return cleaned.code === 0 ? done(undefined) : gitTrouble('Removing new files', cleaned)
}

/** Patterns of git's ignore files take these for wildcards. */
function escapeGlob(path: string): string {
  return path.replace(/[\\*?[\]#! ]/g, '\\$&')
}

async function isSaved(git: SafeGit, folder: string, commit: string): Promise<boolean> {
  const refs = await git(folder, ['for-each-ref', `--points-at=${commit}`, '--format=%(refname)', 'refs/grove'])
  const marks = refs.stdout.split('\n').filter(Boolean)
  if (marks.length === 0) return false
  const author = await git(folder, ['rev-list', '--max-count=1', '--format=%cn %ce', commit])
  return author.stdout.trim().split('\n').at(-1) === `${AUTHOR.GIT_COMMITTER_NAME} ${AUTHOR.GIT_COMMITTER_EMAIL}`
}

/** One line for a shell: branch and files as they were when they were saved. `~` and not `^`, which would need quotes. */
export function restoreCommand(folder: string, ref: string): string {
  const git = `git -C ${shellWord(folder)}`
  return `${git} reset --hard ${shellWord(ref)}~ && ${git} restore --source=${shellWord(ref)} --worktree -- :/`
}

/** Undefined where nothing had to be saved. */
export async function saveIfDirty(git: SafeGit, at: FeaturePlace, name: string): Promise<Outcome<Saved | undefined>> {
  const status = await statusOf(git, at.folder)
  if (!status) return trouble('not_a_repository', `${at.folder} is not a git checkout.`)
  const isClean = status.tracked.length === 0 && status.untracked.length === 0
  return isClean ? done(undefined) : checkpoint(git, at, name, `Before ${at.folder} was closed`)
}
