import { spawn } from 'node:child_process'
import type { Commit } from '#core/memory/import-commit.ts'
import type { GitStretch } from '#core/ports/import.ts'
import { defaultBranch } from '../git/branches.ts'
import { git } from '../git/git.ts'
import { lookOnly } from '../git/look-only.ts'

/** How far git's idea of the present may differ from ours. */
const ABOUT_NOW_S = 10

const RECORD = '\x1e'
const FIELD = '\x1f'
const FORMAT = `${RECORD}%H${FIELD}%an${FIELD}%ct${FIELD}%s${FIELD}%b${FIELD}`

export async function headOf(root: string): Promise<string | undefined> {
  return git(root, 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}')
}

/** Whether a commit is still part of the history behind another. */
export async function isBehind(root: string, commit: string, head: string): Promise<boolean> {
  return (await git(root, 'merge-base', '--is-ancestor', commit, head)) !== undefined
}

/** The commits of the branch at hand that have not reached the default branch; undefined on that itself. */
export async function aside(root: string, head: string): Promise<{ branch: string; commits: Set<string> } | undefined> {
  const [branch, main] = await Promise.all([
    git(root, 'symbolic-ref', '--quiet', '--short', 'HEAD'),
    defaultBranch(root),
  ])
  if (!branch || !main || branch === main.name) return undefined
  const commits = await git(root, 'rev-list', '--no-merges', head, ...main.refs.map((ref) => `^${ref}`))
  return { branch, commits: new Set(commits?.split('\n')) }
}

/** Whether git understands a text as a time; otherwise it would silently use the present. */
export async function isTime(root: string, text: string, now: number): Promise<boolean> {
  if (/^\s*(?:now|today)\s*$/i.test(text)) return true
  const age = await git(root, 'rev-parse', `--since=${text}`)
  const found = Number(/^--max-age=(\d+)$/.exec(age ?? '')?.[1])
  return Math.abs(found - now / 1000) > ABOUT_NOW_S
}

/** How many commits there are to read. */
export async function lengthOf(root: string, stretch: Omit<GitStretch, 'skip'>): Promise<number> {
  const count = Number(await git(root, 'rev-list', '--count', '--no-merges', ...range(stretch)))
  return Math.min(count || 0, stretch.most ?? Number.POSITIVE_INFINITY)
}

/** Commits without merges, oldest first, read as git writes them: only their names are held in memory. */
export async function* commitsOf(root: string, stretch: GitStretch): AsyncGenerator<Commit> {
  const all = (await git(root, 'rev-list', '--no-merges', '--reverse', ...range(stretch)))?.split('\n') ?? []
  const wanted = (stretch.most === undefined ? all : all.slice(-stretch.most)).slice(stretch.skip).filter(Boolean)
  // Without a revision git would read all of them.
  if (wanted.length === 0) return
  const options = ['-z', '--name-only', '--no-renames', '--encoding=UTF-8', `--format=${FORMAT}`]
  const { before, ...how } = await lookOnly(root)
  const child = spawn(
    'git',
    [...before, '-c', 'core.quotePath=false', 'log', '--no-walk=unsorted', '--stdin', ...options],
    { ...how, cwd: root, stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true },
  )
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => resolve())
  })
  // Catches a failed start; without it the error would be unhandled until the reading below begins.
  ended.catch(() => undefined)
  child.stdin.on('error', () => undefined)
  child.stdin.end(`${wanted.join('\n')}\n`)
  try {
    let rest = ''
    for await (const chunk of child.stdout.setEncoding('utf8')) {
      const records = `${rest}${chunk}`.split(RECORD)
      rest = records.pop() ?? ''
      for (const record of records) yield* commitIn(record)
    }
    await ended
    yield* commitIn(rest)
  } finally {
    child.kill()
  }
}

function range({ head, since, known }: Pick<GitStretch, 'head' | 'since' | 'known'>): string[] {
  return [...(since ? [`--since=${since}`] : []), head, ...(known ? [`^${known}`] : []), '--']
}

function* commitIn(record: string): Generator<Commit> {
  const [sha, author, seconds, title, body, files] = record.split(FIELD)
  if (!sha || files === undefined) return
  const paths = files.split('\0').map((path) => path.replace(/^\n+/, ''))
  yield {
    sha,
    author: author ?? '',
    at: Number(seconds) * 1_000,
    title: title ?? '',
    body: body ?? '',
    files: paths.filter((path) => path !== ''),
  }
}
