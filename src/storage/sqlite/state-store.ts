import type { Kysely } from 'kysely'
import type { StateStore } from '#core/ports/store.ts'
import { storable } from './rows.ts'
import type { Schema } from './schema.ts'

export function stateStore(db: Kysely<Schema>): StateStore {
  // Put into words once: every hook asks this, and finding the words takes longer than the answer.
  const lookup = db.selectFrom('states').select('value').where('kind', '=', '').where('key', '=', '').compile()

  return {
    async get(kind, key) {
      const { rows } = await db.executeQuery<{ value: string }>({ ...lookup, parameters: [kind, key] })
      const [row] = rows
      return row && (JSON.parse(row.value) as unknown)
    },

    async put(kind, key, value, at) {
      await write(db, kind, key, value, at)
    },

    update(kind, key, at, change) {
      return db.transaction().execute(async (trx) => {
        // Writing the time first takes the row's lock in both databases, and answers with the value as it was.
        const { value } = await trx
          .insertInto('states')
          .values({ kind, key, value: 'null', at })
          .onConflict((conflict) => conflict.columns(['kind', 'key']).doUpdateSet({ at }))
          .returning('value')
          .executeTakeFirstOrThrow()
        const after = change(JSON.parse(value) ?? undefined)
        if (after === undefined) await remove(trx, kind, key)
        else await write(trx, kind, key, after, at)
        return after
      })
    },

    async remove(kind, key) {
      await remove(db, kind, key)
    },

    async list(kind, limit) {
      const rows = await db
        .selectFrom('states')
        .select(['key', 'value', 'at'])
        .where('kind', '=', kind)
        .orderBy('at', 'desc')
        .orderBy('key')
        .limit(limit)
        .execute()
      return rows.map(({ key, value, at }) => ({ key, value: JSON.parse(value) as unknown, at }))
    },

    async idleSince(kind, at) {
      const rows = await db
        .selectFrom('states')
        .select('key')
        .where('kind', '=', kind)
        .where('at', '<', at)
        .orderBy('at')
        .orderBy('key')
        .execute()
      return rows.map(({ key }) => key)
    },
  }
}

async function write(db: Kysely<Schema>, kind: string, key: string, value: unknown, at: number) {
  const json = JSON.stringify(storable(value)) ?? 'null'
  await db
    .insertInto('states')
    .values({ kind, key, value: json, at })
    .onConflict((conflict) => conflict.columns(['kind', 'key']).doUpdateSet({ value: json, at }))
    .execute()
}

async function remove(db: Kysely<Schema>, kind: string, key: string) {
  await db.deleteFrom('states').where('kind', '=', kind).where('key', '=', key).execute()
}
