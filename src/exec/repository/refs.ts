import type { Outcome } from '#core/ports/repository.ts'
import type { SafeGit } from '../git/safe-git.ts'
import { done, trouble } from './outcome.ts'

/** Small questions that several parts ask of a repository. */

export async function commitOf(git: SafeGit, cwd: string, name: string): Promise<string | undefined> {
  if (!/^[A-Za-z0-9_@][^\s\0]*$/.test(name)) return undefined
  const { code, stdout } = await git(cwd, ['rev-parse', '--verify', '--quiet', `${name}^{commit}`])
  return code === 0 ? stdout.trim() : undefined
}

export async function currentBranch(git: SafeGit, cwd: string): Promise<string | undefined> {
  const { code, stdout } = await git(cwd, ['symbolic-ref', '--quiet', '--short', 'HEAD'])
  return code === 0 ? stdout.trim() : undefined
}

/** A commit that must be there. */
export async function needCommit(git: SafeGit, cwd: string, name: string): Promise<Outcome<string>> {
  const commit = await commitOf(git, cwd, name)
  return commit ? done(commit) : trouble('not_found', `There is no commit ${name} in ${cwd}.`)
}

/** The folder in which git keeps what belongs to this checkout alone. */
export async function gitDirOf(git: SafeGit, cwd: string): Promise<string | undefined> {
  const { code, stdout } = await git(cwd, ['rev-parse', '--absolute-git-dir'])
  return code === 0 ? stdout.replace(/\n$/, '') : undefined
}

/** Paths that git prints with `-z`. */
export function paths(listing: string): string[] {
  return listing.split('\0').filter(Boolean)
}

/** A path and nothing but a path, counted from the top of the checkout. */
export function literal(path: string): string {
  return `:(top,literal)${path}`
}

export function excluded(path: string): string {
  return `:(top,literal,exclude)${path}`
}

export interface Status {
  /** Changed, added or removed, as far as git knows the file. */
  tracked: string[]
  untracked: string[]
  /** Repositories of their own that git does not know. */
  nested: string[]
}

/** What is not committed. Folders that hold a repository of their own end with a slash in git's listing. */
export async function statusOf(git: SafeGit, cwd: string): Promise<Status | undefined> {
  const args = ['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=all', '--ignore-submodules=dirty']
  const { code, stdout } = await git(cwd, args)
  if (code !== 0) return undefined
  const entries = paths(stdout)
  const fresh = entries.filter((entry) => entry.startsWith('?? ')).map((entry) => entry.slice(3))
  return {
    tracked: entries.filter((entry) => !/^(?:\?\?|!!) /.test(entry)).map((entry) => entry.slice(3)),
    untracked: fresh.filter((path) => !path.endsWith('/')),
    nested: fresh.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1)),
  }
}

/** What `git add` is not to take: repositories that git does not know, and submodules. */
export async function notToAdd(git: SafeGit, cwd: string, status: Status): Promise<string[]> {
  return [...status.nested.map(excluded), ...(await modulesIn(git, cwd, status))]
}

/**
 * Leaves out the submodules that stand where the index says: in each of these git would start another git, with the settings of
 * that one, to see whether its files are changed.
 */
export async function modulesIn(git: SafeGit, cwd: string, { tracked }: Status): Promise<string[]> {
  const { stdout } = await git(cwd, ['ls-files', '--stage', '--full-name', '-z', '--', ':/'])
  const modules = paths(stdout).flatMap((entry) => /^160000 [^\t]*\t([\s\S]+)$/.exec(entry)?.[1] ?? [])
  const moved = new Set(tracked)
  return modules.filter((path) => !moved.has(path)).map(excluded)
}
