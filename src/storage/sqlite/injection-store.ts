import type { Kysely } from 'kysely'
import type { Injection, InjectionStore } from '#core/ports/store.ts'
import { newestOf, storable, withoutNulls } from './rows.ts'
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
      return (await newestOf(db, 'injections', sessionId, limit)).map(
        ({ id, session_id, task_id, kind, place, content, why, tokens, at }): Injection =>
          withoutNulls({ id, sessionId: session_id, taskId: task_id, kind, place, text: content, why, tokens, at }),
      )
    },
  }
}
