import type { Migration } from '../../migrate.ts'

/** The line for the team is read from its front, batch after batch; sorting all of it each time would take ever longer. */
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
