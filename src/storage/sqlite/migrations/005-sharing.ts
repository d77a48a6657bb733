import { type ColumnDataType, type Kysely, sql } from 'kysely'
import type { Migration } from '../../migrate.ts'

/** What a memory needs to be found, changed and shared: who changed it when, what was deleted, what waits for the team. */
export const sharing: Migration = {
  name: '005-sharing',
  async up(db) {
    const columns: [string, ColumnDataType][] = [
      ['session_id', 'text'],
      ['updated_at', 'bigint'],
      ['updated_by', 'text'],
      ['superseded_by', 'text'],
      ['merged', 'boolean'],
    ]
    // SQLite adds one column at a time.
    for (const [name, type] of columns) await db.schema.alterTable('memories').addColumn(name, type).execute()
    await db.schema.dropIndex('memories_by_project').execute()
    await db.schema
      .createIndex('memories_by_project')
      .on('memories')
      .columns(['project_id', 'created_at', 'id'])
      .execute()
    await db.schema.createIndex('memories_by_time').on('memories').columns(['created_at', 'id']).execute()

    // A deleted id is never taken again: the deletion has to win over copies that are still on their way.
    await db.schema
      .createTable('deletions')
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('project_id', 'text', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('author', 'text')
      .addPrimaryKeyConstraint('deletions_key', ['kind', 'id'])
      .execute()

    // Which things have changed here since the team last heard of them; what they are now is read when they are sent.
    await db.schema
      .createTable('outbox')
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('project_id', 'text', (column) => column.notNull())
      .addColumn('version', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('outbox_key', ['kind', 'id'])
      .execute()
    await db.schema.createIndex('outbox_by_project').on('outbox').columns(['project_id', 'kind']).execute()

    // How far we have read what the team changed.
    await db.schema
      .createTable('pulls')
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('project_id', 'text', (column) => column.notNull())
      .addColumn('epoch', 'text', (column) => column.notNull())
      .addColumn('change', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('pulls_key', ['kind', 'project_id'])
      .execute()

    // Whose entry in the search index is out of date. Written with the thing itself, so no crash can lose it.
    await db.schema
      .createTable('index_queue')
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('project_id', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('index_queue_key', ['kind', 'id'])
      .execute()

    // What an agent was shown, and whether it acted on it.
    await db.schema
      .createTable('memory_uses')
      .addColumn('memory_id', 'text', (column) => column.notNull())
      .addColumn('session_id', 'text', (column) => column.notNull())
      .addColumn('shown_at', 'bigint', (column) => column.notNull())
      .addColumn('used_at', 'bigint')
      .addColumn('how', 'text')
      .addPrimaryKeyConstraint('memory_uses_key', ['memory_id', 'session_id'])
      .execute()
    await db.schema.createIndex('memory_uses_by_session').on('memory_uses').column('session_id').execute()

    await queueWhatIsThere(db)
  },
}

async function queueWhatIsThere(db: Kysely<unknown>) {
  const tables = db as Kysely<Record<'memories' | 'outbox' | 'index_queue', Record<string, unknown>>>
  const there = tables.selectFrom('memories')
  await tables
    .insertInto('outbox')
    .columns(['kind', 'id', 'project_id', 'version'])
    .expression(there.select([sql.lit('memory').as('kind'), 'id', 'project_id', 'created_at']))
    .execute()
  await tables
    .insertInto('index_queue')
    .columns(['kind', 'id', 'project_id'])
    .expression(there.select([sql.lit('memory').as('kind'), 'id', 'project_id']))
    .execute()
}
