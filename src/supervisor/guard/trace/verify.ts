import type { GuardedProject } from '#core/ports/guard.ts'
import type { CommittedFile, IndexEntry } from '#core/ports/trace.ts'
import { blameLines } from '#core/trace/blame.ts'
import { type ChainBreak, ChainCheck } from '#core/trace/chain.ts'
import { changedRanges, isTelling, type LineRange, lineHash, linesOf } from '#core/trace/lines.ts'
import { viewOf } from '#core/trace/view.ts'
import { type Candidate, originsFor } from './blame.ts'
import type { TraceWorld } from './world.ts'

/** How a commit and the ledger fit together. */
export interface Verification {
  revision: string
  lines: { total: number; traced: number }
  /** Files with lines that no intent accounts for, most first. */
  untraced: { path: string; lines: number; ranges: LineRange[] }[]
  records: {
    total: number
    /** All that was written is there. */
    whole: number
    partly: number
    /** Nothing of it is left: it was overwritten, removed, or never committed. */
    gone: { id: string; at: number; intent?: string; paths: string[] }[]
    goneCount: number
  }
  ledger: {
    lines: number
    damaged: { line: number; offset: number }[]
    /** Records that were changed or moved, or that follow one which was taken out. */
    broken: ChainBreak[]
    /** The last record that was written here on this branch is not there any more. */
    cutOff: boolean
  }
}

const MOST_GONE = 200
/** The trace does not trace itself. */
const OWN = /^(?:\.orchestration|\.grove)\//

/** Compares a commit with the ledger; with `since` only what has been added after that commit counts. */
export async function traceVerify(
  world: TraceWorld,
  project: GuardedProject,
  { revision, since }: { revision: string; since?: string },
): Promise<Verification> {
  const { root } = project
  const index = await world.ledger.index(project)
  const wanted = since ? await linesSince(world, root, since, revision) : undefined
  const files = (await world.git.files(root, revision)).filter(({ path }) => !OWN.test(path))
  const tally = new Tally(wanted)

  // First each file with its own changes; only for what is left over, everything that was written elsewhere.
  const own = entriesByName(index.entries)
  const ownOf = (path: string) => own.get(world.ledger.nameHash(path)) ?? []
  const open = new Set<number>()
  const loose: CommittedFile[] = []
  for await (const { path, text } of world.git.texts(root, files)) {
    if (text === undefined) continue
    const lines = linesOf(text)
    const candidates = originsFor(lines, ownOf(path), new Set([world.ledger.nameHash(path)]))
    const owners = blameLines(lines, candidates)
    const left = lines.filter((line, i) => owners[i]! < 0 && isTelling(line))
    if (left.length === 0) tally.add(path, lines, owners, candidates)
    else {
      loose.push(files.find((file) => file.path === path)!)
      for (const line of left) open.add(lineHash(line))
    }
  }
  const elsewhere = new Elsewhere(index.entries, open)
  for await (const { path, text } of world.git.texts(root, loose)) {
    const lines = linesOf(text ?? '')
    const entries = [...new Set([...ownOf(path), ...elsewhere.sharing(lines)])]
    const candidates = originsFor(lines, entries, new Set([world.ledger.nameHash(path)]))
    tally.add(path, lines, blameLines(lines, candidates), candidates)
  }
  return {
    revision,
    lines: { total: tally.total, traced: tally.traced },
    untraced: tally.untraced.sort((a, b) => b.lines - a.lines || a.path.localeCompare(b.path)),
    records: await recordStates(world, project, index.entries, tally.claimed),
    ledger: { lines: index.lines, damaged: index.damaged, ...(await chainOf(world, project)) },
  }
}

async function chainOf({ ledger, digest }: TraceWorld, project: GuardedProject) {
  const check = new ChainCheck(digest)
  for await (const { text } of ledger.lines(project)) check.add(text)
  const head = ledger.head(project)
  return { broken: check.breaks(), cutOff: head !== undefined && !check.has(head) }
}

/** Counts lines; blank ones and those outside the question do not count. */
class Tally {
  total = 0
  traced = 0
  readonly untraced: Verification['untraced'] = []
  readonly claimed = new Map<IndexEntry, number>()
  private readonly wanted: Map<string, LineRange[]> | undefined

  constructor(wanted: Map<string, LineRange[]> | undefined) {
    this.wanted = wanted
  }

  add(path: string, lines: readonly string[], owners: readonly number[], candidates: readonly Candidate[]) {
    const without: number[] = []
    for (const [i, owner] of owners.entries()) {
      const entry = candidates[owner]?.entry
      if (entry) this.claimed.set(entry, (this.claimed.get(entry) ?? 0) + 1)
      if (lines[i]!.trim() === '' || !this.isWanted(path, i + 1)) continue
      this.total++
      if (entry) this.traced++
      else without.push(i + 1)
    }
    if (without.length > 0) this.untraced.push({ path, lines: without.length, ranges: inRanges(without) })
  }

  private isWanted(path: string, line: number): boolean {
    if (!this.wanted) return true
    return this.wanted.get(path)?.some(({ start, end }) => line >= start && line <= end) === true
  }
}

function inRanges(numbers: readonly number[]): LineRange[] {
  const ranges: LineRange[] = []
  for (const line of numbers) {
    const last = ranges.at(-1)
    if (last && last.end === line - 1) last.end = line
    else ranges.push({ start: line, end: line })
  }
  return ranges
}

function entriesByName(entries: readonly IndexEntry[]): Map<number, IndexEntry[]> {
  const byName = new Map<number, IndexEntry[]>()
  for (const entry of entries) {
    for (const { path } of entry.files) {
      const known = byName.get(path)
      if (known) known.push(entry)
      else byName.set(path, [entry])
    }
  }
  return byName
}

/** Changes whose lines may have moved into another file, found by a line of theirs. */
class Elsewhere {
  private readonly byLine = new Map<number, IndexEntry[]>()

  constructor(entries: readonly IndexEntry[], open: ReadonlySet<number>) {
    for (const entry of entries) {
      for (const { ranges } of entry.files) {
        for (const range of ranges) {
          for (let line = 0; line < range.count; line++) {
            const hash = range.hash(line)
            if (open.has(hash)) this.note(hash, entry)
          }
        }
      }
    }
  }

  /** Lines that very many changes share prove nothing. */
  sharing(lines: readonly string[]): IndexEntry[] {
    const found = new Map<IndexEntry, number>()
    for (const line of lines) {
      for (const entry of this.byLine.get(lineHash(line)) ?? []) found.set(entry, (found.get(entry) ?? 0) + 1)
    }
    return [...found]
      .sort((a, b) => b[1] - a[1])
      .slice(0, MOST_SHARING)
      .map(([entry]) => entry)
  }

  private note(line: number, entry: IndexEntry) {
    const known = this.byLine.get(line)
    if (!known) this.byLine.set(line, [entry])
    else if (known.length < MOST_SHARING && known.at(-1) !== entry) known.push(entry)
  }
}

const MOST_SHARING = 50

/** The lines each file has gained since a commit. */
async function linesSince(
  { git }: TraceWorld,
  root: string,
  since: string,
  revision: string,
): Promise<Map<string, LineRange[]>> {
  const wanted = new Map<string, LineRange[]>()
  for (const path of await git.changed(root, since, revision)) {
    const [before, after] = await Promise.all([git.text(root, since, path), git.text(root, revision, path)])
    if (after !== undefined) wanted.set(path, changedRanges(linesOf(before ?? ''), linesOf(after)))
  }
  return wanted
}

async function recordStates(
  { ledger }: TraceWorld,
  project: GuardedProject,
  entries: readonly IndexEntry[],
  claimed: ReadonlyMap<IndexEntry, number>,
): Promise<Verification['records']> {
  const wrote = (entry: IndexEntry) =>
    entry.files.reduce((sum, { ranges }) => sum + ranges.reduce((lines, range) => lines + range.count, 0), 0)
  // A change that only took lines away has left nothing that could be found.
  const writing = entries.filter((entry) => wrote(entry) > 0)
  const gone = writing.filter((entry) => !claimed.has(entry))
  const whole = writing.filter((entry) => (claimed.get(entry) ?? 0) >= wrote(entry))
  const shown = gone.toSorted((a, b) => b.at - a.at).slice(0, MOST_GONE)
  const records = await ledger.records(project, shown)
  return {
    total: entries.length,
    whole: whole.length,
    partly: writing.length - gone.length - whole.length,
    goneCount: gone.length,
    gone: records.flatMap((record) => {
      if (!record) return []
      const { id, at, intent, files } = viewOf(record)
      return [{ id, at, ...(intent !== undefined && { intent }), paths: files.map(({ path }) => path) }]
    }),
  }
}
