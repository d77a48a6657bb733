import type { Migration } from '../../migrate.ts'

/** Agent sessions, where they work, and what their model calls cost. */
export const sessions: Migration = {
  name: '001-sessions',
  async up(db) {
    await db.schema
      .createTable('projects')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('root', 'text', (column) => column.notNull())
      .addColumn('remote', 'text')
      .execute()

    // Each thing a sighting may know has its own time, so that sightings can arrive in any order.
    await db.schema
      .createTable('sessions')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('project_id', 'text')
      .addColumn('project_at', 'bigint')
      .addColumn('cwd', 'text')
      .addColumn('cwd_at', 'bigint')
      .addColumn('model', 'text')
      .addColumn('model_at', 'bigint')
      .addColumn('context_tokens', 'bigint')
      .addColumn('context_at', 'bigint')
      .addColumn('through_proxy', 'boolean', (column) => column.notNull())
      .addColumn('through_hooks', 'boolean', (column) => column.notNull())
      .addColumn('started_at', 'bigint', (column) => column.notNull())
      .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
      .addColumn('ended_at', 'bigint')
      .execute()
    await db.schema.createIndex('sessions_by_last_seen').on('sessions').column('last_seen_at').execute()

    // No foreign keys among what is observed: proxy and hooks report in any order.
    await db.schema
      .createTable('turns')
      .addColumn('seq', 'integer', (column) => column.primaryKey())
      .addColumn('id', 'text', (column) => column.notNull().unique())
      .addColumn('session_id', 'text', (column) => column.notNull())
      .addColumn('agent_id', 'text')
      .addColumn('model', 'text', (column) => column.notNull())
      .addColumn('input_tokens', 'bigint', (column) => column.notNull())
      .addColumn('output_tokens', 'bigint', (column) => column.notNull())
      .addColumn('cache_read_tokens', 'bigint', (column) => column.notNull())
      .addColumn('cache_write_tokens', 'bigint', (column) => column.notNull())
      .addColumn('stop_reason', 'text')
      .addColumn('tool_uses', 'integer', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('turns_by_session').on('turns').column('session_id').execute()
  },
}
