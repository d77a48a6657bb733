import { type Kysely, sql, type Transaction } from 'kysely'
import { type Memory, versionOf } from '#core/memory/memory.ts'
import type { MemoryStore } from '#core/ports/store.ts'
import { MEMORY, toMemory, toMemoryRow } from './memory-rows.ts'
import type { Schema } from './schema.ts'

/** Fewer values than SQLite takes in one statement. */
const ROWS_AT_ONCE = 200

export function memoryStore(db: Kysely<Schema>): MemoryStore {
  return {
    async put(...memories) {
      if (memories.length === 0) return
      await db.transaction().execute(async (trx) => {
        for (const some of chunks(lastOfEach(memories), ROWS_AT_ONCE)) {
          const wanted = await withoutDeleted(trx, some)
          await writeMemories(trx, wanted)
          await queueForTeam(trx, wanted)
        }
      })
    },

    async get(id) {
      const row = await db.selectFrom('memories').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toMemory(row)
    },

    async byIds(ids) {
      const found = new Map<string, Memory>()
      for (const some of chunks(ids, ROWS_AT_ONCE)) {
        const rows = await db.selectFrom('memories').selectAll().where('id', 'in', some).execute()
        for (const row of rows) found.set(row.id, toMemory(row))
      }
      return ids.flatMap((id) => found.get(id) ?? [])
    },

    async startingWith(prefix, limit) {
      const rows = await db
        .selectFrom('memories')
        .selectAll()
        .where('id', '>=', prefix)
        .where('id', '<=', `${prefix}\u{10ffff}`)
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(toMemory)
    },

    async list(projectId, { limit, before }) {
      let query = db.selectFrom('memories').selectAll()
      if (projectId !== undefined) query = query.where('project_id', '=', projectId)
      if (typeof before === 'number') query = query.where('created_at', '<', before)
      else if (before) query = query.where(sql<boolean>`(created_at, id) < (${before.createdAt}, ${before.id})`)
      const rows = await query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
      return rows.map(toMemory)
    },

    async count(projectId) {
      const counted = await db
        .selectFrom('memories')
        .select(({ fn }) => fn.countAll<number>().as('memories'))
        .where('project_id', '=', projectId)
        .executeTakeFirstOrThrow()
      return counted.memories
    },

    async remove(id, { at, by } = { at: 0 }) {
      await db.transaction().execute(async (trx) => {
        const gone = await trx.deleteFrom('memories').where('id', '=', id).returning('project_id').executeTakeFirst()
        if (!gone) return
        const key = { kind: MEMORY, id, project_id: gone.project_id }
        await trx
          .insertInto('deletions')
          .values({ ...key, at, author: by ?? null })
          .onConflict((conflict) => conflict.columns(['kind', 'id']).doNothing())
          .execute()
        await queueForIndex(trx, [key])
        await queue(trx, [{ ...key, version: at }])
      })
    },
  }
}

/** Writes them as they are, and queues them for the search index. */
export async function writeMemories(trx: Transaction<Schema>, memories: Memory[]): Promise<void> {
  if (memories.length === 0) return
  const rows = memories.map(toMemoryRow)
  const columns = Object.keys(rows[0]!).filter((column) => column !== 'id') as (keyof Schema['memories'])[]
  await trx
    .insertInto('memories')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((eb) => Object.fromEntries(columns.map((column) => [column, eb.ref(`excluded.${column}`)]))),
    )
    .execute()
  await queueForIndex(
    trx,
    memories.map(({ id, projectId }) => ({ kind: MEMORY, id, project_id: projectId })),
  )
}

export async function queueForIndex(trx: Transaction<Schema>, keys: Schema['index_queue'][]): Promise<void> {
  await trx
    .insertInto('index_queue')
    .values(keys)
    .onConflict((conflict) => conflict.columns(['kind', 'id']).doNothing())
    .execute()
}

async function queueForTeam(trx: Transaction<Schema>, memories: Memory[]) {
  if (memories.length === 0) return
  const keys = memories.map((memory) => ({
    kind: MEMORY,
    id: memory.id,
    project_id: memory.projectId,
    version: versionOf(memory),
  }))
  await queue(trx, keys)
}

async function queue(trx: Transaction<Schema>, keys: Schema['outbox'][]) {
  await trx
    .insertInto('outbox')
    .values(keys)
    .onConflict((conflict) =>
      conflict.columns(['kind', 'id']).doUpdateSet((eb) => ({ version: eb.ref('excluded.version') })),
    )
    .execute()
}

async function withoutDeleted(trx: Transaction<Schema>, memories: Memory[]): Promise<Memory[]> {
  const ids = memories.map(({ id }) => id)
  const rows = await trx
    .selectFrom('deletions')
    .select('id')
    .where('kind', '=', MEMORY)
    .where('id', 'in', ids)
    .execute()
  const deleted = new Set(rows.map(({ id }) => id))
  return memories.filter(({ id }) => !deleted.has(id))
}

/** The last version of each memory: one statement may not write a row twice. */
function lastOfEach(memories: Memory[]): Memory[] {
  return [...new Map(memories.map((memory) => [memory.id, memory])).values()]
}

export function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))
}
