import type { Kysely, Selectable } from 'kysely'
import type { DriftEventStore } from '#core/ports/store.ts'
import type { DriftEvent } from '#core/step.ts'
import { fromJson, newestOf, storable, toJson } from './rows.ts'
import type { Schema } from './schema.ts'

export function driftEventStore(db: Kysely<Schema>): DriftEventStore {
  return {
    async append(event) {
      const { sessionId, taskId, stepId, files, recoveryPlan, ...same } = storable(event)
      await db
        .insertInto('drift_events')
        .values({
          ...same,
          session_id: sessionId,
          task_id: taskId,
          step_id: stepId,
          files: toJson(files),
          recovery_plan: toJson(recoveryPlan),
        })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute()
    },

    async markRecovered(taskId) {
      await db.updateTable('drift_events').set({ recovered: true }).where('task_id', '=', taskId).execute()
    },

    async ofSession(sessionId, limit) {
      return (await newestOf(db, 'drift_events', sessionId, limit)).map(toDriftEvent)
    },
  }
}

function toDriftEvent(row: Selectable<Schema['drift_events']>): DriftEvent {
  return {
    id: row.id,
    sessionId: row.session_id,
    taskId: row.task_id,
    stepId: row.step_id,
    tool: row.tool,
    kind: row.kind,
    files: fromJson<string>(row.files),
    score: row.score,
    level: row.level,
    reason: row.reason,
    correction: row.correction,
    recoveryPlan: fromJson<string>(row.recovery_plan),
    recovered: Boolean(row.recovered),
    at: row.at,
  }
}
