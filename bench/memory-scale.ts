/**
 * npm run bench memory-scale -- [--sizes 1000,10000,100000] [--queries 60] [--data <folder>]
 * Query and ingest time of the memory index on SQLite, as ratios to plain FTS5 over the same entries and questions, asked in
 * turn in one run. Entries are resampled: words by Zipf's law, or from a corpus.jsonl where a folder is given.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import type { IndexEntry } from '#core/memory/index-terms.ts'
import { retrieve } from '#core/memory/retrieve.ts'
import { SqliteMemoryIndex } from '#storage/memory-index/sqlite.ts'
import { MEMORY_INDEX_SQL } from '#storage/memory-index/sqlite-schema.ts'
import { FTS5_INSERT, FTS5_QUERY, FTS5_TABLE, orExpression } from './retrieval/baselines.ts'
import { randomFrom } from './retrieval/random.ts'
import { type Sampler, sampleFrom, zipfSampler } from './retrieval/synthetic.ts'

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,10000,100000' },
    queries: { type: 'string', default: '60' },
    data: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})

const BATCH = 500
const HOUR = 3_600_000
const START = Date.UTC(2020, 0, 1)

const random = randomFrom(11)
const sampler = options.data ? sampleFrom(lines(join(options.data, 'corpus.jsonl')), random) : zipfSampler(random)
const rows = []
for (const size of options.sizes.split(',').map(Number))
  rows.push(await measure(size, Number(options.queries), sampler))
if (options.json) console.log(JSON.stringify(rows))
else print(rows)

interface Measured {
  entries: number
  ingest: { plain: number; grove: number; ratio: number }
  query: Record<'p50' | 'p95', { plain: number; grove: number; ratio: number }>
}

async function measure(size: number, queries: number, { entry, query }: Sampler): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'grove-memory-scale-'))
  try {
    const plain = openPlain(join(folder, 'plain.db'))
    const grove = openGrove(join(folder, 'grove.db'))
    const ingest = { plain: 0, grove: 0 }
    for (let at = 0; at < size; at += BATCH) {
      const batch = Array.from({ length: Math.min(BATCH, size - at) }, (_, i) => entry(at + i, START + (at + i) * HOUR))
      // Taking turns in batches, and going first in turns, lets other load on the machine hit both alike.
      const turns = [
        () => void (ingest.plain += timed(() => plain.add(batch))),
        () => void (ingest.grove += timed(() => grove.add(batch))),
      ]
      for (const turn of (at / BATCH) % 2 ? turns.reverse() : turns) turn()
    }
    const now = START + size * HOUR
    const times: { plain: number[]; grove: number[] } = { plain: [], grove: [] }
    for (let i = 0; i < queries; i++) {
      const { text, files } = query(i)
      const ask = { plain: async () => plain.ask(text), grove: () => grove.ask(text, files, now) }
      for (const which of i % 2 ? (['plain', 'grove'] as const) : (['grove', 'plain'] as const)) {
        const from = performance.now()
        await ask[which]()
        times[which].push(performance.now() - from)
      }
    }
    const rate = (ms: number) => (size / ms) * 1000
    return {
      entries: size,
      ingest: { plain: rate(ingest.plain), grove: rate(ingest.grove), ratio: ingest.plain / ingest.grove },
      query: { p50: compared(times, 0.5), p95: compared(times, 0.95) },
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function openDatabase(file: string): DatabaseSyncInstance {
  const db = new DatabaseSync(file)
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  return db
}

function openPlain(file: string) {
  const db = openDatabase(file)
  db.exec(FTS5_TABLE)
  const insert = db.prepare(FTS5_INSERT)
  const search = db.prepare(FTS5_QUERY)
  return {
    add(entries: IndexEntry[]) {
      db.exec('BEGIN')
      for (const { id, title, body, files } of entries) insert.run(id, title, body, files.join(' '))
      db.exec('COMMIT')
    },
    ask: (text: string) => search.all(orExpression(text), 10),
  }
}

function openGrove(file: string) {
  const db = openDatabase(file)
  db.exec(MEMORY_INDEX_SQL)
  const index = new SqliteMemoryIndex(db as never, 'bench')
  return {
    add: (entries: IndexEntry[]) => index.add(entries),
    ask: (text: string, files: string[], now: number) =>
      retrieve(index, { text, files, now }, { limit: 10, minAnswer: 0 }),
  }
}

function timed(work: () => void): number {
  const from = performance.now()
  work()
  return performance.now() - from
}

function compared(times: { plain: number[]; grove: number[] }, share: number) {
  const at = (list: number[]) =>
    [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * share))]!
  return { plain: at(times.plain), grove: at(times.grove), ratio: at(times.grove) / at(times.plain) }
}

function lines(file: string): IndexEntry[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as IndexEntry)
}

function print(rows: Measured[]): void {
  console.log(
    'entries     ingest/s plain    grove  ratio   query p50 ms plain   grove  ratio   p95 ms plain   grove  ratio',
  )
  for (const { entries, ingest, query } of rows) {
    const three = ({ plain, grove, ratio }: Measured['ingest'], digits: number) =>
      `${plain.toFixed(digits).padStart(10)} ${grove.toFixed(digits).padStart(8)} ${ratio.toFixed(2).padStart(6)}`
    console.log(
      String(entries).padEnd(12),
      three(ingest, 0),
      '        ',
      three(query.p50, 1),
      '  ',
      three(query.p95, 1),
    )
  }
}
