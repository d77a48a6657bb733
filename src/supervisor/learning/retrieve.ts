import type { Learning } from '#core/learning/learning.ts'
import { bestFirst, type FoundLearning, type LearningFilters, type LearningQuery } from '#core/learning/query.ts'
import { joinUsages, NO_STATS, type Stats, statusOf } from '#core/learning/stats.ts'
import type { LearningBackend, Library } from '#core/ports/learning.ts'
import { failOpen } from '../fail-open.ts'
import type { LearningWorld } from './world.ts'

export const NO_QUERY: LearningQuery = { files: [], tags: [] }

/** What was found, and what is known of its use. */
export interface Findings {
  found: FoundLearning[]
  stats: Stats
}

/** Searches every backend. One that does not answer counts as empty. */
export async function findLearnings(
  world: LearningWorld,
  library: Library,
  query: LearningQuery,
  { leastRelevance = 0, ...filters }: LearningFilters & { leastRelevance?: number } = {},
): Promise<Findings> {
  const places = placesOf(library)
  const [stats, ...found] = await Promise.all([
    statsOf(world, library),
    ...places.map((backend) => ask(world, backend, query, filters)),
  ])
  const { status = 'active', maxResults } = filters
  const all = found.flatMap((some) => some ?? [])
  const ids = [...new Set(all.map(({ learning }) => learning.id))]
  const takenOut = await failOpen(world.log, 'look for what was taken out', new Set<string>(), () =>
    library.takenOut(ids),
  )
  const isTakenOut = (id: string) => takenOut.has(id)
  // Learnings that another one supersedes. The log says so too, unless it was lost or could not be written.
  const corrected = new Set(all.flatMap(({ learning }) => (isTakenOut(learning.id) ? [] : (learning.supersedes ?? []))))
  const wanted: FoundLearning[] = []
  for (const one of newestCopies(all)) {
    const { learning, relevance } = one
    if (relevance < leastRelevance || isTakenOut(learning.id)) continue
    const told = statusOf(learning, stats)
    const now = told === 'active' && corrected.has(learning.id) ? 'superseded' : told
    if (status !== 'any' && now !== status) continue
    wanted.push(now === learning.status ? one : { ...one, learning: { ...learning, status: now } })
  }
  return { stats, found: bestFirst(wanted, { ...(maxResults !== undefined && { maxResults }) }) }
}

/** Each learning once, as it was last changed; of equally new copies the first one. */
function newestCopies(all: readonly FoundLearning[]): FoundLearning[] {
  const newest = new Map<string, FoundLearning>()
  for (const one of all) {
    const known = newest.get(one.learning.id)
    if (!known || (one.learning.changedAt ?? 0) > (known.learning.changedAt ?? 0)) newest.set(one.learning.id, one)
  }
  return [...newest.values()]
}

/**
 * The learnings of these ids as they are written down; their use is not looked up. Files are asked first, and a
 * server only for what none of them holds: it may be slow, and a session that ends has little time.
 */
export async function learningsNamed(
  world: LearningWorld,
  library: Library,
  ids: readonly string[],
): Promise<Learning[]> {
  const missing = new Set(ids)
  const places = placesOf(library).sort((a, b) => Number(!a.isFile) - Number(!b.isFile))
  const found: Learning[] = []
  for (const backend of places) {
    if (missing.size === 0) break
    const held = (await ask(world, backend, NO_QUERY, {})) ?? []
    for (const { learning } of held) if (missing.delete(learning.id)) found.push(learning)
  }
  return found
}

function placesOf({ shared, fallback, store, personal }: Library): LearningBackend[] {
  return [...shared, ...(fallback ? [fallback] : []), store, personal]
}

/** Undefined when it did not answer. */
function ask(
  { log }: LearningWorld,
  backend: LearningBackend,
  query: LearningQuery,
  filters: LearningFilters,
): Promise<FoundLearning[] | undefined> {
  // Its status is decided with the log in hand, so the backend must not filter by it.
  const { maxResults: _, ...rest } = filters
  return failOpen(log, `search ${backend.name}`, undefined, () => backend.search(query, { ...rest, status: 'any' }))
}

/** The sums of the project's log and of the person's own. */
export async function statsOf({ log }: LearningWorld, { stats, personalStats }: Library): Promise<Stats> {
  const none = { stats: NO_STATS, damaged: 0 }
  const [shared, personal] = await Promise.all([
    failOpen(log, 'read the stats log', none, () => stats.read()),
    failOpen(log, 'read the personal stats log', none, () => personalStats.read()),
  ])
  if (shared.damaged + personal.damaged > 0) {
    const { damaged } = shared
    log.warn(
      { damaged: damaged + personal.damaged },
      'the stats log has damaged lines; `grove maintain` takes them out',
    )
  }
  return { ...shared.stats, learnings: joinUsages(shared.stats, personal.stats) }
}

/** Every learning there is, whatever became of it. */
export async function allLearnings(
  world: LearningWorld,
  library: Library,
): Promise<{ learnings: Learning[]; stats: Stats }> {
  const { found, stats } = await findLearnings(world, library, NO_QUERY, { status: 'any' })
  return { learnings: found.map(({ learning }) => learning), stats }
}

export function logFor({ stats, personalStats }: Library, { scope }: Pick<Learning, 'scope'>) {
  return scope === 'personal' ? personalStats : stats
}
