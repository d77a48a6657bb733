import { sql } from 'kysely'
import type { Flavour } from './flavour.ts'

/** A schema of our own, so that a team may give Grove a corner of a database it already has. */
export const SCHEMA = 'grove'

/** Any number will do, as long as every Grove uses the same and nobody else does. */
const MIGRATION_LOCK = 0x67_72_6f_76_65

/** PostgreSQL with its tables in one schema. */
export function postgresFlavour(schema: string): Flavour {
  return {
    json: 'jsonb',
    counter: 'bigint',
    counting: (column) => column.generatedAlwaysAsIdentity().primaryKey(),
    async hasTable(db, name) {
      const { rows } = await sql<{
        found: boolean
      }>`select to_regclass(${`${schema}.${name}`}) is not null as found`.execute(db)
      return rows.some(({ found }) => found)
    },
    async lockForMigration(db) {
      await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK}::bigint)`.execute(db)
      // `create schema if not exists` asks for the right to create one even when it is there.
      const { rows } = await sql<{ there: boolean }>`select to_regnamespace(${schema}) is not null as there`.execute(db)
      if (!rows[0]?.there) await sql`create schema ${sql.id(schema)}`.execute(db)
    },
  }
}

export const POSTGRES = postgresFlavour(SCHEMA)
