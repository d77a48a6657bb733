/**
 * npm run bench retrieval -- --data <folder> [--with-files] [--out ranking.jsonl] [--json] [--cv]
 * Ranks a labelled set with the shipped weights, beside baselines. The shipped weights were trained on one such set: on that
 * set their row shows memory of it, and `--cv` (some minutes) the honest number.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { rank } from '#core/search/rank.ts'
import { gather } from '#core/search/retrieve.ts'
import { shippedWeights } from '#core/search/weights.ts'
import {
  baselineRankings,
  keywordMatches,
  miniSearch,
  newestFirst,
  type Rankings,
  randomOrder,
  stemmedFts5,
} from './retrieval/baselines.ts'
import { abstention } from './retrieval/calibrate.ts'
import {
  type FoldAnswers,
  foldsOf,
  foreignQueries,
  prepare,
  testFold,
  unseenKinds,
} from './retrieval/cross-validate.ts'
import { loadSet, memoryQuery, type Query, type RetrievalSet, replay } from './retrieval/data.ts'
import { byTrack, type Scores, scoreRanking } from './retrieval/metrics.ts'
import { percent, printTable, tracksOf } from './retrieval/print.ts'

const { data, ...options } = readOptions()
const withFiles = options['with-files']
const set = loadSet(data)
// Before the work: a folder that cannot be made should be heard of at once.
if (options.out) mkdirSync(dirname(options.out), { recursive: true })
const shipped = await shippedRankings(set, set.queries, withFiles)
if (options.out)
  writeFileSync(
    options.out,
    [...shipped].map(([query_id, { ids }]) => `${JSON.stringify({ query_id, ids })}\n`).join(''),
  )

if (set.relevant.size === 0) {
  console.error('There are no labels (qrels.jsonl) in this folder, so there is nothing to score.')
  process.exit(options.out ? 0 : 1)
}

const rows: [string, Record<string, Scores>][] = [
  ['random', scored(set, baselineRankings(set, randomOrder))],
  ['recency', scored(set, baselineRankings(set, newestFirst))],
  ["the specification's scorer", scored(set, baselineRankings(set, keywordMatches))],
  ['MiniSearch', scored(set, baselineRankings(set, miniSearch))],
  ['SQLite FTS5 BM25', scored(set, baselineRankings(set, stemmedFts5))],
  [
    `Grove as shipped${withFiles ? ', one file known' : ''}`,
    scored(set, new Map([...shipped].map(([id, { ids }]) => [id, ids]))),
  ],
]

const folds: FoldAnswers[] = []
if (options.cv) {
  const ground = await prepare(set)
  for (const fold of foldsOf(set)) {
    folds.push(await testFold(ground, fold))
    console.error(`tested on ${fold.name}`)
  }
  const unseen = await testFold(ground, unseenKinds(set))
  const setting = withFiles ? 'open' : 'text'
  rows.push([
    'Grove cross-validated',
    tracksOf(
      set,
      folds.flatMap((fold) => fold[setting]),
    ),
  ])
  rows.push(['  kinds of memory never seen', tracksOf(set, unseen[setting])])
}

const quiet = await shippedAbstention(set)
const judged = folds.length > 0 ? abstention(set, folds) : undefined
if (options.json)
  console.log(
    JSON.stringify({
      rows: Object.fromEntries(rows),
      abstention: { shipped: quiet, ...(judged && { crossValidated: judged }) },
    }),
  )
else {
  printTable(rows)
  console.log('\nabstention                             recall@5 kept   foreign questions refused')
  console.log(
    `as shipped                             ${percent(quiet.recallKept)}          ${percent(quiet.foreignRefused)}`,
  )
  if (judged)
    console.log(
      `cross-validated                        ${percent(judged.recallKept)}          ${percent(judged.foreignRefused)}`,
    )
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        data: { type: 'string' },
        'with-files': { type: 'boolean', default: false },
        out: { type: 'string' },
        json: { type: 'boolean', default: false },
        cv: { type: 'boolean', default: false },
      },
    })
    if (values.data) return { ...values, data: values.data }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
  }
  console.error(
    'Usage: npm run bench retrieval -- --data <folder> [--with-files] [--out ranking.jsonl] [--json] [--cv]',
  )
  process.exit(1)
}

interface Answer {
  ids: string[]
  quiet: boolean
}

/** What the product would answer; `quiet` when it would rather not. */
async function shippedRankings(
  { entries }: RetrievalSet,
  queries: Query[],
  withFiles: boolean,
): Promise<Map<string, Answer>> {
  const rankings = new Map<string, Answer>()
  await replay(entries, queries, async (index, query) => {
    const asked = memoryQuery(query, withFiles)
    const { answer, hits } = rank(await gather(index, asked, shippedWeights.files), shippedWeights, { limit: 100 })
    rankings.set(query.id, { ids: hits.map(({ id }) => id), quiet: answer < shippedWeights.confidence.threshold })
  })
  return rankings
}

async function shippedAbstention(set: RetrievalSet) {
  const recall = (query: Query, { ids }: Answer) => scoreRanking(ids, set.relevant.get(query.id) ?? {}).recall5
  const own = set.queries.map((query) => ({
    recall: recall(query, shipped.get(query.id)!),
    quiet: shipped.get(query.id)!.quiet,
  }))
  const foreign = [...(await shippedRankings(set, foreignQueries(set, set.queries), false)).values()]
  const sum = (list: typeof own) => list.reduce((total, one) => total + one.recall, 0)
  return {
    recallKept: sum(own.filter(({ quiet }) => !quiet)) / Math.max(1e-9, sum(own)),
    foreignRefused: foreign.filter(({ quiet }) => quiet).length / Math.max(1, foreign.length),
  }
}

function scored(set: RetrievalSet, rankings: Rankings): Record<string, Scores> {
  const labelled = set.queries.filter(({ id }) => set.relevant.has(id))
  return byTrack(
    labelled.map(({ id, track }) => ({
      track,
      scores: scoreRanking(rankings.get(id) ?? [], set.relevant.get(id) ?? {}),
    })),
  )
}
