import type { Migration } from '../../migrate.ts'

/** An index in sending order: the outbox is read from its front, batch after batch, and sorting all of it each time takes ever longer. */
export const outboxOrder: Migration = {
  name: '006-outbox-order',
  async up(db) {
    await db.schema.dropIndex('outbox_by_project').execute()
    await db.schema
      .createIndex('outbox_in_order')
      .on('outbox')
      .columns(['project_id', 'kind', 'version', 'id'])
      .execute()
  },
}
