import type { Migration } from '../../migrate.ts'

/** What only Grove reads about live work, and what it has put into conversations. */
export const live: Migration = {
  name: '004-live',
  async up(db) {
    await db.schema
      .createTable('states')
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('states_key', ['kind', 'key'])
      .execute()
    await db.schema.createIndex('states_by_time').on('states').columns(['kind', 'at']).execute()

    await db.schema
      .createTable('injections')
      .addColumn('seq', 'integer', (column) => column.primaryKey())
      .addColumn('id', 'text', (column) => column.notNull().unique())
      .addColumn('session_id', 'text', (column) => column.notNull())
      .addColumn('task_id', 'text')
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('place', 'text', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('why', 'text', (column) => column.notNull())
      .addColumn('tokens', 'integer', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('injections_by_session').on('injections').columns(['session_id', 'at']).execute()
  },
}
