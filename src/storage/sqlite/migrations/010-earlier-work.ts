import type { Migration } from '../../migrate.ts'

/** What a command did to work that was there already. Earlier steps do not say it. */
export const earlierWork: Migration = {
  name: '010-earlier-work',
  async up(db) {
    await db.schema.alterTable('steps').addColumn('earlier_work', 'text').execute()
  },
}
