import type { WorkPlace } from '#core/memory/branch.ts'
import type { Memory } from '#core/memory/memory.ts'
import { git } from './git.ts'
import { headBranch } from './head.ts'

/**
 * Where an agent works in this folder: branch, last commit, and the user name that git knows, in as few git processes
 * as possible.
 */
export async function workPlace(cwd: string): Promise<WorkPlace> {
  const [head, settings, refs] = await Promise.all([
    git(cwd, 'log', '-1', '--format=%H %ct'),
    settingsOf(cwd),
    refsIn(cwd),
  ])
  const branch = headBranch(cwd)
  const [sha, seconds] = head?.split(' ') ?? []
  const main = defaultAmong(refs, settings.get('init.defaultbranch'))
  const user = settings.get('user.name')
  return {
    ...(branch && { branch }),
    ...(sha && { head: { sha, at: Number(seconds) * 1_000 } }),
    ...(user && { user }),
    ...(main && { defaultBranch: main.name }),
  }
}

async function settingsOf(cwd: string): Promise<Map<string, string>> {
  const listed = await git(cwd, 'config', '-z', '--get-regexp', '^(user\\.name|init\\.defaultbranch)$')
  // Said more than once, the last one counts.
  const entries = (listed ?? '').split('\0').map((entry) => entry.split('\n'))
  return new Map(entries.flatMap(([key, value]): [string, string][] => (key && value ? [[key, value]] : [])))
}

interface Refs {
  names: Set<string>
  /** The remote's name for its main branch. */
  remoteHead?: string
}

async function refsIn(cwd: string): Promise<Refs> {
  const listed = await git(cwd, 'for-each-ref', '--format=%(refname) %(symref)', 'refs/heads', 'refs/remotes')
  const lines = (listed ?? '').split('\n').map((line) => line.split(' '))
  const remoteHead = lines.find(([name]) => name === 'refs/remotes/origin/HEAD')?.[1]
  return { names: new Set(lines.map(([name = '']) => name)), ...(remoteHead && { remoteHead }) }
}

interface DefaultBranch {
  name: string
  /** The newest we know of it: what the remote has, where there is one. */
  refs: string[]
}

/** The default branch, as far as this clone knows. */
export async function defaultBranch(cwd: string): Promise<DefaultBranch | undefined> {
  const [refs, settings] = await Promise.all([refsIn(cwd), settingsOf(cwd)])
  return defaultAmong(refs, settings.get('init.defaultbranch'))
}

function defaultAmong({ names: known, remoteHead }: Refs, wanted: string | undefined): DefaultBranch | undefined {
  const names = [remoteHead?.replace(/^refs\/remotes\/origin\//, ''), 'main', 'master', 'trunk', wanted]
  const name = names.find((one) => one && refsOf(known, one).length > 0)
  return name ? { name, refs: refsOf(known, name) } : undefined
}

function refsOf(known: Set<string>, branch: string): string[] {
  return [`refs/heads/${branch}`, `refs/remotes/origin/${branch}`].filter((ref) => known.has(ref))
}

/** The memories among these whose branch has reached the default branch, as far as this clone knows. */
export async function mergedAmong(root: string, memories: Memory[]): Promise<Set<string>> {
  const main = await defaultBranch(root)
  if (!main) return new Set()
  const { names: refs } = await refsIn(root)
  const merged = await Promise.all(
    memories.map((memory) => isMerged(root, main, refsOf(refs, memory.branch ?? ''), memory)),
  )
  return new Set(memories.filter((_, at) => merged[at]).map(({ id }) => id))
}

/**
 * Merged as it is, rebased, or squashed. The last leaves no trace but the content: the files are now the same on both
 * branches; or the branch is gone and the default branch has since changed what it had changed.
 */
async function isMerged(root: string, main: DefaultBranch, branchRefs: string[], memory: Memory): Promise<boolean> {
  const commit = shaOf(memory) ?? (await firstCommitSince(root, branchRefs, memory))
  for (const ref of main.refs) {
    if (commit && (await isIn(root, commit, ref))) return true
    const files = memory.files.slice(0, 20)
    if (files.length === 0) continue
    const changed = await git(root, LITERAL, 'log', '-1', '--format=%H', since(memory), ref, '--', ...files)
    if (!changed) continue
    if (branchRefs.length === 0) return true
    if (commit && (await git(root, LITERAL, 'diff', '--quiet', ref, branchRefs[0]!, '--', ...files)) !== undefined)
      return true
  }
  return false
}

/** Commit ids in memories come from other people: one must not be able to pass for an option of git. */
function shaOf({ linkedCommit }: Memory): string | undefined {
  return linkedCommit && /^[0-9a-f]{7,64}$/.test(linkedCommit) ? linkedCommit : undefined
}

/** For the same reason a path is passed as a path only. */
const LITERAL = '--literal-pathspecs'

async function isIn(root: string, commit: string, ref: string): Promise<boolean> {
  if ((await git(root, 'merge-base', '--is-ancestor', commit, ref)) !== undefined) return true
  // A minus marks a commit whose change exists on the other side under another id.
  return (await git(root, 'cherry', ref, commit, `${commit}^`))?.startsWith('-') === true
}

async function firstCommitSince(root: string, refs: string[], memory: Memory): Promise<string | undefined> {
  if (refs.length === 0 || memory.files.length === 0) return undefined
  const files = memory.files.slice(0, 20)
  const commits = await git(root, LITERAL, 'log', '--reverse', '--format=%H', since(memory), refs[0]!, '--', ...files)
  return commits?.split('\n')[0] || undefined
}

/** Tolerance: git counts in seconds, and clocks differ a little. */
function since({ createdAt }: Memory): string {
  return `--since=${new Date(createdAt - 60_000).toISOString()}`
}
