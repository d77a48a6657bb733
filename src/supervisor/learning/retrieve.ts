import type { Learning } from '#core/learning/learning.ts'
import {
  bestFirst,
  type FoundLearning,
  type LearningBackend,
  type LearningFilters,
  type LearningQuery,
} from '#core/learning/query.ts'
import { joinUsages, NO_STATS, type Stats, statusOf } from '#core/learning/stats.ts'
import { failOpen } from '../fail-open.ts'
import type { LearningWorld, Library } from './world.ts'

export const NO_QUERY: LearningQuery = { files: [], tags: [] }

/** What was found, and what is known about how it fared. */
export interface Findings {
  found: FoundLearning[]
  stats: Stats
}

/** Searches every place that holds learnings. One that does not answer is as good as empty. */
export async function findLearnings(
  world: LearningWorld,
  library: Library,
  query: LearningQuery,
  filters: LearningFilters = {},
): Promise<Findings> {
  const [stats, ...found] = await Promise.all([
    statsOf(world, library),
    ...placesOf(library).map((backend) => ask(world, backend, query, filters)),
  ])
  const { status = 'active', maxResults } = filters
  const byId = new Map<string, FoundLearning>()
  for (const one of found.flat()) {
    const now = statusOf(one.learning, stats)
    if ((status !== 'any' && now !== status) || byId.has(one.learning.id)) continue
    byId.set(
      one.learning.id,
      now === one.learning.status ? one : { ...one, learning: { ...one.learning, status: now } },
    )
  }
  return { stats, found: bestFirst([...byId.values()], { ...(maxResults !== undefined && { maxResults }) }) }
}

/** Every learning as it is written down; how it fared is not looked up. */
export async function learningsIn(world: LearningWorld, library: Library): Promise<Learning[]> {
  const found = await Promise.all(placesOf(library).map((backend) => ask(world, backend, NO_QUERY, {})))
  return found.flat().map(({ learning }) => learning)
}

function placesOf({ shared, fallback, personal }: Library): LearningBackend[] {
  return [...shared, ...(fallback ? [fallback] : []), personal]
}

function ask({ log }: LearningWorld, backend: LearningBackend, query: LearningQuery, filters: LearningFilters) {
  // Its status is decided with the log in hand, so the backend must not filter by it.
  const { maxResults: _, ...rest } = filters
  return failOpen(log, `search ${backend.name}`, [], () => backend.search(query, { ...rest, status: 'any' }))
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
