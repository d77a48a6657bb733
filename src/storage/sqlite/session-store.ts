import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import type { SessionStore } from '#core/ports/store.ts'
import type { AgentSession, Attachment, SessionSighting } from '#core/session.ts'
import { compiledOnce, storable, withoutNulls } from './rows.ts'
import type { Schema } from './schema.ts'

/** Merging is one statement, so that proxy and hooks may report at the same moment from different processes. */
const mergeSighting = (db: Kysely<Schema>, row: ReturnType<typeof toRow>) =>
  db
    .insertInto('sessions')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({
        project_id: latest<string>('project_id', 'project_at'),
        project_at: higher('project_at'),
        cwd: latest<string>('cwd', 'cwd_at'),
        cwd_at: higher('cwd_at'),
        model: latest<string>('model', 'model_at'),
        model_at: higher('model_at'),
        context_tokens: latest<number>('context_tokens', 'context_at'),
        context_at: higher('context_at'),
        through_proxy: either('through_proxy'),
        through_hooks: either('through_hooks'),
        started_at: lower('started_at'),
        last_seen_at: higher('last_seen_at'),
      }),
    )
    .returningAll()

export function sessionStore(db: Kysely<Schema>): SessionStore {
  const merge = compiledOnce(db, mergeSighting)
  return {
    async see(sighting) {
      const { rows } = await merge(toRow(storable(sighting)))
      return toSession(rows[0]!)
    },

    async get(id) {
      const row = await db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toSession(row)
    },

    async live(since) {
      const rows = await db
        .selectFrom('sessions')
        .selectAll()
        .where('last_seen_at', '>=', since)
        .where(({ eb, or, ref }) => or([eb('ended_at', 'is', null), eb('ended_at', '<', ref('last_seen_at'))]))
        .orderBy('last_seen_at', 'desc')
        .orderBy('id')
        .execute()
      return rows.map(toSession)
    },

    async recent(limit) {
      const rows = await db
        .selectFrom('sessions')
        .selectAll()
        .orderBy('last_seen_at', 'desc')
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(toSession)
    },

    async end(id, at) {
      await db
        .updateTable('sessions')
        .set({ ended_at: sql<number>`case when ended_at > ${at} then ended_at else ${at} end` })
        .where('id', '=', id)
        .execute()
    },

    async eraseWork(id) {
      for (const table of ['tasks', 'steps', 'drift_events', 'injections'] as const) {
        await db.deleteFrom(table).where('session_id', '=', id).execute()
      }
    },
  }
}

function toRow({ id, at, through, projectId, cwd, model, contextTokens }: SessionSighting) {
  return {
    id,
    project_id: projectId ?? null,
    project_at: projectId === undefined ? null : at,
    cwd: cwd ?? null,
    cwd_at: cwd === undefined ? null : at,
    model: model ?? null,
    model_at: model === undefined ? null : at,
    context_tokens: contextTokens ?? null,
    context_at: contextTokens === undefined ? null : at,
    through_proxy: through === 'proxy',
    through_hooks: through === 'hooks',
    started_at: at,
    last_seen_at: at,
    ended_at: null,
  }
}

function toSession(row: Selectable<Schema['sessions']>): AgentSession {
  const attachments: Attachment[] = []
  if (row.through_proxy) attachments.push('proxy')
  if (row.through_hooks) attachments.push('hooks')
  return withoutNulls({
    id: row.id,
    projectId: row.project_id,
    cwd: row.cwd,
    model: row.model,
    attachments,
    contextTokens: row.context_tokens ?? 0,
    startedAt: row.started_at,
    lastSeenAt: row.last_seen_at,
    // A session that was seen after its end was resumed: Claude Code keeps the id.
    endedAt: row.ended_at !== null && row.ended_at >= row.last_seen_at ? row.ended_at : null,
  })
}

type Column = keyof Schema['sessions']

const known = (column: Column) => sql.ref(`sessions.${column}`)
const fresh = (column: Column) => sql.ref(`excluded.${column}`)

/** The value with the later time; at the same time the greater one, only so that the order of arrival cannot matter. */
function latest<T>(value: Column, at: Column): RawBuilder<T | null> {
  return sql<T | null>`case
    when ${fresh(value)} is null then ${known(value)}
    when ${known(value)} is null or ${fresh(at)} > ${known(at)} then ${fresh(value)}
    when ${fresh(at)} = ${known(at)} and ${fresh(value)} > ${known(value)} then ${fresh(value)}
    else ${known(value)} end`
}

function higher(column: Column): RawBuilder<number> {
  return sql<number>`case when ${known(column)} is null or ${fresh(column)} > ${known(column)}
    then ${fresh(column)} else ${known(column)} end`
}

function lower(column: Column): RawBuilder<number> {
  return sql<number>`case when ${fresh(column)} < ${known(column)} then ${fresh(column)} else ${known(column)} end`
}

function either(column: Column): RawBuilder<boolean> {
  return sql<boolean>`${known(column)} or ${fresh(column)}`
}
