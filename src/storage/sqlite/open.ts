import { Kysely, sql } from 'kysely'
import type { Log } from '#core/ports/runtime.ts'
import { type SqliteSource, sqliteDialect } from './dialect.ts'
import type { SqliteStatement } from './driver.ts'
import { type SqliteFileOptions, sqliteFile, sqliteMemory } from './file.ts'
import { recoverDamaged } from './recover-damaged.ts'
import type { Schema } from './schema.ts'
import { type LocalStore, localStore } from './store.ts'

/** `:memory:` as the file is a store that ends with the process. */
type SqliteStoreOptions = Pick<SqliteFileOptions, 'file'> & Partial<SqliteFileOptions>

export interface SqliteStore extends LocalStore {
  /** Another number whenever another connection has written; undefined while there is no connection to tell. */
  writtenElsewhere(): number | undefined
}

const SILENT: Log = { debug() {}, info() {}, warn() {}, error() {} }

/**
 * Opens the local store, creating it when it is not there and starting a fresh one when it is damaged. What can still be
 * read of a damaged one is taken over in the background, for as long as the store is open.
 */
export async function openSqliteStore({
  file,
  log = SILENT,
  now = Date.now,
}: SqliteStoreOptions): Promise<SqliteStore> {
  const source = file === ':memory:' ? sqliteMemory() : sqliteFile({ file, log, now })
  let version: SqliteStatement | undefined
  let openings = 0
  let isClosed = false
  let reading: Promise<void> | undefined
  const readInBackground = () => {
    reading ??= recoverDamaged({ file, log, now }, () => isClosed)
      .catch((error) => log.warn({ err: error }, 'a damaged database could not be read; the next start tries again'))
      .finally(() => {
        reading = undefined
      })
  }
  const watched: SqliteSource = {
    ...source,
    async open() {
      const database = await source.open()
      version = database.prepare('PRAGMA data_version')
      openings++
      if (file !== ':memory:') readInBackground()
      return database
    },
  }
  const db = new Kysely<Schema>({ dialect: sqliteDialect(watched) })
  // Kysely connects at the first query; trouble with the file belongs to opening it.
  await db.connection().execute(async () => {})
  const store = localStore(db)
  return {
    ...store,
    // A checkpoint alone would leave the log's old frames, and with them the old versions of pages, where they are until
    // they are written over. While another process reads, SQLite does what it can, and the next sweep does the rest.
    async checkpointLog() {
      if (file !== ':memory:') await sql`pragma wal_checkpoint(truncate)`.execute(db)
    },
    async close() {
      isClosed = true
      await reading
      await store.close()
    },
    writtenElsewhere() {
      try {
        const row = version?.get() as { data_version: number } | undefined
        // Each connection counts from its own beginning.
        return row && openings * 2 ** 32 + row.data_version
      } catch {
        // Between two files: the next query opens the one that is there.
        return undefined
      }
    },
  }
}
