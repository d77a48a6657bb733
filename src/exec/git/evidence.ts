import { basename, extname, join } from 'node:path'
import { openToReadLater } from '#config/plain-file.ts'
import { type CoChange, countCoChange, tieTo } from '#core/drift/co-change.ts'
import type { RepoEvidence } from '#core/drift/score.ts'
import { git } from './git.ts'

const COMMITS = 2_000
const FRESH_FOR_MS = 60 * 60_000
const PROJECTS = 20
const HEAD_BYTES = 16 * 1024

/** What a repository itself says about a file and the files of a task: its history, and its imports. */
export class RepoKnowledge {
  readonly #histories = new Map<string, { readAt: number; history: Promise<CoChange> }>()

  constructor(private readonly now: () => number) {}

  async about(root: string, path: string, others: string[]): Promise<RepoEvidence> {
    const [history, imports] = await Promise.all([this.#history(root), importTie(root, path, others)])
    return { coChanged: tieTo(history, path, others), imports }
  }

  #history(root: string): Promise<CoChange> {
    const known = this.#histories.get(root)
    if (known && this.now() - known.readAt < FRESH_FOR_MS) return known.history
    const history = readHistory(root)
    this.#histories.set(root, { readAt: this.now(), history })
    if (this.#histories.size > PROJECTS) this.#histories.delete(this.#histories.keys().next().value!)
    return history
  }
}

/** `RepoKnowledge` as a function, for callers that hold a port. */
export function askRepositories(now: () => number): RepoKnowledge['about'] {
  const knowledge = new RepoKnowledge(now)
  return (root, path, others) => knowledge.about(root, path, others)
}

async function readHistory(root: string): Promise<CoChange> {
  // Merges repeat their commits, and a first commit only says that everything was there at once.
  const which = ['--no-merges', '--min-parents=1', '-n', String(COMMITS)]
  const log = await git(root, 'log', ...which, '--name-only', '--format=%x00')
  const commits = (log ?? '').split('\0').map((commit) => commit.split('\n').filter((line) => line !== ''))
  return countCoChange(commits)
}

/** Whether the file's import lines name one of the others, or theirs name it. */
async function importTie(root: string, path: string, others: string[]): Promise<boolean> {
  const recent = others.filter((other) => other !== path).slice(-8)
  const mine = await importLines(join(root, path))
  if (recent.some((other) => mine.has(stemOf(other)))) return true
  const stem = stemOf(path)
  const theirs = await Promise.all(recent.map((other) => importLines(join(root, other))))
  return theirs.some((names) => names.has(stem))
}

const IMPORTS =
  /^[ \t]*(?:import|from|export .* from|require|use|mod|#include|include|@import|package)\b.*$|require\(.*$/gm

// Too common: half of all files could be meant by these.
const COMMON = new Set([
  'index',
  'main',
  'mod',
  'init',
  'utils',
  'util',
  'types',
  'common',
  'src',
  'lib',
  'test',
  'tests',
])

/** The parts of what a file imports, from its first lines; empty for a file that cannot be read. */
async function importLines(file: string): Promise<Set<string>> {
  const text = await headOf(file)
  const names = (text.match(IMPORTS) ?? []).flatMap((line) => line.match(/[\w@./-]+/g) ?? [])
  return new Set(names.flatMap((name) => name.split(/[./]+/)).filter((name) => name.length > 2 && !COMMON.has(name)))
}

async function headOf(file: string): Promise<string> {
  try {
    const handle = await openToReadLater(file)
    try {
      const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(HEAD_BYTES), position: 0 })
      return buffer.toString('utf8', 0, bytesRead)
    } finally {
      await handle.close()
    }
  } catch {
    // Missing or unreadable: it imports nothing.
    return ''
  }
}

function stemOf(path: string): string {
  const name = basename(path)
  return name.slice(0, name.length - extname(name).length) || name
}
