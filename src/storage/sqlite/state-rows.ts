import { type Insertable, type Kysely, sql } from 'kysely'
import { compiledOnce } from './rows.ts'
import type { Schema } from './schema.ts'

/** The state store's rows: a text per kind and key. What the texts mean is known one layer up, in `storage/states.ts`. */
export interface StateRows {
  get(kind: string, key: string): Promise<string | undefined>
  put(kind: string, key: string, text: string, at: number): Promise<void>
  /** In one transaction; `change` may run again, undefined removes. */
  update(
    kind: string,
    key: string,
    at: number,
    change: (before: string | undefined) => string | undefined,
  ): Promise<string | undefined>
  remove(kind: string, key: string): Promise<void>
  /** Newest first. */
  list(kind: string, limit: number): Promise<{ key: string; text: string; at: number }[]>
  /** Oldest first. */
  idleSince(kind: string, at: number): Promise<string[]>
  /** Removes what was not written since and is not spared; resolves to the keys that went. */
  expire(kind: string, at: number, spares?: (text: string) => boolean): Promise<string[]>
}

export function stateRows(db: Kysely<Schema>): StateRows {
  const lookup = compiledOnce(db, selectValue)
  const newest = compiledOnce(db, selectNewest)

  return {
    async get(kind, key) {
      const { rows } = await lookup({ kind, key })
      return rows[0]?.value
    },

    async put(kind, key, text, at) {
      await write(db, kind, key, text, at)
    },

    update(kind, key, at, change) {
      return db.transaction().execute(async (trx) => {
        // One statement makes the row if it is missing, writes the time, and returns the value as it was.
        const { value } = await trx
          .insertInto('states')
          .values({ kind, key, value: NOTHING, at })
          .onConflict((conflict) => conflict.columns(['kind', 'key']).doUpdateSet({ at }))
          .returning('value')
          .executeTakeFirstOrThrow()
        const after = change(value === NOTHING ? undefined : value)
        if (after === undefined) await remove(trx, kind, key)
        else await write(trx, kind, key, after, at)
        return after
      })
    },

    async remove(kind, key) {
      await remove(db, kind, key)
    },

    async list(kind, limit) {
      const { rows } = await newest({ kind, limit })
      return rows.map(({ key, value, at }) => ({ key, text: value, at }))
    },

    async idleSince(kind, at) {
      const rows = await idle(db, kind, at).select('key').execute()
      return rows.map(({ key }) => key)
    },

    async expire(kind, at, spares) {
      if (spares) {
        return db.transaction().execute(async (trx) => {
          const rows = await idle(trx, kind, at).select(['key', 'value']).execute()
          const gone = rows.filter(({ value }) => !spares(value)).map(({ key }) => key)
          for (const key of gone) await remove(trx, kind, key)
          return gone
        })
      }
      const gone = await db
        .deleteFrom('states')
        .where('kind', '=', kind)
        .where('at', '<', at)
        .returning('key')
        .execute()
      return gone.map(({ key }) => key)
    },
  }
}

/** The value of a row that `update` has just made. */
const NOTHING = 'null'

function idle(db: Kysely<Schema>, kind: string, at: number) {
  return db.selectFrom('states').where('kind', '=', kind).where('at', '<', at).orderBy('at').orderBy('key')
}

const selectValue = (db: Kysely<Schema>, { kind, key }: { kind: string; key: string }) =>
  db.selectFrom('states').select('value').where('kind', '=', kind).where('key', '=', key)

const selectNewest = (db: Kysely<Schema>, { kind, limit }: { kind: string; limit: number }) =>
  db
    .selectFrom('states')
    .select(['key', 'value', 'at'])
    .where('kind', '=', kind)
    .orderBy('at', 'desc')
    .orderBy('key')
    .limit(limit)

const putRow = (db: Kysely<Schema>, row: Insertable<Schema['states']>) =>
  db
    .insertInto('states')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['kind', 'key']).doUpdateSet({ value: sql.ref('excluded.value'), at: sql.ref('excluded.at') }),
    )

async function write(db: Kysely<Schema>, kind: string, key: string, value: string, at: number) {
  await compiledOnce(db, putRow)({ kind, key, value, at })
}

async function remove(db: Kysely<Schema>, kind: string, key: string) {
  await db.deleteFrom('states').where('kind', '=', kind).where('key', '=', key).execute()
}
