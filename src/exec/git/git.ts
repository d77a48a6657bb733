import { realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import { normaliseRemote, projectIdentity } from '#core/project.ts'
import type { Project } from '#core/session.ts'
import { isInRepository, look } from './look-only.ts'

const GIT_TIMEOUT_MS = 10_000

/**
 * Runs git read-only in a folder, without any program of the repository; undefined when git is missing, times out or
 * fails.
 */
export async function git(cwd: string, ...args: string[]): Promise<string | undefined> {
  try {
    const { code, stdout } = await look(cwd, args, { cwd, timeoutMs: GIT_TIMEOUT_MS })
    return code === 0 ? stdout.trimEnd() : undefined
  } catch {
    // No git on this machine, or the folder is gone: for the caller the same as "not a repository".
    return undefined
  }
}

/** The project that a folder belongs to. Clones, worktrees and forks of one repository are one project. */
export async function projectAt(cwd: string): Promise<Project> {
  const [place, remotes] = isInRepository(cwd) ? await Promise.all([placeOf(cwd), git(cwd, 'remote', '--verbose')]) : []
  if (!place) {
    // A folder that is gone keeps the name it was called by.
    const root = await realpath(cwd).catch(() => cwd)
    return { ...projectIdentity({ root }), root }
  }
  const mainDir = isAbsolute(place.commonDir) ? place.commonDir : join(cwd, place.commonDir)
  const root = await realpath(place.top ?? dirname(mainDir)).catch(() => cwd)
  // Without remote and without commits the main checkout is what all worktrees have in common.
  // A submodule's repository lies inside the other's, under the path by which it is called.
  const isSubmodule = /[\\/]\.git[\\/]modules[\\/]/.test(mainDir)
  const home = await realpath(isSubmodule ? mainDir : dirname(mainDir)).catch(() => root)
  const remote = remoteAmong(remotes ?? '')
  // Finding the first commit reads the whole history, so it is looked for only where it is needed.
  const isNamed = remote !== undefined && normaliseRemote(remote) !== undefined
  const rootCommit = isNamed ? undefined : await firstCommit(cwd)
  const { id, name } = projectIdentity({ root: home, ...(remote && { remote }), ...(rootCommit && { rootCommit }) })
  return { id, name, root, ...(isNamed && { remote: id }) }
}

async function placeOf(cwd: string): Promise<{ commonDir: string; top?: string } | undefined> {
  const both = await git(cwd, 'rev-parse', '--git-common-dir', '--show-toplevel')
  const [commonDir, top] = both?.split('\n') ?? []
  if (commonDir) return { commonDir, ...(top && { top }) }
  // A bare repository has no checkout to tell of.
  const bare = await git(cwd, 'rev-parse', '--git-common-dir')
  return bare === undefined ? undefined : { commonDir: bare }
}

/** `upstream`, which forks are forks of, else `origin`, else the first remote there is. */
function remoteAmong(verbose: string): string | undefined {
  const remotes = new Map<string, string>()
  for (const line of verbose.split('\n')) {
    const [, name, url] = /^(\S+)\t(.+) \(fetch\)/.exec(line) ?? []
    if (name && url) remotes.set(name, url)
  }
  return remotes.get('upstream') ?? remotes.get('origin') ?? remotes.values().next().value
}

async function firstCommit(cwd: string): Promise<string | undefined> {
  const commits = await git(cwd, 'rev-list', '--max-parents=0', '--reverse', 'HEAD')
  return commits?.split('\n')[0] || undefined
}
