import type { Migration } from '../../migrate.ts'

/** What became of a step, which files it changed, and how it was answered. Earlier steps ran, as far as was known. */
export const stepOutcomes: Migration = {
  name: '008-step-outcomes',
  async up(db) {
    for (const column of ['outcome', 'changes', 'level', 'correction']) {
      await db.schema.alterTable('steps').addColumn(column, 'text').execute()
    }
  },
}
