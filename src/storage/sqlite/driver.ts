import { StorageError } from '../storage-error.ts'
import { openPrebuilt } from './prebuilt.ts'

/** The part of `node:sqlite` Grove uses; `@photostructure/sqlite` offers the same. */
export interface SqliteDatabase {
  exec(sql: string): void
  prepare(sql: string): SqliteStatement
  /** Where it is not there, SQLite is not defensive. */
  enableDefensive?(on: boolean): void
  /** The package lets go of the file only when its statements are collected, or with the process. */
  close(): void
}

export interface SqliteStatement {
  /** Empty for a statement that returns no rows. */
  columns(): unknown[]
  all(...parameters: unknown[]): unknown[]
  get(...parameters: unknown[]): unknown
  run(...parameters: unknown[]): { changes: number | bigint }
}

export interface SqliteLibrary {
  DatabaseSync: new (file: string) => SqliteDatabase
}

let library: Promise<SqliteLibrary> | undefined

/** Loads SQLite on first use, so that commands that need no store never pay for it. */
export function loadSqlite(): Promise<SqliteLibrary> {
  library ??= builtIn() ?? fromPackage()
  return library
}

/** Node's own SQLite. Before 22.16 it could not tell which statements return rows, so there the package is used. */
function builtIn(): Promise<SqliteLibrary> | undefined {
  const found = withoutWarnings(() => process.getBuiltinModule?.('node:sqlite'))
  return isUsable(found) ? Promise.resolve(found) : undefined
}

async function fromPackage(): Promise<SqliteLibrary> {
  const prebuilt = openPrebuilt()
  if (isUsable(prebuilt)) return prebuilt
  try {
    const { DatabaseSync } = await import('@photostructure/sqlite')
    return { DatabaseSync: DatabaseSync as unknown as SqliteLibrary['DatabaseSync'] }
  } catch (error) {
    throw new StorageError(
      'no-driver',
      `Grove found no SQLite: Node ${process.versions.node} has none that it can use, and the package @photostructure/sqlite did not load.`,
      'Use Node 22.16 or newer, or install Grove again with its optional dependencies (npm install --include=optional).',
      { cause: error },
    )
  }
}

/** Some Node versions announce on stderr that the module is experimental; users of a hook should not see that. */
function withoutWarnings<T>(work: () => T): T {
  const emitWarning = process.emitWarning
  process.emitWarning = () => {}
  try {
    return work()
  } finally {
    process.emitWarning = emitWarning
  }
}

function isUsable(found: object | undefined): found is SqliteLibrary {
  if (!found || !('DatabaseSync' in found) || !('StatementSync' in found)) return false
  return typeof found.StatementSync === 'function' && 'columns' in found.StatementSync.prototype
}
