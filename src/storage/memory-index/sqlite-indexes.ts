import { statSync } from 'node:fs'
import { setImmediate as breathe } from 'node:timers/promises'
import { memoryEntry } from '#core/memory/entry.ts'
import type { MemoryIndexes } from '#core/memory/indexes.ts'
import { MEMORY, toMemory } from '../sql/memory-rows.ts'
import type { Schema } from '../sql/schema.ts'
import { loadSqlite, type SqliteDatabase } from '../sql/sqlite-driver.ts'
import { whileBusy } from '../sql/while-busy.ts'
import { SqliteMemoryIndex } from './sqlite.ts'
import { MEMORY_INDEX_SQL } from './sqlite-schema.ts'

/** Few enough that a request does not notice. */
const AT_ONCE = 50

interface Opened {
  database: SqliteDatabase
  identity: string
  indexes: Map<string, SqliteMemoryIndex>
}

/** Its own connection to the file of the store: readers and writers of SQLite do not wait for each other. */
export function sqliteIndexes(file: string): MemoryIndexes {
  let opened: Opened | undefined

  async function current(): Promise<Opened> {
    // The store may have set a damaged file aside and begun a new one.
    if (opened && opened.identity !== identityOf(file)) close()
    opened ??= await open(file)
    return opened
  }

  function close() {
    opened?.database.close()
    opened = undefined
  }

  return {
    async of(projectId) {
      const here = await current()
      await workOff(here, projectId)
      // The first look at a project notes its name.
      return whileBusy(() => indexOf(here, projectId))
    },
    async catchUp(progress = () => {}) {
      let done = 0
      for (;;) {
        const some = await workOff(await current())
        if (some === 0) return done
        done += some
        progress(done)
        await breathe()
      }
    },
    close,
  }
}

async function open(file: string): Promise<Opened> {
  const { DatabaseSync } = await loadSqlite()
  const identity = identityOf(file)
  const database = new DatabaseSync(file)
  try {
    // Short, because it blocks the event loop; `whileBusy` does the real waiting.
    database.exec('PRAGMA busy_timeout = 5; PRAGMA synchronous = NORMAL')
    await whileBusy(() => database.exec(MEMORY_INDEX_SQL))
    return { database, identity: identity ?? '', indexes: new Map() }
  } catch (error) {
    database.close()
    throw error
  }
}

function identityOf(file: string): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat && `${stat.dev}:${stat.ino}`
}

function indexOf({ database, indexes }: Opened, projectId: string): SqliteMemoryIndex {
  const known = indexes.get(projectId)
  if (known) return known
  const index = new SqliteMemoryIndex(database, projectId)
  indexes.set(projectId, index)
  return index
}

const LINE = `select id, project_id from index_queue where kind = '${MEMORY}'`

/** The next of the line, of one project or of all, in one transaction: an entry is up to date or still in line. */
async function workOff(here: Opened, projectId?: string): Promise<number> {
  const { database } = here
  const waiting = () =>
    (projectId === undefined
      ? database.prepare(`${LINE} limit ${AT_ONCE}`).all()
      : database.prepare(`${LINE} and project_id = ? limit ${AT_ONCE}`).all(projectId)) as Schema['index_queue'][]
  // Looking first takes no lock, and mostly there is nobody.
  if (waiting().length === 0) return 0
  await whileBusy(() => database.exec('begin immediate'))
  try {
    const line = waiting()
    for (const scope of new Set(line.map(({ project_id }) => project_id))) {
      update(
        here,
        scope,
        line.filter((one) => one.project_id === scope).map(({ id }) => id),
      )
    }
    const done = JSON.stringify(line.map(({ id }) => id))
    database
      .prepare(`delete from index_queue where kind = '${MEMORY}' and id in (select value from json_each(?))`)
      .run(done)
    database.exec('commit')
    return line.length
  } catch (error) {
    database.exec('rollback')
    // What they had noted of a new project is undone with the rest.
    here.indexes.clear()
    throw error
  }
}

function update(here: Opened, scope: string, ids: string[]) {
  const index = indexOf(here, scope)
  const rows = here.database
    .prepare('select * from memories where project_id = ? and id in (select value from json_each(?))')
    .all(scope, JSON.stringify(ids)) as Parameters<typeof toMemory>[0][]
  index.remove(ids)
  index.add(rows.map((row) => memoryEntry(toMemory(row))))
}
