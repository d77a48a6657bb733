import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { loadSqlite, type SqliteDatabase } from './driver.ts'
import { isDamage } from './errors.ts'
import type { SqliteFileOptions } from './file.ts'
import { whileBusy } from './while-busy.ts'

/** Few enough rows that the lock is held briefly. */
const AT_ONCE = 200
/** Above every number that SQLite gives a row of ours, and far from where whole numbers end. */
const ABOVE_ALL = 2 ** 50
/** What is read back comes before what was written since, so its rows go below all others. */
const BELOW = 2 ** 32
const MARK = '.unread'

/** Notes that a file set aside is still to be read. It stays noted until that is done, by whichever process and however often one dies. */
export function noteUnread(aside: string): void {
  writeFileSync(aside + MARK, '', { mode: 0o600 })
}

/**
 * Takes over what can still be read of damaged files that were set aside, until told that it is enough: the newest first,
 * around the damage, in small steps beside all other work. What was written or deleted since is left as it is.
 */
export async function recoverDamaged(
  { file, log }: SqliteFileOptions,
  enough: () => boolean = () => false,
): Promise<void> {
  for (const aside of unread(file)) {
    const outcome = await takeOver(file, aside, enough)
    if (outcome === 'stopped') return
    rmSync(aside + MARK, { force: true })
    const { rows, gaps } = outcome
    const all = gaps === 0 ? 'Everything in it' : rows === 0 ? 'Nothing of it' : 'What could be read of it'
    log.warn(
      { aside, rows, gaps },
      `The damaged database ${aside} was read. ${all} was recovered: ${rows} ${rows === 1 ? 'row' : 'rows'}.`,
    )
  }
}

function unread(file: string): string[] {
  const folder = dirname(file)
  if (!existsSync(folder)) return []
  const marks = readdirSync(folder).filter(
    (name) => name.startsWith(`${basename(file)}.damaged-`) && name.endsWith(MARK),
  )
  // A file is noted a moment before it is set aside.
  return marks.map((name) => join(folder, name.slice(0, -MARK.length))).filter((aside) => existsSync(aside))
}

interface Progress {
  /** The tables that are through. */
  done: string[]
  /** How far the one at hand has been read, from its end. */
  below: number
  rows: number
  gaps: number
}

async function takeOver(file: string, aside: string, enough: () => boolean): Promise<Progress | 'stopped'> {
  const progress = progressOf(aside)
  if (!existsSync(file)) return 'stopped'
  const { DatabaseSync } = await loadSqlite()
  const database = new DatabaseSync(file)
  try {
    // The new file was taken away as well, and another has not been begun yet.
    if (!hasTables(database)) return 'stopped'
    // SQLite reads a file that was cut off, as far as it goes, for those who may write to its schema.
    database.enableDefensive?.(false)
    database.exec(
      'PRAGMA busy_timeout = 5; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = OFF; ' +
        'PRAGMA cell_size_check = ON; PRAGMA writable_schema = ON',
    )
    let tables: Table[]
    try {
      database.prepare('attach ? as old').run(aside)
      tables = tablesOf(database)
    } catch (error) {
      if (!isDamage(error)) throw error
      return { ...progress, gaps: 1 }
    }
    for (const table of tables.filter(({ name }) => !progress.done.includes(name))) {
      // What was lost here may still lie with the team; without the mark of how far it was read, reading begins at the front.
      if (table.name === 'pulls' && progress.gaps > 0) continue
      const reader = new TableReader(database, table, progress)
      while (await reader.next()) {
        if (enough()) return 'stopped'
        writeFileSync(aside + MARK, JSON.stringify(progress))
        await breathe()
      }
      progress.done.push(table.name)
      progress.below = ABOVE_ALL
    }
    return progress
  } finally {
    database.close()
  }
}

function hasTables(database: SqliteDatabase): boolean {
  return database.prepare(`select 1 from sqlite_master where name = 'index_queue'`).get() !== undefined
}

function progressOf(aside: string): Progress {
  const begin = { done: [], below: ABOVE_ALL, rows: 0, gaps: 0 }
  try {
    return { ...begin, ...(JSON.parse(readFileSync(aside + MARK, 'utf8')) as Partial<Progress>) }
  } catch {
    // Empty, half written or just gone: what was taken over already is left as it is, so to begin again does no harm.
    return begin
  }
}

interface Table {
  name: string
  /** The columns that both files have, without the row number. */
  columns: string[]
  isCounted: boolean
}

/**
 * The tables of the store. The search index is built anew; deletions come first, since they hold for what follows. The old
 * file is asked for each by name: the list of its tables may be damaged where the tables are not.
 */
function tablesOf(database: SqliteDatabase): Table[] {
  const names = database
    .prepare(
      `select name from main.sqlite_master where type = 'table' and name not like 'sqlite_%'
        and name not like 'memory_index%' and name not in ('migrations', 'memory_vector', 'index_queue')
        order by name <> 'deletions', name <> 'memories', name`,
    )
    .all() as { name: string }[]
  const columnsOf = database.prepare('select name from pragma_table_info(?, ?)')
  const columns = (schema: string, table: string) =>
    (columnsOf.all(table, schema) as { name: string }[]).map(({ name }) => name)
  return names.flatMap(({ name }) => {
    const old = columns('old', name)
    const shared = columns('main', name).filter((column) => old.includes(column))
    if (shared.length === 0) return []
    return [{ name, columns: shared.filter((column) => column !== 'seq'), isCounted: shared.includes('seq') }]
  })
}

/** Reads a table from its end, around what cannot be read. */
class TableReader {
  #atOnce = AT_ONCE

  constructor(
    private readonly database: SqliteDatabase,
    private readonly table: Table,
    private readonly progress: Progress,
  ) {}

  /** Takes over some rows; false when there are no more. */
  async next(): Promise<boolean> {
    const { progress } = this
    const rows = this.#rows(progress.below, this.#atOnce)
    if (rows === 'damaged' && this.#atOnce > 1) this.#atOnce = 1
    else if (rows === 'damaged') this.#skip()
    else if (rows.length === 0) return false
    else await this.#take(rows)
    return progress.below > -ABOVE_ALL
  }

  /** The numbers of the last rows below this one. */
  #rows(below: number, most: number): number[] | 'damaged' {
    const last = `select rowid as row from old.${this.table.name} where rowid < ? order by rowid desc limit ?`
    try {
      return (this.database.prepare(last).all(below, most) as { row: number }[]).map(({ row }) => row)
    } catch (error) {
      if (isDamage(error)) return 'damaged'
      throw error
    }
  }

  async #take(rows: number[]) {
    const { progress } = this
    const last = rows.at(-1)!
    try {
      progress.rows += await this.#copy(last, progress.below)
    } catch (error) {
      if (!isDamage(error)) throw error
      // A long row lies on pages of its own, which may be damaged while its place in the table is not.
      if (rows.length > 1) {
        this.#atOnce = Math.ceil(rows.length / 2)
        return
      }
      progress.gaps++
    }
    progress.below = last
    this.#atOnce = Math.min(this.#atOnce * 2, AT_ONCE)
  }

  async #copy(from: number, below: number): Promise<number> {
    const { name, columns, isCounted } = this.table
    const list = columns.map((column) => `"${column}"`).join(', ')
    const isKept = name === 'memories' ? `and id not in (select id from main.deletions where kind = 'memory')` : ''
    const copy = `insert or ignore into main.${name} (${isCounted ? 'seq, ' : ''}${list})
      select ${isCounted ? `rowid - ${BELOW}, ` : ''}${list} from old.${name} where rowid >= ? and rowid < ? ${isKept}`
    const queue = `insert or ignore into main.index_queue (kind, id, project_id)
      select 'memory', id, project_id from old.memories where rowid >= ? and rowid < ?`
    return await whileBusy(() => {
      this.database.exec('begin immediate')
      try {
        const { changes } = this.database.prepare(copy).run(from, below)
        if (name === 'memories') this.database.prepare(queue).run(from, below)
        this.database.exec('commit')
        return Number(changes)
      } catch (error) {
        this.database.exec('rollback')
        throw error
      }
    })
  }

  /** Goes on below the damage: looks further and further down until something can be read, then for where that begins. */
  #skip() {
    const { progress } = this
    const isReadable = (gap: number) => this.#rows(progress.below - gap, 1) !== 'damaged'
    let near = 0
    let far = 1
    while (far < 2 * ABOVE_ALL && !isReadable(far)) {
      near = far
      far *= 2
    }
    while (far - near > 1) {
      const between = Math.floor((near + far) / 2)
      if (isReadable(between)) far = between
      else near = between
    }
    progress.below -= far
    progress.gaps++
    this.#atOnce = AT_ONCE
  }
}
