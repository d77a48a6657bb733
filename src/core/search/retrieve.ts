/** From a question to hits: candidates by words, the files they point at, the entries that wrote those files, one ranking. */

import { type Candidate, type FileStats, MANY_TOUCHES, type MemoryIndex } from '../ports/search-index.ts'
import type { Similarity } from './embeddings.ts'
import { type Hit, rank, type Weights } from './rank.ts'
import type { Evidence } from './rank-features.ts'
import { type FileClues, guessFiles, pointedAt, type Scored } from './rank-files.ts'
import type { Model } from './rank-model.ts'
import { matchText, type TextQuery, textQuery } from './rank-text.ts'
import { pruneTerms, queryTerms, terms } from './terms.ts'
import { shippedWeights } from './weights.ts'

export interface MemoryQuery {
  text: string
  /** Files known to be open or in work. */
  files?: string[]
  now: number
  /** The asking group; its own entries are never offered back. */
  excludeGroup?: string
}

export interface RetrieveOptions {
  limit?: number
  /** Answers nothing when the chance that one of the first five is relevant is smaller; the shipped threshold unless told. */
  minAnswer?: number
  /** Leaves out near copies of better hits; on unless told. */
  diverse?: boolean
  /** Log-odds from outside by entry id: outcome, how often it was used. */
  priors?: Map<string, number>
  /** The same from embeddings, asked for the candidates. */
  similar?: Similarity
  weights?: Weights
}

/** The entries worth showing, best first; none when nothing in memory seems to answer. */
export async function retrieve(index: MemoryIndex, query: MemoryQuery, options: RetrieveOptions = {}): Promise<Hit[]> {
  const { limit = 5, diverse = true, priors = new Map(), weights = shippedWeights } = options
  const nearness = options.similar?.(query.text)
  const evidence = await gather(index, query, weights.files)
  const similar = (await nearness?.(evidence.pool.map(({ entry }) => entry.id))) ?? new Map<string, number>()
  if (similar.size === 0 && !isAboutThisStore(evidence)) return []
  const { answer, hits } = rank(evidence, weights, { limit, diverse, priors: added(priors, similar) })
  return answer < (options.minAnswer ?? weights.confidence.threshold) ? [] : hits
}

/** Without a word or a file that the store knows, everything in it would fit as well, and the newest would win. */
function isAboutThisStore({ pool, open }: Evidence): boolean {
  return open.histories.length > 0 || pool.some(({ match }) => match.total > 0 || match.soft > 0)
}

function added(a: Map<string, number>, b: Map<string, number>): Map<string, number> {
  return new Map([...a, ...[...b].map(([id, odds]) => [id, odds + (a.get(id) ?? 0)] as const)])
}

/** How much is looked at. Each limit bounds time, not only quality: together they make a query independent of the store's size. */
export const LIMITS = {
  terms: 24,
  postings: (size: number) => Math.min(500 + 0.1 * size, 5_000),
  byTerms: 90,
  spare: 30,
  recent: 20,
  filesByTerms: 25,
  filesByEntries: 50,
  trails: 12,
  trailLength: 30,
  fetchedTrails: 8,
  fetchedPerTrail: 8,
  openTrail: 40,
  together: 30,
}

/** Everything the ranking needs, fetched from the store. */
export async function gather(store: MemoryIndex, query: MemoryQuery, fileModel: Model): Promise<Evidence> {
  const index = store.isAtHand ? store : fetchingOnce(store)
  const [seen, open] = await Promise.all([look(index, query), openFiles(index, query.files ?? [])])
  return follow(index, query, seen, open, fileModel)
}

/** The index as one question sees it: what was fetched for one step is there for the next. */
function fetchingOnce(index: MemoryIndex): MemoryIndex {
  const known = new Map<string, Candidate>()
  const keep = (found: Candidate[]) => {
    for (const entry of found) known.set(entry.id, entry)
    return found
  }
  return {
    size: () => index.size(),
    frequencies: (terms) => index.frequencies(terms),
    byTerms: async (terms, limit) => keep(await index.byTerms(terms, limit)),
    async byIds(ids) {
      const unknown = ids.filter((id) => !known.has(id))
      if (unknown.length > 0) keep(await index.byIds(unknown))
      return ids.flatMap((id) => known.get(id) ?? [])
    },
    recent: async (limit) => keep(await index.recent(limit)),
    filesByTerms: (terms, limit) => index.filesByTerms(terms, limit),
    fileStats: (paths) => index.fileStats(paths),
    histories: (paths, perFile) => index.histories(paths, perFile),
  }
}

/** What a first look at the words of a question gives: entries that share them, and files that may be meant. */
export interface Look {
  clues: FileClues
  stats: FileStats[]
}

export async function look(index: MemoryIndex, query: MemoryQuery): Promise<Look> {
  const asked = queryTerms(query.text)
  const [size, frequencies] = await Promise.all([index.size(), index.frequencies(asked.map(({ term }) => term))])
  const text = textQuery(asked, terms(query.text), { size, frequencies })
  const lookup = pruneTerms(asked, frequencies, size, { terms: LIMITS.terms, postings: LIMITS.postings(size) })
  const [byTerms, recent, byPath] = await Promise.all([
    offered(query, LIMITS.byTerms, (limit) => index.byTerms(lookup, limit)),
    offered(query, LIMITS.recent, (limit) => index.recent(limit)),
    index.filesByTerms(lookup, LIMITS.filesByTerms),
  ])
  const found = score(text, byTerms)
  const clues: FileClues = { text: query.text, query: text, now: query.now, found, recent }
  const stats = await index.fileStats([...new Set([...pointedAt(clues, LIMITS.filesByEntries), ...byPath])])
  return { clues, stats }
}

/** From the likely files on to the entries that wrote them. */
export async function follow(
  index: Pick<MemoryIndex, 'histories' | 'byIds'>,
  query: MemoryQuery,
  { clues, stats }: Look,
  open: Evidence['open'],
  fileModel: Model,
): Promise<Evidence> {
  const { query: text, found, recent } = clues
  const guesses = guessFiles(clues, stats, fileModel)
  const histories = await index.histories(
    guesses.slice(0, LIMITS.trails).map(({ path }) => path),
    LIMITS.trailLength,
  )
  const pool = new Map(found.map((scored) => [scored.entry.id, scored]))
  const more = new Set(
    [
      ...histories
        .slice(0, LIMITS.fetchedTrails)
        .flatMap(({ recent, first }) => [...recent.slice(0, LIMITS.fetchedPerTrail), first]),
      ...open.histories.flatMap(({ recent, first }) => [...recent, first]),
      ...recent,
    ]
      .map(({ id }) => id)
      .filter((id) => !pool.has(id)),
  )
  const fetched = (await index.byIds([...more])).filter(offeredTo(query))
  for (const scored of score(text, fetched)) pool.set(scored.entry.id, scored)
  return { query: text, now: query.now, pool: [...pool.values()], guesses, histories, open }
}

/** The first `limit` entries that may be offered. More are fetched only when some of these may not, which is rare. */
async function offered(query: MemoryQuery, limit: number, ask: (limit: number) => Promise<Candidate[]>) {
  const found = await ask(limit)
  if (found.every(offeredTo(query))) return found
  return (await ask(limit + LIMITS.spare)).filter(offeredTo(query)).slice(0, limit)
}

function offeredTo({ excludeGroup }: MemoryQuery): (entry: Candidate) => boolean {
  return ({ group }) => group === undefined || group !== excludeGroup
}

function score(query: TextQuery, entries: Candidate[]): Scored[] {
  const scored = entries.map((entry) => ({ entry, match: matchText(query, entry) }))
  return scored.sort(
    (a, b) => b.match.total - a.match.total || b.entry.at - a.entry.at || (a.entry.id < b.entry.id ? -1 : 1),
  )
}

/** The open files' own histories, and which files change together with them (rarer files count more). */
export async function openFiles(index: MemoryIndex, paths: string[]): Promise<Evidence['open']> {
  if (paths.length === 0) return { paths, histories: [], together: new Map() }
  const histories = await index.histories(paths, LIMITS.openTrail)
  const ids = new Set(histories.flatMap(({ recent, first }) => [...recent, first]).map(({ id }) => id))
  const counts = new Map<string, number>()
  for (const { files } of await index.byIds([...ids]))
    if (files.length <= 20)
      for (const path of new Set(files))
        if (!paths.includes(path)) counts.set(path, (counts.get(path) ?? 0) + 1 / Math.sqrt(files.length))
  const likely = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, LIMITS.together)
  const stats = await index.fileStats(likely.map(([path]) => path))
  const together = new Map(
    stats.map(({ path, touches }) => [path, counts.get(path)! / Math.sqrt(Math.min(touches, MANY_TOUCHES))]),
  )
  const top = Math.max(1e-9, ...together.values())
  return { paths, histories, together: new Map([...together].map(([path, strength]) => [path, strength / top])) }
}
