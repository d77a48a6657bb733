/** The stores that are compared: Grove's index, and what one writes first, on the same engine. */
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { sql } from 'kysely'
import pg from 'pg'
import { retrieve } from '#core/search/retrieve.ts'
import type { IndexEntry } from '#core/search/terms.ts'
import { openPostgresIndex } from '#storage/search/postgres.ts'
import { MEMORY_INDEX_SQL } from '#storage/search/schema.ts'
import { SqliteMemoryIndex } from '#storage/search/sqlite-index.ts'
import { connectPostgres } from '#storage/sqlite/postgres.ts'
import { FTS5_INSERT, FTS5_QUERY, FTS5_TABLE, orExpression } from '../retrieval/baselines.ts'

export interface Store {
  add(entries: IndexEntry[]): unknown
  ask(text: string, files: string[], now: number): unknown
  /** Lets the engine finish what it put off while entries came in. */
  settle(): unknown
  close(): unknown
}

const HITS = 10
const ALL = { limit: HITS, minAnswer: 0 }

function openDatabase(file: string): DatabaseSyncInstance {
  const db = new DatabaseSync(file)
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16000')
  return db
}

export function openSqlitePlain(file: string): Store {
  const db = openDatabase(file)
  db.exec(FTS5_TABLE)
  const insert = db.prepare(FTS5_INSERT)
  const search = db.prepare(FTS5_QUERY)
  return {
    add(entries) {
      db.exec('BEGIN')
      for (const { id, title, body, files } of entries) insert.run(id, title, body, files.join(' '))
      db.exec('COMMIT')
    },
    ask: (text) => search.all(orExpression(text), HITS),
    settle: () => undefined,
    close: () => db.close(),
  }
}

export function openSqliteGrove(file: string): Store {
  const db = openDatabase(file)
  db.exec(MEMORY_INDEX_SQL)
  const index = new SqliteMemoryIndex(db as never, 'bench')
  return {
    add: (entries) => index.add(entries),
    ask: (text, files, now) => retrieve(index, { text, files, now }, ALL),
    settle: () => undefined,
    close: () => db.close(),
  }
}

export async function openPostgresPlain(url: string): Promise<Store> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('create table plain (id text primary key, words tsvector not null)')
  await client.query('create index plain_words on plain using gin (words)')
  return {
    add: (entries) => {
      const rows = entries.map(({ id, title, body, files }) => ({ id, title, body, files: files.join(' ') }))
      return client.query(
        `insert into plain select id, setweight(to_tsvector('english', title), 'A') || to_tsvector('english', body || ' ' || files)
         from jsonb_to_recordset($1::jsonb) as e(id text, title text, body text, files text)`,
        [JSON.stringify(rows)],
      )
    },
    ask: (text) => {
      const words = [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))].map((word) => `'${word}'`).join(' | ')
      return client.query(
        `select id from plain, to_tsquery('english', $1) asked where words @@ asked
         order by ts_rank(words, asked) desc limit ${HITS}`,
        [words],
      )
    },
    settle: () => client.query('vacuum analyze plain'),
    close: () => client.end(),
  }
}

export async function openPostgresGrove(url: string): Promise<Store> {
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const db = connectPostgres<unknown>({ url, log })
  const index = await openPostgresIndex(db, 'bench')
  return {
    add: (entries) => index.add(entries),
    ask: (text, files, now) => retrieve(index, { text, files, now }, ALL),
    settle: () => sql`vacuum analyze`.execute(db),
    close: () => db.destroy(),
  }
}
