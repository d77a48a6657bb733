import { type Insertable, type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import type { StepStore } from '#core/ports/store.ts'
import type { EarlierWork, Step } from '#core/step.ts'
import { compiledOnce, fromJson, newestOf, storable, toJson, withoutNulls } from './rows.ts'
import type { Schema } from './schema.ts'

const insertStep = (db: Kysely<Schema>, row: Insertable<Schema['steps']>) =>
  db
    .insertInto('steps')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({
        agent_id: filledIn('agent_id'),
        files: filledInList('files'),
        folders: filledInList('folders'),
        command: filledIn('command'),
        query: filledIn('query'),
        excerpt: filledIn('excerpt'),
        reasoning: filledIn('reasoning'),
        keywords: filledInList('keywords'),
        drift_score: filledIn('drift_score'),
        drift_type: filledIn('drift_type'),
        outcome: filledIn('outcome'),
        changes: filledIn('changes'),
        earlier_work: filledIn('earlier_work'),
        level: filledIn('level'),
        correction: filledIn('correction'),
        key_decision: sql<boolean>`${known('key_decision')} or ${fresh('key_decision')}`,
      }),
    )

export function stepStore(db: Kysely<Schema>): StepStore {
  const insert = compiledOnce(db, insertStep)
  return {
    async append(step) {
      await insert(toRow(storable(step)))
    },

    async recent(sessionId, limit) {
      return (await newestOf(db, 'steps', sessionId, limit)).map(toStep)
    },

    async ofTask(taskId) {
      const rows = await db
        .selectFrom('steps')
        .selectAll()
        .where('task_id', '=', taskId)
        .orderBy('at')
        .orderBy('seq')
        .execute()
      return rows.map(toStep)
    },

    async actions(sessionId) {
      const rejected = db.selectFrom('drift_events').select('step_id as id').where('session_id', '=', sessionId)
      const all = db.selectFrom('steps').select('id').where('session_id', '=', sessionId).union(rejected)
      const { count } = await db
        .selectFrom(all.as('actions'))
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    async removeOfTask(taskId) {
      await db.deleteFrom('steps').where('task_id', '=', taskId).execute()
    },
  }
}

type Column = keyof Schema['steps']

const known = (column: Column) => sql.ref(`steps.${column}`)
const fresh = (column: Column) => sql.ref(`excluded.${column}`)

function filledIn<C extends Column>(column: C): RawBuilder<Schema['steps'][C]> {
  return sql`coalesce(${known(column)}, ${fresh(column)})`
}

/** An observer that knows nothing of a list reports it empty. */
function filledInList(column: Column): RawBuilder<string> {
  return sql`case when ${known(column)} = '[]' then ${fresh(column)} else ${known(column)} end`
}

function toRow(step: Step): Insertable<Schema['steps']> {
  return {
    id: step.id,
    session_id: step.sessionId,
    task_id: step.taskId,
    agent_id: step.agentId ?? null,
    tool: step.tool,
    kind: step.kind,
    files: toJson(step.files),
    folders: toJson(step.folders),
    command: step.command ?? null,
    query: step.query ?? null,
    excerpt: step.excerpt ?? null,
    reasoning: step.reasoning ?? null,
    keywords: toJson(step.keywords),
    drift_score: step.driftScore ?? null,
    drift_type: step.driftType ?? null,
    key_decision: step.keyDecision,
    at: step.at,
    outcome: step.outcome ?? null,
    changes: step.changes ? toJson(step.changes) : null,
    earlier_work: step.earlierWork ? JSON.stringify(step.earlierWork) : null,
    level: step.level ?? null,
    correction: step.correction ?? null,
  }
}

function toStep(row: Selectable<Schema['steps']>): Step {
  return withoutNulls({
    id: row.id,
    sessionId: row.session_id,
    taskId: row.task_id,
    agentId: row.agent_id,
    tool: row.tool,
    kind: row.kind,
    files: fromJson<string>(row.files),
    folders: fromJson<string>(row.folders),
    command: row.command,
    query: row.query,
    excerpt: row.excerpt,
    reasoning: row.reasoning,
    keywords: fromJson<string>(row.keywords),
    driftScore: row.drift_score,
    driftType: row.drift_type,
    keyDecision: Boolean(row.key_decision),
    at: row.at,
    outcome: row.outcome,
    changes: row.changes === null ? null : fromJson<string>(row.changes),
    earlierWork: row.earlier_work === null ? null : (JSON.parse(row.earlier_work) as EarlierWork),
    level: row.level,
    correction: row.correction,
  })
}
