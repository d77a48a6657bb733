import type { Migration } from '../migrate.ts'

/** What is remembered of finished work. */
export const memories: Migration = {
  name: '003-memories',
  async up(db, { json, counter, counting }) {
    await db.schema
      .createTable('memories')
      .addColumn('seq', counter, counting)
      .addColumn('id', 'text', (column) => column.notNull().unique())
      .addColumn('project_id', 'text', (column) => column.notNull())
      .addColumn('author', 'text')
      .addColumn('instruction', 'text', (column) => column.notNull())
      .addColumn('goal', 'text', (column) => column.notNull())
      .addColumn('reasoning_trace', json, (column) => column.notNull())
      .addColumn('decisions', json, (column) => column.notNull())
      .addColumn('constraints', json, (column) => column.notNull())
      .addColumn('files', json, (column) => column.notNull())
      .addColumn('tags', json, (column) => column.notNull())
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
