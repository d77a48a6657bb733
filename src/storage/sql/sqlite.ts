import { Kysely } from 'kysely'
import type { Log } from '#core/ports.ts'
import type { Schema } from './schema.ts'
import { type SqlStore, sqlStore } from './sql-store.ts'
import { type SqliteSource, sqliteDialect } from './sqlite-dialect.ts'
import type { SqliteStatement } from './sqlite-driver.ts'
import { sqliteFile, sqliteMemory } from './sqlite-file.ts'

export interface SqliteStoreOptions {
  /** `:memory:` for a store that ends with the process. */
  file: string
  log?: Log
  now?: () => number
}

export interface SqliteStore extends SqlStore {
  /** Another number whenever another connection has written; undefined while there is no connection to tell. */
  writtenElsewhere(): number | undefined
}

const SILENT: Log = { debug() {}, info() {}, warn() {}, error() {} }

/** Opens the local store, creating it when it is not there and starting a fresh one when it is damaged. */
export async function openSqliteStore({
  file,
  log = SILENT,
  now = Date.now,
}: SqliteStoreOptions): Promise<SqliteStore> {
  const source = file === ':memory:' ? sqliteMemory() : sqliteFile({ file, log, now })
  let version: SqliteStatement | undefined
  let openings = 0
  const watched: SqliteSource = {
    ...source,
    async open() {
      const database = await source.open()
      version = database.prepare('PRAGMA data_version')
      openings++
      return database
    },
  }
  const db = new Kysely<Schema>({ dialect: sqliteDialect(watched) })
  // Kysely connects at the first query; trouble with the file belongs to opening it.
  await db.connection().execute(async () => {})
  return {
    ...sqlStore(db),
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
