import { sql } from 'kysely'
import type { Flavour } from './flavour.ts'

export const SQLITE: Flavour = {
  json: 'text',
  // SQLite counts by itself in a primary key of exactly this type.
  counter: 'integer',
  counting: (column) => column.primaryKey(),
  async hasTable(db, name) {
    const { rows } = await sql`select 1 from sqlite_master where type = 'table' and name = ${name}`.execute(db)
    return rows.length > 0
  },
  // Our transactions begin with the write lock in hand.
  lockForMigration: async () => {},
}
