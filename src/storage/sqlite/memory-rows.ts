import type { Insertable, Selectable } from 'kysely'
import type { Decision, Memory } from '#core/memory/memory.ts'
import { fromJson, storable, toJson, withoutNulls } from './rows.ts'
import type { Schema } from './schema.ts'

/** The kind under which memories are shared and indexed. */
export const MEMORY = 'memory'

export function toMemoryRow(value: Memory): Insertable<Schema['memories']> {
  const memory = storable(value)
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
    session_id: memory.sessionId ?? null,
    updated_at: memory.updatedAt ?? null,
    updated_by: memory.updatedBy ?? null,
    superseded_by: memory.supersededBy ?? null,
    merged: memory.merged ?? null,
  }
}

export function toMemory(row: Selectable<Schema['memories']>): Memory {
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
    merged: row.merged === null ? null : Boolean(row.merged),
    linkedCommit: row.linked_commit,
    parentId: row.parent_id,
    sessionId: row.session_id,
    supersededBy: row.superseded_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    updatedBy: row.updated_by,
  })
}
