import type { Insertable, Kysely, Selectable, Updateable } from 'kysely'
import type { TaskStore } from '#core/ports/store.ts'
import type { Task, TaskChange } from '#core/task.ts'
import { fromJson, storable, toJson, withoutNulls } from './rows.ts'
import type { Schema } from './schema.ts'

export function taskStore(db: Kysely<Schema>): TaskStore {
  return {
    async create(task) {
      await db
        .insertInto('tasks')
        .values(toRow(storable(task)))
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute()
    },

    async get(id) {
      const row = await db.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toTask(row)
    },

    async change(id, change) {
      await db
        .updateTable('tasks')
        .set(toChangedColumns(storable(change)))
        .where('id', '=', id)
        .execute()
    },

    async current(sessionId) {
      const row = await db
        .selectFrom('tasks')
        .selectAll()
        .where('session_id', '=', sessionId)
        .where('status', '=', 'active')
        .orderBy('created_at', 'desc')
        .orderBy('seq', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row && toTask(row)
    },

    async ofSession(sessionId) {
      const rows = await db
        .selectFrom('tasks')
        .selectAll()
        .where('session_id', '=', sessionId)
        .orderBy('created_at')
        .orderBy('seq')
        .execute()
      return rows.map(toTask)
    },

    async remove(id) {
      await db.deleteFrom('tasks').where('id', '=', id).execute()
    },
  }
}

function toRow(task: Task): Insertable<Schema['tasks']> {
  return {
    id: task.id,
    session_id: task.sessionId,
    project_id: task.projectId ?? null,
    kind: task.kind,
    parent_id: task.parentId ?? null,
    instruction: task.instruction,
    goal: task.goal,
    expected_scope: toJson(task.expectedScope),
    constraints: toJson(task.constraints),
    keywords: toJson(task.keywords),
    mode: task.mode,
    status: task.status,
    escalation: task.escalation,
    waiting_for_recovery: isOffGoal(task.mode),
    prompt_count: task.promptCount,
    created_at: task.createdAt,
    updated_at: task.updatedAt,
  }
}

/** The column `waiting_for_recovery` is written for an older Grove on the same file, which reads it; the mode says it all. */
function isOffGoal(mode: Task['mode']): boolean {
  return mode !== 'normal'
}

/** Kysely leaves a column alone whose value is undefined. */
function toChangedColumns(change: TaskChange): Updateable<Schema['tasks']> {
  return {
    project_id: change.projectId,
    goal: change.goal,
    expected_scope: change.expectedScope && toJson(change.expectedScope),
    constraints: change.constraints && toJson(change.constraints),
    keywords: change.keywords && toJson(change.keywords),
    mode: change.mode,
    status: change.status,
    escalation: change.escalation,
    waiting_for_recovery: change.mode && isOffGoal(change.mode),
    prompt_count: change.promptCount,
    updated_at: change.updatedAt,
  }
}

function toTask(row: Selectable<Schema['tasks']>): Task {
  return withoutNulls({
    id: row.id,
    sessionId: row.session_id,
    projectId: row.project_id,
    kind: row.kind,
    parentId: row.parent_id,
    instruction: row.instruction,
    goal: row.goal,
    expectedScope: fromJson<string>(row.expected_scope),
    constraints: fromJson<string>(row.constraints),
    keywords: fromJson<string>(row.keywords),
    mode: row.mode,
    status: row.status,
    escalation: row.escalation,
    promptCount: row.prompt_count,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  })
}
