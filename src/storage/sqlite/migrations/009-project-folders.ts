import { sql } from 'kysely'
import type { Migration } from '../../migrate.ts'

/** Every folder that a project was worked on in. Its clones and worktrees are one project, and lie apart. */
export const projectFolders: Migration = {
  name: '009-project-folders',
  async up(db) {
    await db.schema
      .createTable('project_folders')
      .addColumn('project_id', 'text', (column) => column.notNull())
      .addColumn('folder', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('project_folders_key', ['project_id', 'folder'])
      .execute()
    await sql`insert into project_folders (project_id, folder) select id, root from projects`.execute(db)
  },
}
