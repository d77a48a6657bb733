import { closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely } from 'kysely'
import { makeFolder } from '#config/make-folder.ts'
import type { Log } from '#core/ports/runtime.ts'
import { identityOf } from '../files/stamp.ts'
import { migrate } from '../migrate.ts'
import { borrowed, type SqliteSource, sqliteDialect } from './dialect.ts'
import { loadSqlite, type SqliteDatabase } from './driver.ts'
import { explainSqlite, isDamage } from './errors.ts'
import { LOCAL_SCHEMA, MIGRATIONS } from './migrations.ts'
import { isEmptied, setAsideIfDamaged } from './set-aside.ts'
import { whileBusy } from './while-busy.ts'

export interface SqliteFileOptions {
  file: string
  log: Log
  now: () => number
}

const ATTEMPTS = 5

/**
 * The database file: opens it with its schema up to date, and starts a fresh one when it is damaged.
 *
 * Opening reads the header and the schema, never the whole file: hook processes open it often. Damage further in
 * shows itself at the first query that meets it; the connection then comes back here, and only then is the whole
 * file checked, to be sure, before it is set aside.
 */
export function sqliteFile(options: SqliteFileOptions): SqliteSource {
  const { file, log } = options
  let opened: string | undefined

  return {
    async open() {
      const found = await openFile(options)
      if (opened && opened !== found.identity) log.info({ file }, 'the database file was replaced; using the new one')
      opened = found.identity
      return found.database
    },

    // A daemon may still hold the file that another process has set aside, or that a user has deleted. SQLite would
    // go on writing into it, which is never read again. Looking costs microseconds, so it is done for every query.
    wasReplaced: () => identityOf(file) !== opened,

    wasEmptied: () => opened !== undefined && isEmptied(file),

    setAsideIfDamaged: () => setAsideIfDamaged(options),
    explain: (error) => explainSqlite(error, file),
  }
}

/** A database in memory, for tests: nothing to replace, nothing to set aside. */
export function sqliteMemory(): SqliteSource {
  return {
    async open() {
      const { DatabaseSync } = await loadSqlite()
      const database = new DatabaseSync(':memory:')
      await bringUpToDate(database)
      return database
    },
    wasReplaced: () => false,
    explain: (error) => error,
  }
}

interface OpenedFile {
  database: SqliteDatabase
  identity: string
}

async function openFile(options: SqliteFileOptions): Promise<OpenedFile> {
  const { file } = options
  try {
    for (let attempt = 1; ; attempt++) {
      createIfMissing(file)
      try {
        return await openOnce(file)
      } catch (error) {
        if (attempt === ATTEMPTS) throw error
        if (isDamage(error)) await setAsideIfDamaged(options)
        else if (!(error instanceof Exchanged)) throw error
      }
    }
  } catch (error) {
    throw explainSqlite(error, file)
  }
}

/** The file was set aside by another process while we opened it. */
class Exchanged extends Error {
  constructor() {
    super('The database file was exchanged while it was opened.')
  }
}

// What is removed or replaced is not to be read in the file any more: SQLite writes zeros over it. FAST would spare it that
// for pages that become free, and a value of some kilobytes lies in such pages; it is no faster for our writes. Older
// versions of a page stay in the log until `checkpointLog` cuts it. The log is folded into the file early: a process that
// opens the file alone, as every hook without a daemon does, reads the whole log first.
const SETTINGS =
  'PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = 200'

async function openOnce(file: string): Promise<OpenedFile> {
  const { DatabaseSync } = await loadSqlite()
  const before = identityOf(file)
  const database = new DatabaseSync(file)
  try {
    // Short, because it blocks the event loop; `whileBusy` does the real waiting.
    database.exec('PRAGMA busy_timeout = 5')
    const mode = await whileBusy(() => database.prepare('PRAGMA journal_mode').get())

    // SQLite finds the write-ahead log by name. Had the file been exchanged since, we would hold one database and
    // the log of another: go no further before knowing that they belong together.
    if (!before || identityOf(file) !== before) throw new Exchanged()

    if (!isWal(mode)) await whileBusy(() => database.exec('PRAGMA journal_mode = WAL'))
    await whileBusy(() => database.exec(SETTINGS))
    await bringUpToDate(database)
    return { database, identity: before }
  } catch (error) {
    database.close()
    // With the file taken away in the middle of it, SQLite may say anything.
    throw identityOf(file) === before ? error : new Exchanged()
  }
}

async function bringUpToDate(database: SqliteDatabase) {
  if (isUpToDate(database)) return
  const db = new Kysely<unknown>({ dialect: sqliteDialect(borrowed(database)) })
  await migrate(db, LOCAL_SCHEMA)
}

/** The answer nearly every opening gets, in the fewest words. */
function isUpToDate(database: SqliteDatabase): boolean {
  try {
    const latest = database.prepare('select max(version) as version from migrations').get() as { version: unknown }
    return latest.version === MIGRATIONS.length
  } catch {
    // No such table yet, or something is wrong with the file: asking thoroughly tells which.
    return false
  }
}

/**
 * Grove's memory is for its owner's eyes. Only a file that is not there is opened here: closing a second handle to
 * a database that is in use would drop SQLite's locks on it.
 */
function createIfMissing(file: string) {
  if (identityOf(file)) return
  makeFolder(dirname(file))
  try {
    closeSync(openSync(file, 'ax', 0o600))
  } catch (error) {
    const anotherWasFaster = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    if (!anotherWasFaster) throw error
  }
}

function isWal(row: unknown): boolean {
  return typeof row === 'object' && row !== null && 'journal_mode' in row && row.journal_mode === 'wal'
}
