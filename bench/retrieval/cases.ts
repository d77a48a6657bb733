/**
 * Every question with all that can be known about it before anything is learned, so that a set is replayed once and not for
 * every fold: what its words find, and the histories of all files that may turn out to be likely.
 */
import type { Candidate, FileHistory, MemoryIndex } from '#core/ports/search-index.ts'
import type { Evidence } from '#core/search/rank-features.ts'
import type { Model } from '#core/search/rank-model.ts'
import { follow, LIMITS, type Look, look, type MemoryQuery, openFiles } from '#core/search/retrieve.ts'
import { type Entry, memoryQuery, type Query, replay } from './data.ts'

export interface Case<Q extends Query = Query> {
  query: Q
  seen: Look
  /** With the query's file known to be open. */
  open: Evidence['open']
  index: Pick<MemoryIndex, 'histories' | 'byIds'>
}

const NOTHING_OPEN: Evidence['open'] = { paths: [], histories: [], together: new Map() }

export async function casesOf<Q extends Query>(entries: Entry[], queries: Q[]): Promise<Case<Q>[]> {
  const cases: Case<Q>[] = []
  const candidates = new Map<string, Candidate>()
  await replay(entries, queries, async (index, query) => {
    const seen = await look(index, memoryQuery(query, false))
    const open = await openFiles(index, query.hint_files)
    const paths = seen.stats.map(({ path }) => path)
    const histories = new Map((await index.histories(paths, LIMITS.trailLength)).map((one) => [one.path, one]))
    const touched = [...histories.values(), ...open.histories].flatMap(({ recent, first }) => [...recent, first])
    const needed = [...touched, ...seen.clues.recent].map(({ id }) => id).filter((id) => !candidates.has(id))
    for (const entry of await index.byIds([...new Set(needed)])) candidates.set(entry.id, entry)
    cases.push({ query, seen, open, index: frozen(histories, candidates) })
  })
  return cases
}

function frozen(histories: Map<string, FileHistory>, candidates: Map<string, Candidate>): Case['index'] {
  return {
    histories: async (paths) => paths.flatMap((path) => histories.get(path) ?? []),
    byIds: async (ids) => ids.flatMap((id) => candidates.get(id) ?? []),
  }
}

export function evidenceOf(
  { query, seen, open, index }: Case,
  fileModel: Model,
  withFiles: boolean,
): Promise<Evidence> {
  const asked: MemoryQuery = memoryQuery(query, withFiles)
  return follow(index, asked, seen, withFiles ? open : NOTHING_OPEN, fileModel)
}
