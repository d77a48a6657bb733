import type { Insertable, Kysely, Selectable } from 'kysely'
import type { Decision, Memory } from '#core/memory/memory.ts'
import type { MemoryStore } from '#core/ports.ts'
import { fromJson, storable, toJson, withoutNulls } from './rows.ts'
import type { Schema } from './schema.ts'

export function memoryStore(db: Kysely<Schema>): MemoryStore {
  return {
    async put(memory) {
      const row = toRow(storable(memory))
      await db
        .insertInto('memories')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
        .execute()
    },

    async get(id) {
      const row = await db.selectFrom('memories').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toMemory(row)
    },

    async list(projectId, { limit, before }) {
      let query = db.selectFrom('memories').selectAll().where('project_id', '=', projectId)
      if (before !== undefined) query = query.where('created_at', '<', before)
      const rows = await query.orderBy('created_at', 'desc').orderBy('seq', 'desc').limit(limit).execute()
      return rows.map(toMemory)
    },

    async remove(id) {
      await db.deleteFrom('memories').where('id', '=', id).execute()
    },
  }
}

function toRow(memory: Memory): Insertable<Schema['memories']> {
  return {
    id: memory.id,
    project_id: memory.projectId,
    author: memory.user ?? null,
    instruction: memory.instruction,
    goal: memory.goal,
    reasoning_trace: toJson(memory.reasoningTrace),
    decisions: toJson(memory.decisions),
    constraints: toJson(memory.constraints),
    files: toJson(memory.files),
    tags: toJson(memory.tags),
    status: memory.status,
    trigger: memory.trigger,
    branch: memory.branch ?? null,
    linked_commit: memory.linkedCommit ?? null,
    parent_id: memory.parentId ?? null,
    created_at: memory.createdAt,
  }
}

function toMemory(row: Selectable<Schema['memories']>): Memory {
  return withoutNulls({
    id: row.id,
    projectId: row.project_id,
    user: row.author,
    instruction: row.instruction,
    goal: row.goal,
    reasoningTrace: fromJson<string>(row.reasoning_trace),
    decisions: fromJson<Decision>(row.decisions),
    constraints: fromJson<string>(row.constraints),
    files: fromJson<string>(row.files),
    tags: fromJson<string>(row.tags),
    status: row.status,
    trigger: row.trigger,
    branch: row.branch,
    linkedCommit: row.linked_commit,
    parentId: row.parent_id,
    createdAt: row.created_at,
  })
}
