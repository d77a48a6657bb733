import type { Migration } from '../../migrate.ts'

/** What is remembered of finished work. */
export const memories: Migration = {
  name: '003-memories',
  async up(db) {
    await db.schema
      .createTable('memories')
      .addColumn('seq', 'integer', (column) => column.primaryKey())
      .addColumn('id', 'text', (column) => column.notNull().unique())
      .addColumn('project_id', 'text', (column) => column.notNull())
      .addColumn('author', 'text')
      .addColumn('instruction', 'text', (column) => column.notNull())
      .addColumn('goal', 'text', (column) => column.notNull())
      .addColumn('reasoning_trace', 'text', (column) => column.notNull())
      .addColumn('decisions', 'text', (column) => column.notNull())
      .addColumn('constraints', 'text', (column) => column.notNull())
      .addColumn('files', 'text', (column) => column.notNull())
      .addColumn('tags', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('trigger', 'text', (column) => column.notNull())
      .addColumn('branch', 'text')
      .addColumn('linked_commit', 'text')
      .addColumn('parent_id', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('memories_by_project').on('memories').columns(['project_id', 'created_at']).execute()
  },
}
