import type { Kysely, Selectable } from 'kysely'
import type { MemoryUse } from '#core/memory/use.ts'
import type { MemoryUseStore } from '#core/ports/memory.ts'
import { withoutNulls } from './rows.ts'
import type { Schema } from './schema.ts'

export function memoryUseStore(db: Kysely<Schema>): MemoryUseStore {
  return {
    async shown(sessionId, memoryIds, at) {
      if (memoryIds.length === 0) return
      await db
        .insertInto('memory_uses')
        .values([...new Set(memoryIds)].map((id) => ({ memory_id: id, session_id: sessionId, shown_at: at })))
        .onConflict((conflict) => conflict.columns(['memory_id', 'session_id']).doNothing())
        .execute()
    },

    async used(sessionId, memoryId, how, at) {
      await db
        .updateTable('memory_uses')
        .set({ used_at: at, how })
        .where('memory_id', '=', memoryId)
        .where('session_id', '=', sessionId)
        .where('used_at', 'is', null)
        .execute()
    },

    async settled(sessionId, memoryIds, at) {
      if (memoryIds.length === 0) return
      await db
        .updateTable('memory_uses')
        .set({ settled_at: at })
        .where('session_id', '=', sessionId)
        .where('memory_id', 'in', memoryIds)
        .where('settled_at', 'is', null)
        .execute()
    },

    async ofSession(sessionId) {
      const rows = await db
        .selectFrom('memory_uses')
        .selectAll()
        .where('session_id', '=', sessionId)
        .orderBy('shown_at')
        .orderBy('memory_id')
        .execute()
      return rows.map(useOf)
    },

    async ofMemory(memoryId, limit) {
      const rows = await db
        .selectFrom('memory_uses')
        .selectAll()
        .where('memory_id', '=', memoryId)
        .orderBy('shown_at', 'desc')
        .limit(limit)
        .execute()
      return rows.map(useOf)
    },

    async totals(memoryIds) {
      if (memoryIds.length === 0) return new Map()
      const rows = await db
        .selectFrom('memory_uses')
        .select(({ fn }) => ['memory_id', fn.countAll<number>().as('shown'), fn.count<number>('used_at').as('used')])
        .where('memory_id', 'in', memoryIds)
        .groupBy('memory_id')
        .execute()
      return new Map(rows.map(({ memory_id, shown, used }) => [memory_id, { shown, used }]))
    },

    async ofProject(projectId) {
      const rows = await db
        .selectFrom('memory_uses')
        .innerJoin('memories', 'memories.id', 'memory_uses.memory_id')
        .select(({ fn }) => ['memory_id', fn.countAll<number>().as('shown'), fn.count<number>('used_at').as('used')])
        .where('memories.project_id', '=', projectId)
        .where(({ eb, or }) => or([eb('used_at', 'is not', null), eb('settled_at', 'is not', null)]))
        .groupBy('memory_id')
        .execute()
      return new Map(rows.map(({ memory_id, shown, used }) => [memory_id, { shown, used }]))
    },
  }
}

function useOf(row: Selectable<Schema['memory_uses']>): MemoryUse {
  return withoutNulls({
    memoryId: row.memory_id,
    sessionId: row.session_id,
    shownAt: row.shown_at,
    usedAt: row.used_at,
    settledAt: row.settled_at,
    how: row.how,
  })
}
