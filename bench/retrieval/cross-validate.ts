/**
 * Training and its honest test. Corpora are dealt into folds; a fold's corpora are unseen by everything learned for it. A kind
 * of memory (track) that only one corpus shows is tested half against half, since leaving its corpus out would leave out the
 * whole kind; one more fold does exactly that, to show what happens to a kind of memory never trained on.
 */
import { scorePool, type Weights } from '#core/search/rank.ts'
import { answerFeatures, softmax } from '#core/search/rank-confidence.ts'
import { type Case, casesOf, evidenceOf } from './cases.ts'
import { corporaOf, type Query, type RetrievalSet } from './data.ts'
import { learn, settings } from './learn.ts'
import { type AskedRows, entryRows, fileRows, joined, VIEWS, type View } from './rows.ts'

const FOLDS = 4

export interface Fold {
  name: string
  test: Query[]
  train: Query[]
}

/** The folds that together test every query once. */
export function foldsOf(set: RetrievalSet): Fold[] {
  const alone = aloneCorpora(set)
  const shared = corporaOf(set).filter((corpus) => !alone.includes(corpus))
  const halves = alone.flatMap((corpus) => {
    const own = set.queries.filter((query) => query.corpus === corpus)
    const middle = own.length >> 1
    return [
      { name: `${corpus} (first half)`, ids: own.slice(0, middle).map(({ id }) => id) },
      { name: `${corpus} (second half)`, ids: own.slice(middle).map(({ id }) => id) },
    ]
  })
  return Array.from({ length: FOLDS }, (_, k) => {
    const corpora = shared.filter((_, i) => i % FOLDS === k)
    const parts = halves.filter((_, i) => i % FOLDS === k)
    const ids = new Set(parts.flatMap((part) => part.ids))
    const name = [...corpora, ...parts.map((part) => part.name)].join(', ')
    return foldOf(set, name, ({ id, corpus }) => corpora.includes(corpus) || ids.has(id))
  })
}

/** Leaves out whole tracks: those that only one corpus shows. */
export function unseenKinds(set: RetrievalSet): Fold {
  const alone = aloneCorpora(set)
  return foldOf(set, alone.join(', '), ({ corpus }) => alone.includes(corpus))
}

function aloneCorpora(set: RetrievalSet): string[] {
  return corporaOf(set).filter((corpus) => {
    const tracks = new Set(set.queries.filter((query) => query.corpus === corpus).map(({ track }) => track))
    return [...tracks].every((track) => set.queries.every((query) => query.track !== track || query.corpus === corpus))
  })
}

function foldOf(set: RetrievalSet, name: string, isTest: (query: Query) => boolean): Fold {
  return { name, test: set.queries.filter(isTest), train: set.queries.filter((query) => !isTest(query)) }
}

export type Untuned = Omit<Weights, 'confidence'>

/** Everything that is known of a set before learning begins. */
export interface Ground {
  set: RetrievalSet
  /** Rows for the file model, of every corpus. */
  files: AskedRows
  full: Case[]
  /** The same queries against a memory that kept no files. */
  bare: Case[]
  foreign: Case[]
}

export async function prepare(set: RetrievalSet): Promise<Ground> {
  const bare = set.entries.map((entry) => ({ ...entry, files: [] }))
  return {
    set,
    files: await fileRows(set),
    full: await casesOf(set.entries, set.queries),
    bare: await casesOf(bare, set.queries),
    foreign: await casesOf(set.entries, foreignQueries(set, set.queries)),
  }
}

/** Learns from the training queries alone; rows of corpora they do not come from are left out. */
export async function trainWeights({ set, files, full, bare }: Ground, train: Query[]): Promise<Untuned> {
  const corpora = new Set(train.map(({ corpus }) => corpus))
  const ids = new Set(train.map(({ id }) => id))
  const known = files.asked.flatMap(({ id, corpus, track }, i) =>
    (track === 'self' ? corpora.has(corpus) : ids.has(id)) ? [i] : [],
  )
  const fileModel = learn(files, known, (i) => files.asked[i]!.weight, { ...settings, trees: 80, leaves: 8 })
  const views: AskedRows[] = []
  for (const view of Object.keys(VIEWS) as View[]) {
    const cases = (view === 'bare' ? bare : full).filter(({ query }) => ids.has(query.id))
    views.push(await entryRows(set, cases, fileModel, view))
  }
  const rows = joined(views)
  const all = rows.asked.map((_, i) => i)
  return { files: fileModel, entries: learn(rows, all, evenly(rows), settings) }
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

async function answerAll(cases: Case[], weights: Untuned, withFiles: boolean): Promise<Answered[]> {
  const answered: Answered[] = []
  for (const one of cases) {
    const evidence = await evidenceOf(one, weights.files, withFiles)
    const scores = scorePool(evidence, weights.entries)
    const shares = softmax(scores)
    const hits = evidence.pool
      .map(({ entry }, i) => ({ id: entry.id, share: shares[i]! }))
      .sort((a, b) => b.share - a.share)
    answered.push({ query: one.query, hits: hits.slice(0, 100), facts: answerFeatures(evidence, scores) })
  }
  return answered
}

/** The same moments with questions from other corpora: nothing in memory answers them. None where there is only one corpus. */
export function foreignQueries(set: RetrievalSet, queries: Query[]): Query[] {
  return queries.flatMap(({ hint_files: _, ...query }, i) => {
    const others = set.queries.filter(({ corpus, track }) => corpus !== query.corpus && track !== 'agent')
    const other = others[(i * 7919) % others.length]
    return other ? [{ ...query, hint_files: [], text: other.text }] : []
  })
}

/** One fold's test queries as its own weights answer them, in each setting. */
export interface FoldAnswers {
  fold: Fold
  text: Answered[]
  open: Answered[]
  foreign: Answered[]
}

export async function testFold(ground: Ground, fold: Fold): Promise<FoldAnswers> {
  const weights = await trainWeights(ground, fold.train)
  const ids = new Set(fold.test.map(({ id }) => id))
  const tested = (cases: Case[]) => cases.filter(({ query }) => ids.has(query.id))
  return {
    fold,
    text: await answerAll(tested(ground.full), weights, false),
    open: await answerAll(tested(ground.full), weights, true),
    foreign: await answerAll(tested(ground.foreign), weights, false),
  }
}
