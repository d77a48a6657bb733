import { statSync } from 'node:fs'
import { setImmediate as breathe } from 'node:timers/promises'
import { memoryEntry } from '#core/memory/entry.ts'
import type { Candidate } from '#core/memory/index-port.ts'
import { fieldTerms, type IndexEntry } from '#core/memory/index-terms.ts'
import type { MemoryIndexes } from '#core/memory/indexes.ts'
import { MEMORY, toMemory } from '../sql/memory-rows.ts'
import { loadSqlite, type SqliteDatabase } from '../sql/sqlite-driver.ts'
import { whileBusy } from '../sql/while-busy.ts'
import { SqliteMemoryIndex } from './sqlite.ts'
import { MEMORY_INDEX_SQL } from './sqlite-schema.ts'

/** Few enough that a request does not notice. */
const AT_ONCE = 50
/** How much of a long line is put into order in one look. */
const LOOK_AHEAD = 2_000

/** Its own connection to the file of the store: readers and writers of SQLite do not wait for each other. */
export function sqliteIndexes(file: string): MemoryIndexes {
  let opened: Feed | undefined

  async function current(): Promise<Feed> {
    // The store may have set a damaged file aside and begun a new one.
    if (opened && opened.identity !== identityOf(file)) close()
    opened ??= await open(file)
    return opened
  }

  function close() {
    opened?.close()
    opened = undefined
  }

  return {
    async of(projectId) {
      const feed = await current()
      await feed.workOff(feed.waiting(AT_ONCE, projectId))
      return feed.index(projectId)
    },
    async catchUp(progress = () => {}) {
      let done = 0
      for (;;) {
        const feed = await current()
        const line = feed.waiting(LOOK_AHEAD)
        if (line.length === 0) break
        for (let from = 0; from < line.length; from += AT_ONCE) {
          await feed.workOff(line.slice(from, from + AT_ONCE))
          progress(Math.min(done + from + AT_ONCE, done + line.length))
          await breathe()
        }
        done += line.length
      }
      await (await current()).putInOrder()
      return done
    },
    close,
  }
}

async function open(file: string): Promise<Feed> {
  const { DatabaseSync } = await loadSqlite()
  const identity = identityOf(file) ?? ''
  const database = new DatabaseSync(file)
  try {
    // Short, because it blocks the event loop; `whileBusy` does the real waiting.
    database.exec('PRAGMA busy_timeout = 5; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16000')
    await whileBusy(() => database.exec(MEMORY_INDEX_SQL))
    return new Feed(database, identity)
  } catch (error) {
    database.close()
    throw error
  }
}

function identityOf(file: string): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat && `${stat.dev}:${stat.ino}`
}

interface Waiting {
  id: string
  project_id: string
}

type MemoryRow = Parameters<typeof toMemory>[0]

/** Brings entries from the tables of the store into the index, in transactions: an entry is up to date or still in line. */
class Feed {
  readonly #indexes = new Map<string, SqliteMemoryIndex>()
  /** Entries that came after younger ones, by project. The ranking takes the order of arrival for the order in time. */
  readonly #strays = new Map<string, number>()
  #turn: Promise<unknown> = Promise.resolve()

  constructor(
    private readonly database: SqliteDatabase,
    readonly identity: string,
  ) {}

  close() {
    this.database.close()
  }

  /** The oldest of what waits, of one project or of all. Looking takes no lock, and mostly there is nobody. */
  waiting(most: number, projectId?: string): Waiting[] {
    const line = `select line.id, line.project_id from index_queue line left join memories on memories.id = line.id
      where line.kind = '${MEMORY}' and (?1 is null or line.project_id = ?1) order by memories.created_at limit ?2`
    return this.database.prepare(line).all(projectId ?? null, most) as Waiting[]
  }

  index(projectId: string): Promise<SqliteMemoryIndex> {
    // The first look at a project notes its name.
    return whileBusy(() => this.#indexOf(projectId))
  }

  #indexOf(projectId: string): SqliteMemoryIndex {
    const known = this.#indexes.get(projectId)
    if (known) return known
    const index = new SqliteMemoryIndex(this.database, projectId)
    this.#indexes.set(projectId, index)
    return index
  }

  async workOff(line: Waiting[]): Promise<void> {
    if (line.length === 0) return
    await this.#transaction(async () => {
      for (const projectId of new Set(line.map(({ project_id }) => project_id))) {
        const ids = line.filter(({ project_id }) => project_id === projectId).map(({ id }) => id)
        await this.#update(projectId, ids)
      }
      const done = JSON.stringify(line.map(({ id }) => id))
      const leave = `delete from index_queue where kind = '${MEMORY}' and id in (select value from json_each(?))`
      this.database.prepare(leave).run(done)
    })
  }

  async #update(projectId: string, ids: string[]) {
    const index = this.#indexOf(projectId)
    const entries = this.#entries(projectId, ids)
    const there = new Map((await index.byIds(ids)).map((candidate) => [candidate.id, candidate]))
    // What nobody would find differently keeps its place.
    const same = entries.filter((entry) => isSame(entry, there.get(entry.id))).map(({ id }) => id)
    const fresh = entries.filter(({ id }) => !same.includes(id))
    const newest = (await index.recent(1))[0]?.at ?? 0
    index.remove(ids.filter((id) => !same.includes(id)))
    index.add(fresh)
    const strays = fresh.filter(({ at }) => at < newest).length
    this.#strays.set(projectId, (this.#strays.get(projectId) ?? 0) + strays)
  }

  #entries(projectId: string, ids: string[]): IndexEntry[] {
    const rows = this.database
      .prepare(
        `select * from memories where project_id = ? and id in (select value from json_each(?)) order by created_at`,
      )
      .all(projectId, JSON.stringify(ids)) as MemoryRow[]
    return rows.map((row) => memoryEntry(toMemory(row)))
  }

  /** Where much came out of order, as with an import, every entry goes to the end once, the oldest first. */
  async putInOrder(): Promise<void> {
    for (const [projectId, strays] of this.#strays) {
      const index = await this.index(projectId)
      if (strays < Math.max(20, 0.02 * (await index.size()))) continue
      this.#strays.delete(projectId)
      const all = this.database
        .prepare('select id from memories where project_id = ? order by created_at, id')
        .all(projectId) as { id: string }[]
      for (let from = 0; from < all.length; from += AT_ONCE) {
        const ids = all.slice(from, from + AT_ONCE).map(({ id }) => id)
        await this.#transaction(async () => {
          const entries = this.#entries(projectId, ids)
          index.remove(ids)
          index.add(entries)
        })
        await breathe()
      }
    }
  }

  /** One after the other: they share one connection, and a connection has one transaction. */
  #transaction(work: () => Promise<void>): Promise<void> {
    const run = async () => {
      await whileBusy(() => this.database.exec('begin immediate'))
      try {
        await work()
        this.database.exec('commit')
      } catch (error) {
        this.database.exec('rollback')
        // What they had noted of a new project is undone with the rest.
        this.#indexes.clear()
        throw error
      }
    }
    const result = this.#turn.then(run)
    this.#turn = result.catch(() => undefined)
    return result
  }
}

function isSame(entry: IndexEntry, there: Candidate | undefined): boolean {
  if (!there || there.at !== entry.at || there.group !== entry.group) return false
  const { title, body } = fieldTerms(entry)
  return equal(title, there.title) && equal(body, there.body) && equal(entry.files, there.files)
}

function equal(a: string[], b: string[]): boolean {
  return a.length === b.length && a.every((item, at) => item === b[at])
}
