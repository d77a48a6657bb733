import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { MemoryIndex } from '#core/memory/index-port.ts'
import type { IndexEntry } from '#core/memory/index-terms.ts'
import type { Log } from '#core/ports.ts'
import { connectPostgres } from '../sql/postgres.ts'
import { loadSqlite } from '../sql/sqlite-driver.ts'
import { startPostgres, type TestPostgres } from '../testing/postgres.ts'
import { InMemoryIndex } from './in-memory.ts'
import { openPostgresIndex } from './postgres.ts'
import { SqliteMemoryIndex } from './sqlite.ts'
import { MEMORY_INDEX_SQL } from './sqlite-schema.ts'

// The ranking asks; whichever store answers, the answer is the same, in the same order.

let postgres: TestPostgres
let db: ReturnType<typeof connectPostgres<unknown>>
const log: Log = { debug() {}, info() {}, warn() {}, error() {} }

beforeAll(async () => {
  postgres = await startPostgres()
  db = connectPostgres({ url: await postgres.createDatabase(), log })
})

afterAll(async () => {
  await db?.destroy()
  await postgres?.stop()
})

const WORDS = [
  'token',
  'refresh',
  'limit_connections',
  'parseHTTP2',
  'labels.go',
  "it's",
  'naïve',
  'E404',
  'cache',
  'a\\b',
]
const PATHS = [
  'src/auth/token.ts',
  'lib/auth/token.ts',
  'src/http-parser.ts',
  'docs/naïve.md',
  'pkg/labels.go',
  'Makefile',
]

const entries = fc.uniqueArray(
  fc.record({
    id: fc.stringMatching(/^[a-zA-Z_-]{1,3}$/),
    at: fc.integer({ min: 0, max: 5 }),
    title: fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }).map((words) => words.join(' ')),
    body: fc.array(fc.constantFrom(...WORDS), { maxLength: 8 }).map((words) => words.join(' ')),
    files: fc.uniqueArray(fc.constantFrom(...PATHS), { maxLength: 4 }),
  }),
  { selector: ({ id }) => id, minLength: 1, maxLength: 25 },
)

let scopes = 0

it('gives the same answers as memory and SQLite, also after some were taken away', async () => {
  const { DatabaseSync } = await loadSqlite()
  const database = new DatabaseSync(':memory:')
  database.exec(MEMORY_INDEX_SQL)
  await fc.assert(
    fc.asyncProperty(entries, fc.array(fc.nat(), { maxLength: 6 }), async (all, picks) => {
      const scope = `scope-${++scopes}`
      const memory = new InMemoryIndex()
      const sqlite = new SqliteMemoryIndex(database, scope)
      const remote = await openPostgresIndex(db, scope)
      memory.add(all)
      sqlite.add(all)
      await remote.add(all)
      expect(await answers(remote)).toEqual(await answers(memory))

      const gone = picks.map((pick) => all[pick % all.length]!.id)
      sqlite.remove(gone)
      await remote.remove(gone)
      expect(await answers(remote)).toEqual(await answers(sqlite))
    }),
    { numRuns: 25 },
  )
  database.close()
})

it('keeps projects apart', async () => {
  const entry: IndexEntry = { id: 'm', at: 1, title: 'token', body: '', files: ['a.ts'] }
  const [one, other] = [await openPostgresIndex(db, 'one'), await openPostgresIndex(db, 'other')]
  await one.add([entry])
  await one.add([entry])
  expect([await one.size(), await other.size()]).toEqual([1, 0])
  expect(await other.byTerms([{ term: 'token', weight: 1 }], 5)).toEqual([])
  expect(await other.fileStats(['a.ts'])).toEqual([])
})

async function answers(index: MemoryIndex) {
  const terms = ['token', 'refresh', 'limitconnection', 'parsehttp2', 'labels.go', 'naïv', 'cach', 'auth', 'nothing']
  const weighted = terms.map((term, at) => ({ term, weight: 3 + (at % 4) }))
  const ids = ['a', 'b', 'Z', '-']
  return {
    size: await index.size(),
    frequencies: [...(await index.frequencies(terms))].sort(),
    byTerms: (await index.byTerms(weighted, 10)).map(({ id }) => id),
    few: (await index.byTerms(weighted.slice(0, 2), 3)).map(({ id }) => id),
    whole: await index.byTerms(weighted, 3),
    byIds: await index.byIds(ids),
    recent: (await index.recent(7)).map(({ id }) => id),
    filesByTerms: await index.filesByTerms(weighted, 4),
    fileStats: await index.fileStats(PATHS),
    histories: await index.histories(PATHS, 3),
  }
}
