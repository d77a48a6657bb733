import { setImmediate as breathe } from 'node:timers/promises'
import { memoryEntry } from '#core/memory/entry.ts'
import type { Candidate } from '#core/ports/search-index.ts'
import { fieldTerms, type IndexEntry } from '#core/search/terms.ts'
import { identityOf } from '../files/stamp.ts'
import { loadSqlite, type SqliteDatabase, type SqliteStatement } from '../sqlite/driver.ts'
import { isAlreadyRolledBack } from '../sqlite/errors.ts'
import { MEMORY, toMemory } from '../sqlite/memory-rows.ts'
import { whileBusy } from '../sqlite/while-busy.ts'
import { DROP_MEMORY_INDEX_SQL, MEMORY_INDEX_SQL, ROWS_PER_SCOPE } from './schema.ts'
import { SqliteMemoryIndex } from './sqlite-index.ts'

/** Few enough that a request does not notice. */
export const AT_ONCE = 50
/** Every transaction costs, and holds up all other writers of the file for some hundredths of a second. */
const IN_BULK = 200
const LONG_QUEUE = 5_000
/** At most so many rows move for one entry that comes late. */
const MAY_MOVE = 200

/** A connection to the file of the store, with the tables of the index in it. */
export async function openIndexUpdater(file: string): Promise<IndexUpdater> {
  const { DatabaseSync } = await loadSqlite()
  const identity = identityOf(file) ?? ''
  const database = new DatabaseSync(file)
  try {
    // Short, because it blocks the event loop; `whileBusy` does the real waiting. What is removed is overwritten, as in
    // `sqlite/file.ts`: the rows hold nearly every word of a memory, in its order.
    database.exec(
      'PRAGMA busy_timeout = 5; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16000; PRAGMA secure_delete = ON',
    )
    await whileBusy(() => database.exec(MEMORY_INDEX_SQL))
    return new IndexUpdater(database, identity)
  } catch (error) {
    database.close()
    throw error
  }
}

/** The time of a memory's entry, see `memoryEntry`. */
const INDEX_TIME = 'case when updated_by is null then created_at else coalesce(updated_at, created_at) end'

interface Waiting {
  id: string
  project_id: string
}

interface Timed extends Waiting {
  at: number
}

type MemoryRow = Parameters<typeof toMemory>[0]

/** Brings entries from the tables of the store into the index, in transactions: an entry is up to date or still queued. */
export class IndexUpdater {
  readonly #indexes = new Map<string, SqliteMemoryIndex>()
  readonly #schemaVersion: SqliteStatement
  #indexesAsOf: number | undefined
  #turn: Promise<unknown> = Promise.resolve()

  constructor(
    readonly database: SqliteDatabase,
    readonly identity: string,
  ) {
    this.#schemaVersion = database.prepare('PRAGMA schema_version')
  }

  close() {
    this.database.close()
  }

  /** The oldest of what waits, of one project or of all. Looking takes no lock, and mostly nothing waits. */
  waiting(most: number, projectId?: string): Waiting[] {
    const query = `select queued.id, queued.project_id from index_queue queued left join memories on memories.id = queued.id
      where queued.kind = '${MEMORY}' and queued.project_id = coalesce(?, queued.project_id) order by ${INDEX_TIME} limit ?`
    return this.database.prepare(query).all(projectId ?? null, most) as Waiting[]
  }

  /**
   * All that waits, some at a time, the oldest first. A long queue is never sorted as a whole: the memories are
   * walked through in the order they were made in, from where the last look ended.
   */
  *queued(): Generator<Waiting[]> {
    if (this.isLong()) for (const some of this.#walk()) yield* inBulk(some)
    // All of a short queue; of a long one what came meanwhile, or is no memory any more.
    yield* inBulk(this.waiting(LONG_QUEUE))
  }

  *#walk(): Generator<Timed[]> {
    const query = `memories cross join index_queue queued on queued.kind = '${MEMORY}' and queued.id = memories.id`
    const next = this.database.prepare(`select queued.id, queued.project_id, created_at as at from ${query}
      where updated_by is null and (created_at, memories.id) > (?, ?)
      order by created_at, memories.id limit ${IN_BULK}`)
    const edited = this.database
      .prepare(
        `select queued.id, queued.project_id, ${INDEX_TIME} as at from ${query} where updated_by is not null order by at`,
      )
      .all() as Timed[]
    let place = 0
    for (let some = next.all(-1, '') as Timed[]; some.length > 0; ) {
      const last = some.at(-1)!
      const from = place
      while (place < edited.length && edited[place]!.at <= last.at) place++
      yield [...some, ...edited.slice(from, place)].sort((a, b) => a.at - b.at)
      some = next.all(last.at, last.id) as Timed[]
    }
    yield edited.slice(place)
  }

  /** Whether the queue is too long to be worked off while a question waits; counts no further than the limit. */
  isLong(projectId?: string): boolean {
    const query = `select count(*) as waiting from (
      select 1 from index_queue where kind = '${MEMORY}' and project_id = coalesce(?, project_id) limit ${LONG_QUEUE})`
    return (this.database.prepare(query).get(projectId ?? null) as { waiting: number }).waiting >= LONG_QUEUE
  }

  index(projectId: string): Promise<SqliteMemoryIndex> {
    // The first look at a project notes its name.
    return whileBusy(() => this.#indexOf(projectId))
  }

  #indexOf(projectId: string): SqliteMemoryIndex {
    // Where another process has rebuilt the tables, every number that was remembered means something else.
    const { schema_version } = this.#schemaVersion.get() as { schema_version: number }
    if (schema_version !== this.#indexesAsOf) this.#indexes.clear()
    this.#indexesAsOf = schema_version
    const known = this.#indexes.get(projectId)
    if (known) return known
    const index = new SqliteMemoryIndex(this.database, projectId)
    this.#indexes.set(projectId, index)
    return index
  }

  async workOff(waiting: Waiting[]): Promise<void> {
    if (waiting.length === 0) return
    await this.transaction(async () => {
      for (const projectId of new Set(waiting.map(({ project_id }) => project_id))) {
        const ids = waiting.filter(({ project_id }) => project_id === projectId).map(({ id }) => id)
        await this.#update(projectId, ids)
      }
      const done = JSON.stringify(waiting.map(({ id }) => id))
      const leave = `delete from index_queue where kind = '${MEMORY}' and id in (select value from json_each(?))`
      this.database.prepare(leave).run(done)
    })
  }

  async #update(projectId: string, ids: string[]) {
    const index = this.#indexOf(projectId)
    const entries = this.#entries(projectId, ids)
    const there = new Map((await index.byIds(ids)).map((candidate) => [candidate.id, candidate]))
    // What would be found just the same keeps its place.
    const same = entries.filter((entry) => isSame(entry, there.get(entry.id))).map(({ id }) => id)
    const fresh = entries.filter(({ id }) => !same.includes(id))
    const gone = ids.filter((id) => !same.includes(id))
    index.remove(gone)
    index.add(fresh)
    const forget = 'delete from memory_vector where id in (select value from json_each(?))'
    this.database.prepare(forget).run(JSON.stringify(gone))
  }

  #entries(projectId: string, ids: string[]): IndexEntry[] {
    // With the plus SQLite looks them up by id; it would rather walk through the whole project.
    const those = 'select * from memories where +project_id = ? and id in (select value from json_each(?))'
    const rows = this.database.prepare(those).all(projectId, JSON.stringify(ids)) as MemoryRow[]
    return rows.map((row) => memoryEntry(toMemory(row)))
  }

  /**
   * The index is kept in the order of time: an entry that comes late makes all younger ones move. A few may; where many
   * would, as with an import of history, the younger ones leave and join the queue again, some at a time, and everything
   * comes in oldest first. Answers whether there was something to do.
   */
  async makeRoom(): Promise<boolean> {
    const projects = this.database.prepare(`select distinct project_id from index_queue where kind = '${MEMORY}'`).all()
    for (const { project_id } of projects as Waiting[]) {
      const younger = await this.#youngerThanQueued(project_id)
      if (younger.length <= MAY_MOVE) continue
      await this.transaction(async () => {
        const index = this.#indexOf(project_id)
        const ids = younger.slice(0, AT_ONCE)
        index.remove(ids)
        const join = `insert into index_queue (kind, id, project_id) select '${MEMORY}', value, ? from json_each(?) where true
          on conflict (kind, id) do nothing`
        this.database.prepare(join).run(project_id, JSON.stringify(ids))
      })
      await breathe()
      return true
    }
    return false
  }

  async wouldMoveMany(projectId: string): Promise<boolean> {
    return (await this.#youngerThanQueued(projectId)).length > MAY_MOVE
  }

  /**
   * What is indexed and younger than the oldest newcomer in the queue, the youngest first; only as many as it takes to decide.
   * Rows follow time, so only the last ones need a look.
   */
  async #youngerThanQueued(projectId: string): Promise<string[]> {
    const ids = `select id from (
        select id, at from memory_index_entry where row between ? and ?
        order by row desc limit ${MAY_MOVE + AT_ONCE})
      where at > (select min(${INDEX_TIME}) from index_queue queued join memories on memories.id = queued.id
          where queued.kind = '${MEMORY}' and queued.project_id = ? and not exists (
            select 1 from memory_index_entry known where known.scope = ? and known.id = queued.id))
        and id not in (select id from index_queue where kind = '${MEMORY}')`
    const { scope, firstRow } = await this.index(projectId)
    return (
      this.database.prepare(ids).all(firstRow, firstRow + ROWS_PER_SCOPE - 1, projectId, scope) as { id: string }[]
    ).map(({ id }) => id)
  }

  /** Throws the index away; every memory joins the queue again. */
  async buildAnew(): Promise<void> {
    await this.transaction(async () => {
      this.#indexes.clear()
      this.database.exec(DROP_MEMORY_INDEX_SQL)
      this.database.exec(MEMORY_INDEX_SQL)
      this.database.exec(`insert into index_queue (kind, id, project_id) select '${MEMORY}', id, project_id from memories
        where true on conflict (kind, id) do nothing`)
    })
  }

  /** One after the other: they share one connection, and a connection has one transaction. */
  transaction(work: () => Promise<void>): Promise<void> {
    const run = async () => {
      await whileBusy(() => this.database.exec('begin immediate'))
      try {
        await work()
        this.database.exec('commit')
      } catch (error) {
        this.#rollBack()
        // What they had noted of a new project is undone with the rest.
        this.#indexes.clear()
        throw error
      }
    }
    const result = this.#turn.then(run)
    // The caller gets the error; the next turn does not depend on it.
    this.#turn = result.catch(() => undefined)
    return result
  }

  #rollBack() {
    try {
      this.database.exec('rollback')
    } catch (error) {
      // The first error is the one to report.
      if (!isAlreadyRolledBack(error)) throw error
    }
  }
}

function* inBulk<T>(all: T[]): Generator<T[]> {
  for (let from = 0; from < all.length; from += IN_BULK) yield all.slice(from, from + IN_BULK)
}

function isSame(entry: IndexEntry, there: Candidate | undefined): boolean {
  if (!there || there.at !== entry.at || there.group !== entry.group) return false
  const { title, body } = fieldTerms(entry)
  return equal(title, there.title) && equal(body, there.body) && equal(entry.files, there.files)
}

function equal(a: string[], b: string[]): boolean {
  return a.length === b.length && a.every((item, at) => item === b[at])
}
