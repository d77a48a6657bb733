import { realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import { projectIdentity } from '#core/project.ts'
import type { Project } from '#core/session.ts'
import { run } from './spawn.ts'

const GIT_TIMEOUT_MS = 10_000

/** Runs git in a folder; undefined when git is missing, times out or says no. Hooks of the repository never run. */
export async function git(cwd: string, ...args: string[]): Promise<string | undefined> {
  try {
    const { code, stdout } = await run('git', ['--no-optional-locks', ...args], { cwd, timeoutMs: GIT_TIMEOUT_MS })
    return code === 0 ? stdout.trimEnd() : undefined
  } catch {
    // No git on this machine, or the folder is gone: to the caller that is the same as "not a repository".
    return undefined
  }
}

/** The project that a folder belongs to. Worktrees of one repository are one project. */
export async function projectAt(cwd: string): Promise<Project> {
  const commonDir = await git(cwd, 'rev-parse', '--git-common-dir')
  if (commonDir === undefined) {
    const root = await realpath(cwd).catch(() => cwd)
    return { ...projectIdentity({ root }), root }
  }
  const [top, remote, rootCommits] = await Promise.all([
    git(cwd, 'rev-parse', '--show-toplevel'),
    remoteUrl(cwd),
    git(cwd, 'rev-list', '--max-parents=0', '--reverse', 'HEAD'),
  ])
  const mainDir = isAbsolute(commonDir) ? commonDir : join(cwd, commonDir)
  const root = await realpath(top || dirname(mainDir)).catch(() => cwd)
  // Without remote and without commits the main checkout is what all worktrees have in common.
  const home = await realpath(dirname(mainDir)).catch(() => root)
  const rootCommit = rootCommits?.split('\n')[0]
  const { id, name } = projectIdentity({ root: home, ...(remote && { remote }), ...(rootCommit && { rootCommit }) })
  return { id, name, root, ...(remote && { remote: id }) }
}

/** `origin`, else the first remote there is: a fork keeps its own identity through its own origin. */
async function remoteUrl(cwd: string): Promise<string | undefined> {
  const origin = await git(cwd, 'remote', 'get-url', 'origin')
  if (origin) return origin
  const first = (await git(cwd, 'remote'))?.split('\n')[0]
  return first ? git(cwd, 'remote', 'get-url', first) : undefined
}
