import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { isAbsolute, relative } from 'node:path'
import type { Outcome, RepositoryFacts } from '#core/ports/repository.ts'
import { defaultBranch } from '../git/branches.ts'
import { projectAt } from '../git/git.ts'
import type { SafeGit } from '../git/safe-git.ts'
import { helperFiles } from './helper-files.ts'
import { done, gitTrouble, trouble, withoutCredentials } from './outcome.ts'
import { commitOf, currentBranch, statusOf } from './refs.ts'
import { pushRemote, remotesOf } from './remotes.ts'

const MOST_BRANCHES = 500

/** What a person should know of a path before a feature starts there. */
export async function inspect(
  git: SafeGit,
  typed: string,
  helpers: readonly string[],
): Promise<Outcome<RepositoryFacts>> {
  const top = await topOf(git, typed)
  if (!top.ok) return top
  const path = top.value
  const [project, head, branch, status, refs, main, remotes, untrackedHelpers] = await Promise.all([
    projectAt(path),
    commitOf(git, path, 'HEAD'),
    currentBranch(git, path),
    statusOf(git, path),
    git(path, [
      'for-each-ref',
      '--sort=-committerdate',
      `--count=${MOST_BRANCHES}`,
      '--format=%(refname:lstrip=2)',
      'refs/heads',
    ]),
    defaultBranch(path),
    remotesOf(git, path),
    helperFiles(git, path, helpers),
  ])
  if (!status) return gitTrouble('Reading the repository', await git(path, ['status']))
  const remote = await pushRemote(git, path, remotes)
  const url = remote && remotes.get(remote)
  const host = url && /^(?:[a-z][a-z0-9+.-]*:\/\/(?:[^@/]*@)?|(?:[^@/\s]+@)?)([^/:\s]{2,})[:/]/i.exec(url)?.[1]
  const changed = [...status.tracked, ...status.untracked.filter((file) => !untrackedHelpers.includes(file))]
  return done({
    path,
    projectId: project.id,
    name: project.name,
    ...(head && { head }),
    ...(branch && { currentBranch: branch }),
    branches: refs.stdout.split('\n').filter(Boolean),
    defaultBranch: main?.name ?? branch ?? 'main',
    dirty: changed.length > 0,
    ...(remote && url && { remote: { name: remote, url: withoutCredentials(url), ...(host && { host }) } }),
    untrackedHelpers,
  })
}

/** In this order, so that each message names the first thing that is wrong. Git is asked, since `.git` may be a file. */
async function topOf(git: SafeGit, typed: string): Promise<Outcome<string>> {
  const path = isAbsolute(typed) && !typed.includes('\0') ? typed : undefined
  if (path === undefined) return trouble('not_found', 'Project path does not exist: it must be an absolute path.')
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return trouble('not_found', 'Project path does not exist')
  if (!stat.isDirectory()) return trouble('not_a_folder', 'Project path is not a directory')
  const may = (mode: number) => {
    try {
      accessSync(path, mode)
      return true
    } catch {
      // The system's reason is always the same one: no right to.
      return false
    }
  }
  const isReadable = may(constants.R_OK | constants.X_OK)
  const unreadable = trouble('not_readable', 'Cannot read project directory')
  if (!isReadable) return unreadable
  const top = await git(path, ['rev-parse', '--show-toplevel'])
  if (top.missing) return trouble('not_installed', 'Git could not be started.', top.stderr)
  if (/dubious ownership/.test(top.stderr)) return trouble('not_readable', 'Cannot read project directory', top.stderr)
  if (top.code !== 0) return trouble('not_a_repository', 'Project path is not a git repository', top.stderr)
  if (!may(constants.W_OK)) return trouble('not_writable', 'Cannot write to project directory')
  const root = realpathSync(top.stdout.replace(/\n$/, ''))
  if (relative(root, realpathSync(path)).startsWith('..'))
    return trouble('not_a_repository', `Its repository keeps its files elsewhere, in ${root} (core.worktree)`)
  return done(root)
}
