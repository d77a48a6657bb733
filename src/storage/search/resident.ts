import { setImmediate as nextGo } from 'node:timers/promises'
import type { MemoryIndex, MemoryIndexes } from '#core/ports/search-index.ts'
import { InMemoryIndex } from './in-memory.ts'

/** How many entries an index has, and how many were ever written. Both the same means that nothing has changed. */
export interface Extent {
  entries: number
  written: number
}

export interface StoredIndex extends MemoryIndex {
  extent(): Promise<Extent>
}

export interface StoredIndexes extends MemoryIndexes {
  of(projectId: string): Promise<StoredIndex>
}

interface ResidentIndexes extends MemoryIndexes {
  /** Gets ready to be asked about a project, while no answer is waited for. */
  readAhead(projectId: string): Promise<void>
}

/** Some months of a team's work. More would take much memory, and long to read. */
const MOST_ENTRIES = 1_000
const MOST_PROJECTS = 4

interface Resident {
  index: InMemoryIndex
  extent: Extent
  asOf: string
}

/**
 * Keeps the indexes of small projects in memory: asking the database takes as long as ranking what it finds. `asOf` stays
 * the same for as long as no process writes a memory; what was read holds as long.
 */
export function residentIndexes(stored: StoredIndexes, asOf: () => string | undefined): ResidentIndexes {
  const residents = new Map<string, Resident>()
  const current = (projectId: string) => {
    const resident = residents.get(projectId)
    return resident?.asOf === asOf() ? resident : undefined
  }
  let reading: Promise<unknown> = Promise.resolve()

  async function readAhead(projectId: string) {
    if (current(projectId)) return
    const index = await stored.of(projectId)
    // Opening the index may have written, which `asOf` shows from the next tick on.
    await nextGo()
    const now = asOf()
    const before = residents.get(projectId)
    residents.delete(projectId)
    if (now === undefined) return
    const resident = await read(index, before)
    // Dropped if something was written during the reading: it may hold one half of that and not the other.
    if (resident === undefined || asOf() !== now) return
    if (residents.size >= MOST_PROJECTS) residents.delete(residents.keys().next().value!)
    residents.set(projectId, { ...resident, asOf: now })
  }

  return {
    ...stored,
    of: async (projectId) => current(projectId)?.index ?? stored.of(projectId),
    readAhead(projectId) {
      const done = reading.then(() => readAhead(projectId))
      // The caller gets the error; the next reading does not depend on it.
      reading = done.catch(() => undefined)
      return done
    },
  }
}

/** Extends the index in memory where only new entries were added, which are the newest; otherwise reads all of it. */
async function read(index: StoredIndex, before: Resident | undefined): Promise<Omit<Resident, 'asOf'> | undefined> {
  const extent = await index.extent()
  if (extent.entries > MOST_ENTRIES) return undefined
  const more = extent.entries - (before?.extent.entries ?? 0)
  const hasOnlyGrown = before !== undefined && more >= 0 && more === extent.written - before.extent.written
  const resident = hasOnlyGrown ? before.index : new InMemoryIndex()
  const newest = await index.recent(hasOnlyGrown ? more : extent.entries)
  for (const entry of newest.reverse()) resident.take(entry)
  return { index: resident, extent }
}
