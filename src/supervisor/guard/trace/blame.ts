import type { GuardedProject } from '#core/ports/guard.ts'
import type { IndexEntry, IndexRange } from '#core/ports/trace.ts'
import { blameLines, type Origin } from '#core/trace/blame.ts'
import { isTelling, lineHash, linesOf } from '#core/trace/lines.ts'
import { type TraceView, viewOf } from '#core/trace/view.ts'
import type { TraceWorld } from './world.ts'

/** One line of a file and where it comes from. */
export interface BlamedLine {
  line: number
  text: string
  /** Absent: no change in the ledger wrote it. */
  origin?: Pick<TraceView, 'id' | 'at' | 'intent' | 'session' | 'agent' | 'model' | 'task' | 'tool'>
}

/** So many telling lines must be shared before a change elsewhere is considered. */
const SHARED = 3

/** Each line of a file with the change that wrote it; of a commit, or of the disk. Undefined when there is no such file. */
export async function traceBlame(
  world: TraceWorld,
  project: GuardedProject,
  path: string,
  revision?: string,
): Promise<BlamedLine[] | undefined> {
  const text = revision
    ? await world.git.text(project.root, revision, path)
    : await world.read(`${project.root}/${path}`)
  if (text === undefined) return undefined
  const lines = linesOf(text)
  const { entries } = await world.ledger.index(project)
  const names = await world.git.formerNames(project.root, path)
  const candidates = originsFor(lines, entries, new Set(names.map(world.ledger.nameHash)))
  const owners = blameLines(lines, candidates)
  const used = [...new Set(owners)].filter((owner) => owner >= 0)
  const records = await world.ledger.records(
    project,
    used.map((owner) => candidates[owner]!.entry),
  )
  const views = new Map(used.map((owner, i) => [owner, records[i]]))
  return lines.map((line, i) => {
    const record = views.get(owners[i]!)
    return { line: i + 1, text: line, ...(record && { origin: originOf(viewOf(record)) }) }
  })
}

function originOf({ id, at, intent, session, agent, model, task, tool }: TraceView): NonNullable<BlamedLine['origin']> {
  return {
    id,
    at,
    ...(intent !== undefined && { intent }),
    ...(session && { session }),
    ...(agent && { agent }),
    ...(model && { model }),
    ...(task && { task }),
    ...(tool && { tool }),
  }
}

/** A change that may have written something here, with its place in the ledger. */
export interface Candidate extends Origin {
  entry: IndexEntry
  ranges: { start: number; lines: number[] }[]
}

/** Changes of the file itself, and of others that share enough with it; newest first. */
export function originsFor(
  lines: readonly string[],
  entries: readonly IndexEntry[],
  names: ReadonlySet<number>,
): Candidate[] {
  const telling = new Set(lines.filter(isTelling).map(lineHash))
  const found: Candidate[] = []
  for (const entry of entries) {
    for (const { path, ranges } of entry.files) {
      const sameFile = names.has(path)
      if (!sameFile && !sharesEnough(ranges, telling)) continue
      const copied = ranges.map((range) => ({ start: range.start, lines: hashesOf(range) }))
      found.push({ entry, sameFile, ranges: copied })
    }
  }
  return found.sort((a, b) => b.entry.at - a.entry.at || b.entry.offset - a.entry.offset)
}

function hashesOf(range: IndexRange): number[] {
  return Array.from({ length: range.count }, (_, line) => range.hash(line))
}

function sharesEnough(ranges: readonly IndexRange[], telling: ReadonlySet<number>): boolean {
  let shared = 0
  for (const range of ranges) {
    for (let line = 0; line < range.count; line++) {
      if (telling.has(range.hash(line)) && ++shared >= Math.min(SHARED, range.count)) return true
    }
  }
  return false
}
