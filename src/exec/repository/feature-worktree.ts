import { mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { FeaturePlace, FeatureRepository, Outcome } from '#core/ports/repository.ts'
import type { SafeGit } from '../git/safe-git.ts'
import { checkBranch } from './branches.ts'
import { saveIfDirty } from './checkpoint.ts'
import { copyHelpers, forgetLeftOut, helperFiles, leftOut, recordLeftOut } from './helper-files.ts'
import { adoptedRef, baseRef, hiddenRef } from './hidden-refs.ts'
import { done, gitTrouble, trouble } from './outcome.ts'
import { commitOf, currentBranch, statusOf } from './refs.ts'
import { baseRemote, remotesOf } from './remotes.ts'

type Opening = Parameters<FeatureRepository['open']>[0]

/** Opens the worktree. One that a crash left half open is reused: the hidden base ref tells that the branch is ours. */
export async function open(git: SafeGit, at: Opening): Promise<Outcome<{ baseCommit: string; copied: string[] }>> {
  const name = await checkBranch(git, at.branch)
  if (!name.ok) return name
  const base = await baseCommit(git, at)
  if (!base.ok) return base
  const taken = await commitOf(git, at.repository, `refs/heads/${at.branch}`)
  const mark = await commitOf(git, at.repository, baseRef(at.branch))
  const isOurs = taken !== undefined && mark !== undefined && (await isCheckedOutAt(git, at))
  if (taken && !isOurs && !at.existing) return trouble('branch_exists', `The branch ${at.branch} exists already.`)
  const there = at.existing ? (taken ?? (await remoteTip(git, at))) : undefined
  const begun = isOurs ? mark : (there ?? base.value)
  const placed = isOurs ? done(undefined) : await place(git, at, { begun, isNew: taken === undefined })
  if (!placed.ok) return placed
  const found = await helperFiles(git, at.repository, at.copy)
  const copied = at.inPlace ? [] : copyHelpers(at.repository, at.folder, found)
  await recordLeftOut(git, at.folder, found)
  return done({ baseCommit: begun, copied })
}

/** The user's own branch, or the remote's where only that is known. */
async function baseCommit(git: SafeGit, { repository, baseBranch }: Opening): Promise<Outcome<string>> {
  if (!(await commitOf(git, repository, 'HEAD')))
    return trouble('no_commit', 'The repository has no commits yet. Make a first commit, then start the feature.')
  const remote = await baseRemote(git, repository, baseBranch, await remotesOf(git, repository))
  const refs = [`refs/heads/${baseBranch}`, ...(remote ? [`refs/remotes/${remote}/${baseBranch}`] : [])]
  for (const ref of refs) {
    const commit = await commitOf(git, repository, ref)
    if (commit) return done(commit)
  }
  return trouble('base_missing', `There is no branch ${baseBranch} to start from.`)
}

/** A branch that was there before begins where it is now, so that a rollback leaves its own commits alone. */
async function place(git: SafeGit, at: Opening, { begun, isNew }: Start): Promise<Outcome<void>> {
  const elsewhere = isNew ? undefined : await checkedOutAt(git, at)
  if (elsewhere !== undefined && elsewhere !== at.folder)
    return trouble('branch_exists', `The branch ${at.branch} is checked out in ${elsewhere}.`)
  const placed = at.inPlace ? await switchTo(git, at, { begun, isNew }) : await addWorktree(git, at, { begun, isNew })
  if (placed.ok && at.existing) await git(at.repository, ['update-ref', adoptedRef(at.branch), begun])
  return placed
}

interface Start {
  begun: string
  isNew: boolean
}

/** The branch as a remote has it, where only that is known. */
async function remoteTip(git: SafeGit, { repository, branch }: Opening): Promise<string | undefined> {
  for (const remote of (await remotesOf(git, repository)).keys()) {
    const commit = await commitOf(git, repository, `refs/remotes/${remote}/${branch}`)
    if (commit) return commit
  }
  return undefined
}

/** The folder of the checkout that has the branch. */
async function checkedOutAt(git: SafeGit, { repository, branch }: Opening): Promise<string | undefined> {
  const listed = await git(repository, ['worktree', 'list', '--porcelain', '-z'])
  const all = listed.stdout.split('\0\0').map((entry) => entry.split('\0'))
  const found = all.find((lines) => lines.includes(`branch refs/heads/${branch}`))
  return found?.find((line) => line.startsWith('worktree '))?.slice('worktree '.length)
}

async function isCheckedOutAt(git: SafeGit, { folder, branch }: FeaturePlace): Promise<boolean> {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return false
  const top = await git(folder, ['rev-parse', '--show-toplevel'])
  const isTop = top.code === 0 && top.stdout.replace(/\n$/, '') === realpathSync(folder)
  return isTop && (await currentBranch(git, folder)) === branch
}

async function addWorktree(git: SafeGit, at: Opening, { begun, isNew }: Start): Promise<Outcome<void>> {
  const stat = statSync(at.folder, { throwIfNoEntry: false })
  if (stat && (!stat.isDirectory() || readdirSync(at.folder).length > 0))
    return trouble('not_writable', `${at.folder} is there already and not empty.`)
  mkdirSync(dirname(at.folder), { recursive: true, mode: 0o700 })
  // Entries of worktrees whose folder is gone would keep their branches locked.
  await git(at.repository, ['worktree', 'prune'])
  const marked = await git(at.repository, ['update-ref', baseRef(at.branch), begun])
  if (marked.code !== 0) return gitTrouble('Marking where the feature begins', marked)
  const branch = isNew ? ['--no-track', '-b', at.branch, '--', at.folder, begun] : ['--', at.folder, at.branch]
  const added = await git(at.repository, ['worktree', 'add', '--quiet', ...branch])
  if (added.code === 0) return done(undefined)
  await git(at.repository, ['update-ref', '-d', baseRef(at.branch)])
  return gitTrouble('Creating the worktree', added)
}

async function switchTo(git: SafeGit, at: Opening, { begun, isNew }: Start): Promise<Outcome<void>> {
  const status = await statusOf(git, at.folder)
  if (!status) return trouble('not_a_repository', `${at.folder} is not a git checkout.`)
  const helpers = new Set(await helperFiles(git, at.folder, at.copy))
  const changed = [...status.tracked, ...status.untracked.filter((path) => !helpers.has(path))]
  if (changed.length > 0)
    return trouble(
      'dirty',
      'The checkout has changes that are not committed. Stash them, or work in a worktree.',
      changed.join('\n'),
    )
  // A commit that no branch holds would be hard to find again.
  await git(at.folder, ['update-ref', hiddenRef(at.branch, 'before'), 'HEAD'])
  const marked = await git(at.folder, ['update-ref', baseRef(at.branch), begun])
  if (marked.code !== 0) return gitTrouble('Marking where the feature begins', marked)
  const branch = isNew ? ['--no-track', '-b', at.branch, begun] : [at.branch, '--']
  const switched = await git(at.folder, ['checkout', '--quiet', ...branch])
  if (switched.code === 0) return done(undefined)
  await git(at.folder, ['update-ref', '-d', baseRef(at.branch)])
  return gitTrouble('Creating the branch', switched)
}

export async function find(git: SafeGit, at: FeaturePlace): Promise<Outcome<{ head: string; dirty: boolean }>> {
  if (!statSync(at.folder, { throwIfNoEntry: false })?.isDirectory())
    return trouble('not_found', `The folder ${at.folder} is gone.`)
  const head = await commitOf(git, at.folder, `refs/heads/${at.branch}`)
  if (!head) return trouble('not_found', `The branch ${at.branch} is gone.`)
  if (!(await isCheckedOutAt(git, at))) {
    const other = await currentBranch(git, at.folder)
    return trouble('failed', `${at.folder} is on ${other ?? 'no branch'}, not on ${at.branch}.`)
  }
  const status = await statusOf(git, at.folder)
  if (!status) return trouble('not_readable', `Git cannot read ${at.folder}.`)
  const copies = new Set(await leftOut(git, at.folder))
  return done({ head, dirty: status.tracked.length > 0 || status.untracked.some((path) => !copies.has(path)) })
}

/** Ends the worktree, and the branch when asked. What is not committed, and the branch's last commit, stay under hidden refs. */
export async function close(
  git: SafeGit,
  at: FeaturePlace,
  { deleteBranch }: { deleteBranch: boolean },
): Promise<Outcome<void>> {
  const isThere = statSync(at.folder, { throwIfNoEntry: false })?.isDirectory() === true
  if (at.inPlace && deleteBranch && (await currentBranch(git, at.folder)) === at.branch)
    return trouble('branch_exists', `${at.branch} is checked out in ${at.folder}. Switch to another branch first.`)
  if (at.inPlace) await forgetLeftOut(git, at.folder)
  else if (isThere) {
    const saved = await saveIfDirty(git, at, 'closed')
    if (!saved.ok) return saved
    const removed = await git(at.repository, ['worktree', 'remove', '--force', '--force', '--', at.folder])
    if (removed.code !== 0) return gitTrouble('Removing the worktree', removed)
  } else await git(at.repository, ['worktree', 'prune'])
  return deleteBranch ? removeBranch(git, at) : done(undefined)
}

async function removeBranch(git: SafeGit, { repository, branch }: FeaturePlace): Promise<Outcome<void>> {
  const tip = await commitOf(git, repository, `refs/heads/${branch}`)
  if (!tip) return done(undefined)
  await git(repository, ['update-ref', hiddenRef(branch, 'tip'), tip])
  const removed = await git(repository, ['branch', '--quiet', '-D', '--', branch])
  if (removed.code !== 0) return gitTrouble('Removing the branch', removed)
  for (const mark of [baseRef(branch), adoptedRef(branch)]) await git(repository, ['update-ref', '-d', mark])
  return done(undefined)
}
