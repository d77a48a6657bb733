import type { SafeGit } from '../git/safe-git.ts'

/** Names and addresses, as they are written in the settings. */
export async function remotesOf(git: SafeGit, cwd: string): Promise<Map<string, string>> {
  const { stdout } = await git(cwd, ['config', '-z', '--get-regexp', '^remote\\..*\\.url$'])
  const entries = stdout.split('\0').map((entry) => /^remote\.([\s\S]+)\.url\n([\s\S]*)$/.exec(entry))
  return new Map(entries.flatMap((entry): [string, string][] => (entry ? [[entry[1]!, entry[2]!]] : [])))
}

/** Where branches are pushed to: what the user says, else `origin`, else the first there is. */
export async function pushRemote(
  git: SafeGit,
  cwd: string,
  remotes: ReadonlyMap<string, string>,
): Promise<string | undefined> {
  const { stdout } = await git(cwd, ['config', '--get', 'remote.pushDefault'])
  return [stdout.trim(), 'origin', ...remotes.keys()].find((name) => remotes.has(name))
}

/** Where the base branch comes from: what a fork was forked from, else as above. */
export async function baseRemote(
  git: SafeGit,
  cwd: string,
  baseBranch: string,
  remotes: ReadonlyMap<string, string>,
): Promise<string | undefined> {
  const { stdout } = await git(cwd, ['config', '--get', `branch.${baseBranch}.remote`])
  return [stdout.trim(), 'upstream', 'origin', ...remotes.keys()].find((name) => remotes.has(name))
}
