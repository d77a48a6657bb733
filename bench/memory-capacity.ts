/**
 * npm run bench memory-capacity -- [--sizes 10000,100000,300000] [--json]
 * What a store of many memories takes and gives: bytes on disk, memories per second in and out, time of a search. A
 * member's own store (SQLite) and the team's (PostgreSQL). Sizes that were not measured are extrapolated, and marked so.
 */
import { rmSync, statSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { retrieve } from '../src/core/search/retrieve.ts'
import { sqliteIndexes } from '../src/storage/search/indexes.ts'
import { openSqliteStore } from '../src/storage/sqlite/open.ts'
import { openTeamDatabase } from '../src/storage/team/database.ts'
import { syncTeam } from '../src/supervisor/memory/sync-team.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { PROJECT, sharingWith } from '../test/support/team-memories.ts'
import { memoriesFor, questionsFor } from './memory-capacity/text.ts'

const { values } = parseArgs({
  options: { sizes: { type: 'string', default: '10000,100000,300000' }, json: { type: 'boolean', default: false } },
})
const SHOWN = [10_000, 100_000, 1_000_000, 10_000_000]
const log = { debug() {}, info() {}, warn() {}, error() {} }

export interface Capacity {
  memories: number
  measured: boolean
  storeMb: number
  indexMb: number
  keptPerSecond: number
  indexedPerSecond: number
  searchP50: number
  searchP95: number
  teamMb: number
  sentPerSecond: number
  fetchedPerSecond: number
}

const folder = await mkdtemp(join(tmpdir(), 'grove-capacity-'))
const postgres = await startPostgres()
try {
  const sizes = values.sizes.split(',').map(Number)
  const measured: Capacity[] = []
  for (const size of sizes) {
    process.stderr.write(`measuring ${size.toLocaleString('en-US')} memories …\n`)
    const one = await measure(size)
    process.stderr.write(`${JSON.stringify(one)}\n`)
    measured.push(one)
  }
  const shown = [...new Set([...SHOWN, ...sizes])].sort((a, b) => a - b)
  const rows = shown.map((size) => measured.find(({ memories }) => memories === size) ?? extrapolated(measured, size))
  if (values.json) console.log(JSON.stringify(rows, null, 2))
  else printTable(rows)
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function measure(size: number): Promise<Capacity> {
  const file = join(folder, `${size}.db`)
  const store = await openSqliteStore({ file })
  const kept = await timed(async () => {
    for (let from = 0; from < size; from += 500) await store.memories.put(...memoriesFor(PROJECT, from, 500, size))
  })
  await settle(file)
  const storeMb = megabytes(file)
  const indexes = sqliteIndexes(file)
  const indexed = await timed(() => indexes.catchUp())
  await settle(file)
  const indexMb = megabytes(file) - storeMb
  const times = await searchTimes(indexes)

  const url = await postgres.createDatabase()
  const team = await openTeamDatabase({ url, log })
  const sending = await sharingWith(store, url)
  const sent = await timed(() => syncTeam(sending, team))
  const fresh = await openSqliteStore({ file: join(folder, `${size}-fresh.db`) })
  const fetching = await sharingWith(fresh, url)
  const fetched = await timed(() => syncTeam(fetching, team))
  const teamMb = await teamSize(url)
  await Promise.all([store.close(), fresh.close(), team.close()])
  indexes.close()
  for (const name of [`${size}.db`, `${size}-fresh.db`]) rmSync(join(folder, name), { force: true })
  return {
    memories: size,
    measured: true,
    storeMb,
    indexMb,
    keptPerSecond: size / kept,
    indexedPerSecond: size / indexed,
    searchP50: share(times, 0.5),
    searchP95: share(times, 0.95),
    teamMb,
    sentPerSecond: size / sent,
    fetchedPerSecond: size / fetched,
  }
}

async function searchTimes(indexes: ReturnType<typeof sqliteIndexes>): Promise<number[]> {
  const times: number[] = []
  for (const { text, now } of questionsFor(220)) {
    const index = await indexes.of(PROJECT)
    const start = performance.now()
    await retrieve(index, { text, now }, { minAnswer: 0 })
    times.push(performance.now() - start)
  }
  // The first ones read the index from the disk.
  return times.slice(20).sort((a, b) => a - b)
}

async function teamSize(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(
    `select sum(pg_total_relation_size(c.oid)) as bytes from pg_class c
     where c.relnamespace = 'grove_team'::regnamespace and c.relkind = 'r'`,
  )
  await client.end()
  return Number(rows[0].bytes) / 1e6
}

/** Sizes grow in step with the number; rates and times go on as they did between the two largest measured, but never get better. */
function extrapolated(measured: Capacity[], size: number): Capacity {
  const [last, before] = [...measured].sort((a, b) => b.memories - a.memories)
  if (!last) throw new Error('Nothing was measured.')
  const factor = size / last.memories
  const trend = (pick: (one: Capacity) => number, worse: 'up' | 'down') => {
    if (!before) return pick(last)
    const slope = Math.log(pick(last) / pick(before)) / Math.log(last.memories / before.memories)
    return pick(last) * factor ** (worse === 'up' ? Math.max(0, slope) : Math.min(0, slope))
  }
  return {
    memories: size,
    measured: false,
    storeMb: last.storeMb * factor,
    indexMb: last.indexMb * factor,
    keptPerSecond: trend((one) => one.keptPerSecond, 'down'),
    indexedPerSecond: trend((one) => one.indexedPerSecond, 'down'),
    searchP50: trend((one) => one.searchP50, 'up'),
    searchP95: trend((one) => one.searchP95, 'up'),
    teamMb: last.teamMb * factor,
    sentPerSecond: trend((one) => one.sentPerSecond, 'down'),
    fetchedPerSecond: trend((one) => one.fetchedPerSecond, 'down'),
  }
}

function printTable(rows: Capacity[]) {
  const heads = [
    'memories',
    'store MB',
    'index MB',
    'kept/s',
    'indexed/s',
    'search p50',
    'p95 ms',
    'team MB',
    'sent/s',
    'fetched/s',
  ]
  const cells = rows.map((row) => {
    const mark = row.measured ? '' : ' ~'
    return [
      row.memories.toLocaleString('en-US') + mark,
      ...[row.storeMb, row.indexMb, row.keptPerSecond, row.indexedPerSecond].map(round),
      row.searchP50.toFixed(1),
      row.searchP95.toFixed(1),
      ...[row.teamMb, row.sentPerSecond, row.fetchedPerSecond].map(round),
    ]
  })
  const widths = heads.map((head, at) => Math.max(head.length, ...cells.map((line) => line[at]!.length)))
  for (const line of [heads, ...cells]) console.log(line.map((cell, at) => cell.padStart(widths[at]!)).join('  '))
  console.log('\n~ not measured: sizes in proportion, rates and times by the trend of the two largest measured.')
}

function round(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1_000
}

function share(sorted: number[], part: number): number {
  return sorted[Math.floor((sorted.length - 1) * part)] ?? 0
}

function megabytes(file: string): number {
  return statSync(file).size / 1e6
}

/** Writes the log back into the file, so that its size is the whole truth. */
async function settle(file: string) {
  const { loadSqlite } = await import('../src/storage/sqlite/driver.ts')
  const { DatabaseSync } = await loadSqlite()
  const database = new DatabaseSync(file)
  database.exec('pragma wal_checkpoint(truncate)')
  database.close()
}
