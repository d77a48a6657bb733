import type { FeaturePlace, Outcome } from '#core/ports/repository.ts'
import type { SafeGit } from '../git/safe-git.ts'
import { helperFiles, leftOut } from './helper-files.ts'
import { hiddenRef } from './hidden-refs.ts'
import { done, gitTrouble, trouble } from './outcome.ts'
import { commitOf, excluded, literal, modulesIn, notToAdd, statusOf } from './refs.ts'
import { pushRemote, remotesOf } from './remotes.ts'

/** One commit of everything that is not ignored, without the named paths, copies of helper files and repositories inside. */
export async function commit(
  git: SafeGit,
  { folder }: FeaturePlace,
  message: string,
  leaveOut: readonly string[],
): Promise<Outcome<{ commit?: string }>> {
  const status = await statusOf(git, folder)
  if (!status) return trouble('not_a_repository', `${folder} is not a git checkout.`)
  const added = await git(folder, ['add', '--all', '--', '.', ...(await notToAdd(git, folder, status))])
  if (added.code !== 0) return gitTrouble('Staging the changes', added)
  const out = [...leaveOut, ...(await leftOut(git, folder))].map(literal)
  if (out.length > 0) {
    const taken = await git(folder, ['reset', '--quiet', 'HEAD', '--', ...out])
    if (taken.code !== 0) return gitTrouble('Leaving out what is not part of the work', taken)
  }
  const staged = await git(folder, ['diff', '--cached', '--quiet', '--no-ext-diff', '--no-textconv', 'HEAD'])
  if (staged.code === 0) return done({})
  const args = ['commit', '--quiet', '--no-verify', '--no-gpg-sign', '--cleanup=whitespace', '--file=-']
  const made = await git(folder, args, { input: message })
  if (made.code !== 0) return gitTrouble('Committing', made)
  const head = await commitOf(git, folder, 'HEAD')
  return done(head ? { commit: head } : {})
}

/**
 * Pushes the branch under its own name. With a lease, what lies there may be replaced only when it is what was pushed
 * last; the hidden mark says what that was, since any fetch moves the tracking branch.
 */
export async function push(
  git: SafeGit,
  { folder, branch }: FeaturePlace,
  { lease = false }: { lease?: boolean },
): Promise<Outcome<{ commit: string }>> {
  const tip = await commitOf(git, folder, `refs/heads/${branch}`)
  if (!tip) return trouble('not_found', `The branch ${branch} is gone.`)
  const remote = await pushRemote(git, folder, await remotesOf(git, folder))
  if (!remote) return trouble('no_remote', 'The repository has no remote to push to.')
  const mark = hiddenRef(branch, 'pushed')
  const known = (await commitOf(git, folder, mark)) ?? (await commitOf(git, folder, `refs/remotes/${remote}/${branch}`))
  const options = ['--porcelain', '--quiet', '--no-verify', '--no-signed', '--receive-pack=git-receive-pack']
  const replace = lease ? [`--force-with-lease=refs/heads/${branch}:${known ?? ''}`] : []
  const pushed = await git(folder, ['push', ...options, ...replace, '--', remote, `${tip}:refs/heads/${branch}`])
  if (pushed.code !== 0) return gitTrouble(`Pushing ${branch} to ${remote}`, pushed)
  await git(folder, ['update-ref', mark, tip])
  return done({ commit: tip })
}

/** The user's own stash, helper files kept where they are. */
export async function stash(
  git: SafeGit,
  path: string,
  message: string,
  helpers: readonly string[],
): Promise<Outcome<{ ref: string }>> {
  const status = await statusOf(git, path)
  if (!status) return trouble('not_a_repository', `${path} is no git checkout.`)
  const keep = [...(await helperFiles(git, path, helpers)).map(excluded), ...(await modulesIn(git, path, status))]
  const before = await commitOf(git, path, 'refs/stash')
  const args = ['stash', 'push', '--quiet', '--include-untracked', `--message=${message}`]
  const ran = await git(path, [...args, ...(keep.length > 0 ? ['--', ':/', ...keep] : [])])
  if (ran.code !== 0) return gitTrouble('Stashing', ran)
  const after = await commitOf(git, path, 'refs/stash')
  if (!after || after === before) return trouble('failed', 'There was nothing to stash.')
  return done({ ref: after })
}
