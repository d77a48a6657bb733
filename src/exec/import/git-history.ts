import { spawn } from 'node:child_process'
import type { Commit } from '#core/memory/import-commit.ts'
import { git } from '../git.ts'

export interface Stretch {
  /** The commit to begin at, going back. */
  head: string
  /** How many of them were read before. */
  skip: number
  /** A time, in any form git understands. */
  since?: string
  most?: number
  /** Commits that are reachable from here are left out: they were read another time. */
  known?: string
}

const RECORD = '\x1e'
const FIELD = '\x1f'
const FORMAT = `${RECORD}%H${FIELD}%an${FIELD}%ct${FIELD}%s${FIELD}%b${FIELD}`

/** The newest commit, and how many there are to read. */
export async function lengthOf(root: string, stretch: Omit<Stretch, 'skip'>): Promise<number> {
  const count = Number(await git(root, 'rev-list', '--count', '--no-merges', ...range(stretch)))
  return Math.min(count || 0, stretch.most ?? Number.POSITIVE_INFINITY)
}

export async function headOf(root: string): Promise<string | undefined> {
  return git(root, 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}')
}

/** Whether a commit is still part of the history behind another. */
export async function isBehind(root: string, commit: string, head: string): Promise<boolean> {
  return (await git(root, 'merge-base', '--is-ancestor', commit, head)) !== undefined
}

/** Commits newest first, read as git writes them: a history of any length needs no more memory than one commit. */
export async function* commitsOf(root: string, stretch: Stretch): AsyncGenerator<Commit> {
  const most = stretch.most === undefined ? [] : [`--max-count=${Math.max(0, stretch.most - stretch.skip)}`]
  const args = ['log', '--no-merges', '-z', '--name-only', '--no-renames', '--encoding=UTF-8', `--format=${FORMAT}`]
  const child = spawn(
    'git',
    [
      '--no-optional-locks',
      '-c',
      'core.quotePath=false',
      ...args,
      `--skip=${stretch.skip}`,
      ...most,
      ...range(stretch),
    ],
    { cwd: root, stdio: ['ignore', 'pipe', 'ignore'], windowsHide: true },
  )
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => resolve())
  })
  // Reading below notices the end too; this keeps a failed start from going unheard before that.
  ended.catch(() => undefined)
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

function range({ head, since, known }: Pick<Stretch, 'head' | 'since' | 'known'>): string[] {
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
