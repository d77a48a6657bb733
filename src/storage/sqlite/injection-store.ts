import type { Kysely } from 'kysely'
import type { Injection, InjectionStore } from '#core/ports/store.ts'
import { storable, withoutNulls } from './rows.ts'
import type { Schema } from './schema.ts'

export function injectionStore(db: Kysely<Schema>): InjectionStore {
  return {
    async append(injection) {
      const { id, sessionId, taskId, kind, place, text, why, tokens, at } = storable(injection)
      await db
        .insertInto('injections')
        .values({ id, session_id: sessionId, task_id: taskId ?? null, kind, place, content: text, why, tokens, at })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute()
    },

    async ofSession(sessionId, limit) {
      const rows = await db
        .selectFrom('injections')
        .selectAll()
        .where('session_id', '=', sessionId)
        .orderBy('at', 'desc')
        .orderBy('seq', 'desc')
        .limit(limit)
        .execute()
      return rows.map(
        ({ id, session_id, task_id, kind, place, content, why, tokens, at }): Injection =>
          withoutNulls({ id, sessionId: session_id, taskId: task_id, kind, place, text: content, why, tokens, at }),
      )
    },
  }
}
