import { type Kysely, sql } from 'kysely'
import type { Migration } from '../../migrate.ts'

/** Whether a shown memory was of no use is known only later. What was shown before counted at once. */
export const settledUses: Migration = {
  name: '007-settled-uses',
  async up(db) {
    await db.schema.alterTable('memory_uses').addColumn('settled_at', 'bigint').execute()
    const tables = db as Kysely<{ memory_uses: { settled_at: number | null; shown_at: number } }>
    await tables
      .updateTable('memory_uses')
      .set({ settled_at: sql.ref('shown_at') })
      .execute()
  },
}
