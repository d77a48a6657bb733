import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Log } from '#core/ports/runtime.ts'
import type { MemoryIndexes } from '#core/ports/search-index.ts'
import { loadSqlite, type SqliteDatabase } from '../sqlite/driver.ts'
import { openSqliteStore } from '../sqlite/open.ts'
import { recoverDamaged } from '../sqlite/recover-damaged.ts'
import { setAsideAtStart } from '../sqlite/set-aside.ts'
import type { LocalStore } from '../sqlite/store.ts'
import { memory } from '../testing/memory.ts'
import { sqliteIndexes } from './indexes.ts'

const MEMORIES = 300
const WORDS = ['parser', 'socket', 'upload', 'button', 'schema']

let folder: string
let file: string
let store: LocalStore
let indexes: MemoryIndexes
let warnings: string[]

const say = (_fields: object, message: string) => warnings.push(message)
const log: Log = { debug() {}, info() {}, warn: say, error: say }
const options = () => ({ file, log, now: () => 0 })

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'grove-index-damage-'))
  file = join(folder, 'grove.db')
  warnings = []
  await open()
  const all = Array.from({ length: MEMORIES }, (_, n) =>
    memory(`m${n}`, n + 1, {
      goal: `Mend the ${WORDS[n % WORDS.length]} number${n}`,
      files: [`src/part-${n}/${WORDS[n % WORDS.length]}.ts`],
    }),
  )
  await store.memories.put(...all)
  await indexes.catchUp()
})

afterEach(async () => {
  await close()
  rmSync(folder, { recursive: true, force: true })
})

async function open() {
  store = await openSqliteStore(options())
  indexes = sqliteIndexes(file, options())
}

async function close() {
  indexes.close()
  await store.close()
}

async function found(): Promise<number> {
  const index = await indexes.of('p')
  const hits = await Promise.all(WORDS.map((term) => index.byTerms([{ term, weight: 1 }], MEMORIES)))
  return new Set(hits.flat().map(({ id }) => id)).size
}

/** What the daemon does all the time. It goes on when something goes wrong. */
async function carryOn() {
  for (let round = 0; round < 3; round++) {
    await found().catch(() => {})
    await (await indexes.of('p')).filesByTerms([{ term: 'parser', weight: 1 }], 5).catch(() => {})
    await indexes.catchUp().catch(() => {})
    await store.memories.count('p').catch(() => {})
  }
  await recoverDamaged(options())
  await indexes.catchUp()
}

async function inFile<T>(work: (database: SqliteDatabase) => T): Promise<T> {
  const { DatabaseSync } = await loadSqlite()
  const database = new DatabaseSync(file)
  database.enableDefensive?.(false)
  const done = work(database)
  // All of it into the one file: the driver lets go of a connection only some time after it was closed.
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  return done
}

/** Nonsense that only the full-text search itself can tell from sense. */
async function garble(table: string) {
  await inFile((database) =>
    database.exec(`update ${table} set block = cast(printf('%.*c', length(block), 'x') as blob) where id > 10`),
  )
}

/** The pages that a table and its indexes begin with. */
async function zero(table: string) {
  const roots = await inFile((database) =>
    database.prepare('select rootpage from sqlite_master where tbl_name = ?').all(table),
  )
  const handle = openSync(file, 'r+')
  for (const { rootpage } of roots as { rootpage: number }[])
    writeSync(handle, Buffer.alloc(4096), 0, 4096, (rootpage - 1) * 4096)
  closeSync(handle)
}

const asides = () => readdirSync(folder).filter((name) => /damaged-[^.]*Z$/.test(name))

describe('a damaged search index is built anew, and no memory is lost', () => {
  it.each(['memory_index_terms_data', 'memory_index_paths_data'])('what %s holds is nonsense', async (table) => {
    await close()
    await garble(table)
    await open()
    await carryOn()
    expect(await found()).toBe(MEMORIES)
    expect(await store.memories.count('p')).toBe(MEMORIES)
    expect(asides()).toEqual([])
  })

  it.each(['memory_index_entry', 'memory_index_terms_data', 'memory_index_file', 'memory_index_scope'])(
    'the pages of %s are zero',
    async (table) => {
      await close()
      await zero(table)
      await open()
      await carryOn()
      expect(await store.memories.count('p')).toBe(MEMORIES)
      expect(await found()).toBe(MEMORIES)
      expect(asides()).toHaveLength(1)
    },
  )

  it('found when Grove starts', async () => {
    await close()
    await zero('memory_index_entry')
    await setAsideAtStart(options())
    expect(asides()).toHaveLength(1)
    await open()
    await carryOn()
    expect(await store.memories.count('p')).toBe(MEMORIES)
    expect(await found()).toBe(MEMORIES)
  })
})

it.each([0.9, 0.6])('a file that was cut off at %d keeps what lies before, and it can be searched', async (share) => {
  await close()
  await inFile(() => {})
  truncateSync(file, Math.floor((statSync(file).size * share) / 4096) * 4096)
  await open()
  await carryOn()
  const left = await store.memories.count('p')
  expect(left).toBeGreaterThan(0)
  expect(await found()).toBe(left)
})

it('a file that is deleted while Grove runs is begun anew, for its owner only', async () => {
  rmSync(file)
  expect(await found()).toBe(0)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  await store.memories.put(memory('new', 1, { goal: 'Mend the parser' }))
  expect(await found()).toBe(1)
})

it('whoever had it open remembers nothing of the old one', async () => {
  const other = sqliteIndexes(file)
  try {
    await store.memories.put(memory('old', 0, { projectId: 'q', goal: 'Mend the parser' }))
    await other.catchUp()
    await other.of('p')
    await close()
    await garble('memory_index_terms_data')
    await open()
    await expect(found()).rejects.toMatchObject({ code: 'damaged' })
    // Now another project comes first, so every number changes.
    await indexes.of('q')
    await carryOn()
    await store.memories.put(memory('new', 1e6, { goal: 'Mend it', files: ['src/part-7/x.ts'] }))
    await other.catchUp()
    const stats = await (await indexes.of('p')).histories(['src/part-7/x.ts', 'src/part-8/button.ts'], 9)
    expect(stats.map(({ recent }) => recent.map(({ id }) => id))).toEqual([['new'], ['m8']])
    expect(await (await other.of('p')).size()).toBe(MEMORIES + 1)
    expect(await (await other.of('q')).size()).toBe(1)
  } finally {
    other.close()
  }
})
