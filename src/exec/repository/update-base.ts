import type { FeaturePlace, Outcome } from '#core/ports/repository.ts'
import type { GitRun, SafeGit } from '../git/safe-git.ts'
import { hiddenRef } from './hidden-refs.ts'
import { done, gitTrouble, trouble } from './outcome.ts'
import { commitOf, paths, statusOf } from './refs.ts'
import { baseRemote, remotesOf } from './remotes.ts'
import { endUnfinished } from './unfinished.ts'

type Updated = Outcome<{ moved: boolean; conflicts: string[] }>

export async function rebase(
  git: SafeGit,
  at: FeaturePlace,
  baseBranch: string,
  ownFolders: readonly string[] = [],
): Promise<Updated> {
  return bringIn(git, at, { baseBranch, ownFolders, doing: 'Rebasing' }, (base) => [
    'rebase',
    '--quiet',
    '--merge',
    // Only Grove's own files may be uncommitted here; git stashes them and puts them back, also after it was killed.
    '--autostash',
    '--no-autosquash',
    '--no-fork-point',
    '--no-gpg-sign',
    '--no-verify',
    '--no-stat',
    base,
  ])
}

export async function mergeBase(
  git: SafeGit,
  at: FeaturePlace,
  baseBranch: string,
  ownFolders: readonly string[] = [],
): Promise<Updated> {
  return bringIn(git, at, { baseBranch, ownFolders, doing: 'Merging' }, (base) => [
    'merge',
    '--quiet',
    '--ff',
    '--no-edit',
    '--no-gpg-sign',
    '--no-verify',
    '--autostash',
    '--no-stat',
    '-m',
    `Merge ${baseBranch} into ${at.branch}`,
    base,
  ])
}

interface Update {
  baseBranch: string
  /** Changes in these folders are Grove's own and never committed; they must not keep git from its work. */
  ownFolders: readonly string[]
  doing: string
}

/** Runs the rebase or merge in the work tree; a failed one is aborted before the call returns. */
async function bringIn(
  git: SafeGit,
  at: FeaturePlace,
  update: Update,
  command: (base: string) => string[],
): Promise<Updated> {
  const { folder, branch } = at
  const { baseBranch, doing } = update
  if (!at.inPlace) await endUnfinished(git, folder)
  const status = await statusOf(git, folder)
  if (!status) return trouble('not_a_repository', `${folder} is not a git checkout.`)
  const own = status.tracked.filter((path) => update.ownFolders.some((one) => path.startsWith(`${one}/`)))
  const others = status.tracked.filter((path) => !own.includes(path))
  if (others.length > 0) return trouble('dirty', 'There are changes that are not committed.', others.join('\n'))
  const base = await newestBase(git, folder, baseBranch)
  if (!base.ok) return base
  const before = await commitOf(git, folder, 'HEAD')
  if (!before) return trouble('no_commit', `${branch} has no commit.`)
  if (await isAncestor(git, folder, base.value, before)) return done({ moved: false, conflicts: [] })
  await git(folder, ['update-ref', hiddenRef(branch, 'before-update'), before])
  const ran = await git(folder, command(base.value))
  if (ran.code === 0) return done({ moved: true, conflicts: [] })
  const conflicts = await unmerged(git, folder)
  await endUnfinished(git, folder)
  const isBack = (await commitOf(git, folder, 'HEAD')) === before
  if (!isBack) await git(folder, ['reset', '--quiet', '--hard', before])
  return conflicts.length > 0 ? done({ moved: false, conflicts }) : gitTrouble(doing, ran)
}

async function unmerged(git: SafeGit, folder: string): Promise<string[]> {
  const listed = await git(folder, ['diff', '--name-only', '--diff-filter=U', '-z', '--no-ext-diff', '--no-textconv'])
  return [...new Set(paths(listed.stdout))]
}

/** The newer of the local branch and the remote's; where they have parted, the remote's, since the pull request goes there. */
async function newestBase(git: SafeGit, folder: string, baseBranch: string): Promise<Outcome<string>> {
  const remotes = await remotesOf(git, folder)
  const remote = await baseRemote(git, folder, baseBranch, remotes)
  if (remote) {
    const fetched = await fetchBranch(git, folder, remote, baseBranch)
    // A base that was never pushed is only here.
    if (fetched.code !== 0 && !/couldn't find remote ref/i.test(fetched.stderr))
      return gitTrouble(`Fetching ${baseBranch} from ${remote}`, fetched)
  }
  const here = await commitOf(git, folder, `refs/heads/${baseBranch}`)
  const there = remote ? await commitOf(git, folder, `refs/remotes/${remote}/${baseBranch}`) : undefined
  if (here && there) return done((await isAncestor(git, folder, there, here)) ? here : there)
  const base = here ?? there
  return base ? done(base) : trouble('base_missing', `There is no branch ${baseBranch}.`)
}

async function fetchBranch(git: SafeGit, folder: string, remote: string, branch: string): Promise<GitRun> {
  const refspec = `+refs/heads/${branch}:refs/remotes/${remote}/${branch}`
  const args = ['fetch', '--quiet', '--no-tags']
  return git(folder, [...args, '--upload-pack=git-upload-pack', '--', remote, refspec])
}

async function isAncestor(git: SafeGit, folder: string, old: string, young: string): Promise<boolean> {
  return (await git(folder, ['merge-base', '--is-ancestor', old, young])).code === 0
}
