import type { GuardedProject } from '#core/ports/guard.ts'
import type { AddedLines, Commit, IndexEntry } from '#core/ports/trace.ts'
import { blameLines } from '#core/trace/blame.ts'
import { linesOf } from '#core/trace/lines.ts'
import { viewOf } from '#core/trace/view.ts'
import { originsFor } from './blame.ts'
import type { TraceWorld } from './world.ts'

/** Who wrote the lines that a commit added; blank ones do not count. */
export interface CommitStats extends Commit {
  agentLines: number
  humanLines: number
  /** Most lines first. */
  sessions: SessionShare[]
}

export interface SessionShare {
  session: string
  model?: string
  lines: number
}

/** The ledger and the folder of intents describe the work; their own lines are not counted. */
const OWN = /^(?:\.orchestration|\.grove)\//
/** Clocks of commits count seconds. */
const SECOND = 1000

/** The share of agents and people in each commit of a range, newest first; merges are left out. */
export async function traceStats(
  world: TraceWorld,
  project: GuardedProject,
  { range, limit }: { range?: string; limit: number },
): Promise<CommitStats[]> {
  const { entries } = await world.ledger.index(project)
  const commits = await world.git.commits(project.root, limit, range)
  const found: CommitStats[] = []
  for (const commit of commits) {
    // What was written later cannot be in it.
    const earlier = entries.filter(({ at }) => at < commit.at + SECOND)
    found.push({ ...commit, ...(await sharesOf(world, project, commit, earlier)) })
  }
  return found
}

async function sharesOf(
  world: TraceWorld,
  project: GuardedProject,
  { revision }: Commit,
  entries: readonly IndexEntry[],
) {
  const added = (await world.git.added(project.root, revision)).filter(({ path }) => !OWN.test(path))
  const byEntry = new Map<IndexEntry, number>()
  let humanLines = 0
  const files = added.map(({ path }) => ({ path, oid: `${revision}:./${path}` }))
  for await (const { path, text } of world.git.texts(project.root, files)) {
    const lines = linesOf(text ?? '')
    const names = await world.git.formerNames(project.root, path)
    const candidates = originsFor(lines, entries, new Set(names.map(world.ledger.nameHash)))
    const owners = blameLines(lines, candidates)
    for (const at of addedIn(added, path, lines)) {
      const entry = candidates[owners[at]!]?.entry
      if (entry) byEntry.set(entry, (byEntry.get(entry) ?? 0) + 1)
      else humanLines++
    }
  }
  const sessions = await sessionsOf(world, project, byEntry)
  return { agentLines: sessions.reduce((sum, { lines }) => sum + lines, 0), humanLines, sessions }
}

function addedIn(added: readonly AddedLines[], path: string, lines: readonly string[]): number[] {
  const ranges = added.find((file) => file.path === path)?.ranges ?? []
  return lines.flatMap((line, at) => {
    const isAdded = ranges.some(({ start, end }) => at + 1 >= start && at + 1 <= end)
    return isAdded && line.trim() !== '' ? [at] : []
  })
}

async function sessionsOf(
  { ledger }: TraceWorld,
  project: GuardedProject,
  byEntry: ReadonlyMap<IndexEntry, number>,
): Promise<SessionShare[]> {
  const entries = [...byEntry.keys()]
  const records = await ledger.records(project, entries)
  const shares = new Map<string, SessionShare>()
  for (const [at, record] of records.entries()) {
    const { session = 'unknown', model } = record ? viewOf(record) : {}
    const share = shares.get(session) ?? { session, ...(model && { model }), lines: 0 }
    shares.set(session, { ...share, lines: share.lines + byEntry.get(entries[at]!)! })
  }
  return [...shares.values()].sort((a, b) => b.lines - a.lines || a.session.localeCompare(b.session))
}
