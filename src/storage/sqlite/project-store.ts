import type { Kysely, Selectable } from 'kysely'
import type { ProjectStore } from '#core/ports/store.ts'
import type { Project } from '#core/session.ts'
import { storable, withoutNulls } from './rows.ts'
import type { Schema } from './schema.ts'

export function projectStore(db: Kysely<Schema>): ProjectStore {
  return {
    async put(project) {
      const { id, ...rest } = storable(project)
      const row = { ...rest, remote: rest.remote ?? null }
      await db
        .insertInto('projects')
        .values({ id, ...row })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
        .execute()
      await db
        .insertInto('project_folders')
        .values({ project_id: id, folder: row.root })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },

    async get(id) {
      const row = await db.selectFrom('projects').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toProject(row)
    },

    async list(most) {
      const all = db.selectFrom('projects').selectAll().orderBy('name').orderBy('id')
      const rows = await (most === undefined ? all : all.where('id', 'in', workedInLast(db, most))).execute()
      return rows.map(toProject)
    },

    async folders() {
      const rows = await db.selectFrom('project_folders').selectAll().orderBy('folder').execute()
      const found = new Map<string, string[]>()
      for (const { project_id: id, folder } of rows) found.set(id, [...(found.get(id) ?? []), folder])
      return found
    },
  }
}

function workedInLast(db: Kysely<Schema>, most: number) {
  return db
    .selectFrom('projects')
    .leftJoin('sessions', 'sessions.project_id', 'projects.id')
    .select('projects.id')
    .groupBy('projects.id')
    .orderBy(({ fn }) => fn.max('sessions.last_seen_at'), 'desc')
    .limit(most)
}

function toProject({ id, name, root, remote }: Selectable<Schema['projects']>): Project {
  return withoutNulls({ id, name, root, remote })
}
