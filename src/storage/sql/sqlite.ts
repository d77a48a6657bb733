import { Kysely } from 'kysely'
import type { Log } from '#core/ports.ts'
import type { Schema } from './schema.ts'
import { type SqlStore, sqlStore } from './sql-store.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { sqliteFile, sqliteMemory } from './sqlite-file.ts'

export interface SqliteStoreOptions {
  /** `:memory:` for a store that ends with the process. */
  file: string
  log?: Log
  now?: () => number
}

const SILENT: Log = { debug() {}, info() {}, warn() {}, error() {} }

/** Opens the local store, creating it when it is not there and starting a fresh one when it is damaged. */
export async function openSqliteStore({ file, log = SILENT, now = Date.now }: SqliteStoreOptions): Promise<SqlStore> {
  const source = file === ':memory:' ? sqliteMemory() : sqliteFile({ file, log, now })
  const db = new Kysely<Schema>({ dialect: sqliteDialect(source) })
  // Kysely connects at the first query; trouble with the file belongs to opening it.
  await db.connection().execute(async () => {})
  return sqlStore(db)
}
