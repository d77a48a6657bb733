import type { Insertable, Kysely } from 'kysely'
import type { TurnStore } from '#core/ports/store.ts'
import { compiledOnce, storable } from './rows.ts'
import type { Schema } from './schema.ts'

const insertTurn = (db: Kysely<Schema>, row: Insertable<Schema['turns']>) =>
  db
    .insertInto('turns')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())

export function turnStore(db: Kysely<Schema>): TurnStore {
  const insert = compiledOnce(db, insertTurn)
  return {
    async append(turn) {
      const { id, sessionId, agentId, model, usage, stopReason, toolUses, at } = storable(turn)
      await insert({
        id,
        session_id: sessionId,
        agent_id: agentId ?? null,
        model,
        input_tokens: usage.input,
        output_tokens: usage.output,
        cache_read_tokens: usage.cacheRead,
        cache_write_tokens: usage.cacheWrite,
        stop_reason: stopReason ?? null,
        tool_uses: toolUses,
        at,
      })
    },

    async totals(sessionId) {
      const row = await db
        .selectFrom('turns')
        .select(({ fn }) => [
          fn.sum('input_tokens').as('input'),
          fn.sum('output_tokens').as('output'),
          fn.sum('cache_read_tokens').as('cacheRead'),
          fn.sum('cache_write_tokens').as('cacheWrite'),
          fn.countAll().as('turns'),
        ])
        .where('session_id', '=', sessionId)
        .executeTakeFirstOrThrow()
      // No rows sum to null.
      return {
        input: Number(row.input),
        output: Number(row.output),
        cacheRead: Number(row.cacheRead),
        cacheWrite: Number(row.cacheWrite),
        turns: Number(row.turns),
      }
    },
  }
}
