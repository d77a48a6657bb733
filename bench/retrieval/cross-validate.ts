/**
 * Training and its honest test. Corpora are dealt into folds; a fold's corpora are unseen by everything learned for it: file
 * model, ranking, confidence. A kind of memory (track) that only one corpus shows is also tested half against half, since
 * leaving its corpus out would leave the whole kind out.
 */
import { scorePool, type Weights } from '#core/memory/rank.ts'
import { answerFeatures, softmax } from '#core/memory/rank-confidence.ts'
import { gather } from '#core/memory/retrieve.ts'
import { corporaOf, memoryQuery, type Query, type RetrievalSet, replay } from './data.ts'
import { learn, settings } from './learn.ts'
import { type AskedRows, entryRows, fileRows, joined, VIEWS, type View } from './rows.ts'

const FOLDS = 4

export interface Fold {
  name: string
  test: Query[]
  train: Query[]
}

export function strictFolds(set: RetrievalSet): Fold[] {
  const corpora = corporaOf(set)
  return Array.from({ length: FOLDS }, (_, k) => {
    const out = corpora.filter((_, i) => i % FOLDS === k)
    return foldOf(set, out.join(' '), ({ corpus }) => out.includes(corpus))
  })
}

/** Two folds, each testing one half of the queries of every track that only one corpus has. */
export function halvedFolds(set: RetrievalSet): Fold[] {
  const alone = corporaOf(set).filter((corpus) => {
    const tracks = new Set(set.queries.filter((query) => query.corpus === corpus).map(({ track }) => track))
    return [...tracks].every((track) => set.queries.every((query) => query.track !== track || query.corpus === corpus))
  })
  const late = new Set(
    alone.flatMap((corpus) => {
      const own = set.queries.filter((query) => query.corpus === corpus)
      return own.slice(own.length >> 1).map(({ id }) => id)
    }),
  )
  const halves = [(query: Query) => !late.has(query.id), (query: Query) => late.has(query.id)]
  return halves.map((half, i) => foldOf(set, `half ${i + 1} of ${alone.join(' ')}`, (query) => alone.includes(query.corpus) && half(query)))
}

function foldOf(set: RetrievalSet, name: string, isTest: (query: Query) => boolean): Fold {
  return { name, test: set.queries.filter(isTest), train: set.queries.filter((query) => !isTest(query)) }
}

export type Untuned = Omit<Weights, 'confidence'>

/** Learns from the training queries alone; `files` may hold rows of every corpus, those of unseen corpora are left out. */
export async function trainWeights(set: RetrievalSet, train: Query[], files: AskedRows): Promise<Untuned> {
  const corpora = new Set(train.map(({ corpus }) => corpus))
  const ids = new Set(train.map(({ id }) => id))
  const known = files.asked.flatMap(({ id, corpus, track }, i) => ((track === 'self' ? corpora.has(corpus) : ids.has(id)) ? [i] : []))
  const fileModel = learn(files, known, (i) => files.asked[i]!.weight, { ...settings, trees: 30 })
  const views: AskedRows[] = []
  for (const view of Object.keys(VIEWS) as View[]) views.push(await entryRows(set, train, fileModel, view))
  const rows = joined(views)
  const entries = learn(rows, rows.asked.map((_, i) => i), evenly(rows), settings)
  return { files: fileModel, entries }
}

/** Every track counts alike in each view, however many queries it has. */
function evenly({ asked }: AskedRows): (query: number) => number {
  const key = ({ track, weight }: AskedRows['asked'][number]) => `${track} ${weight}`
  const sizes = new Map<string, number>()
  for (const one of asked) sizes.set(key(one), (sizes.get(key(one)) ?? 0) + 1)
  return (query) => (300 * asked[query]!.weight) / sizes.get(key(asked[query]!))!
}

export interface Answered {
  query: Query
  /** Best first, with each hit's share of the pool. */
  hits: { id: string; share: number }[]
  /** What the confidence is judged by. */
  facts: number[]
}

export async function answerAll(set: RetrievalSet, queries: Query[], weights: Untuned, withFiles: boolean): Promise<Answered[]> {
  const answered: Answered[] = []
  await replay(set.entries, queries, async (index, query) => {
    const evidence = await gather(index, memoryQuery(query, withFiles), weights.files)
    const scores = scorePool(evidence, weights.entries)
    const shares = softmax(scores)
    const hits = evidence.pool.map(({ entry }, i) => ({ id: entry.id, share: shares[i]! })).sort((a, b) => b.share - a.share)
    answered.push({ query, hits: hits.slice(0, 100), facts: answerFeatures(evidence, scores) })
  })
  return answered
}

/** The same moments with questions from other corpora: nothing in memory answers them. */
export function foreignQueries(set: RetrievalSet, queries: Query[]): Query[] {
  return queries.map(({ hint_files: _, ...query }, i) => {
    const others = set.queries.filter(({ corpus, track }) => corpus !== query.corpus && track !== 'agent')
    return { ...query, hint_files: [], text: others[(i * 7919) % others.length]!.text }
  })
}

export async function crossValidate(set: RetrievalSet, folds: Fold[], log: (line: string) => void) {
  const files = await fileRows(set)
  const results: { fold: Fold; text: Answered[]; open: Answered[]; foreign: Answered[] }[] = []
  for (const fold of folds) {
    const weights = await trainWeights(set, fold.train, files)
    results.push({
      fold,
      text: await answerAll(set, fold.test, weights, false),
      open: await answerAll(set, fold.test, weights, true),
      foreign: await answerAll(set, foreignQueries(set, fold.test), weights, false),
    })
    log(`tested on ${fold.name} (${fold.test.length} queries)`)
  }
  return results
}
