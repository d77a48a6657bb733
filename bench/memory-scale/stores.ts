/** The stores that are compared: Grove's index, and what one writes first, on the same SQLite. */
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { retrieve } from '#core/search/retrieve.ts'
import type { IndexEntry } from '#core/search/terms.ts'
import { MEMORY_INDEX_SQL } from '#storage/search/schema.ts'
import { SqliteMemoryIndex } from '#storage/search/sqlite-index.ts'
import { FTS5_INSERT, FTS5_QUERY, FTS5_TABLE, orExpression } from '../retrieval/baselines.ts'

export interface Store {
  add(entries: IndexEntry[]): unknown
  ask(text: string, files: string[], now: number): unknown
  close(): unknown
}

const HITS = 10
const ALL = { limit: HITS, minAnswer: 0 }

function openDatabase(file: string): DatabaseSyncInstance {
  const db = new DatabaseSync(file)
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16000')
  return db
}

export function openPlain(file: string): Store {
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
    close: () => db.close(),
  }
}

export function openGrove(file: string): Store {
  const db = openDatabase(file)
  db.exec(MEMORY_INDEX_SQL)
  const index = new SqliteMemoryIndex(db as never, 'bench')
  return {
    add: (entries) => index.add(entries),
    ask: (text, files, now) => retrieve(index, { text, files, now }, ALL),
    close: () => db.close(),
  }
}
