import { type Kysely, sql } from 'kysely'
import type { TeamOptions } from './connect.ts'
import { connectTeam } from './database.ts'

/** Who may do what in the team's database. A login may also be a group role. */
export interface Access {
  login: string
  /** `*` for every project. */
  projectId: string
  mayWrite: boolean
}

/** Lets a login in; only the owner of the tables can. Granting again replaces what was granted for that project. */
export async function grantAccess(team: TeamOptions, { login, projectId, mayWrite }: Access): Promise<void> {
  await asOwner(team, async (db) => {
    const role = sql.id(login)
    await sql`grant usage on schema grove_team to ${role}`.execute(db)
    await sql`grant select on grove_team.migrations, grove_team.projects, grove_team.items to ${role}`.execute(db)
    // No right to delete: a deletion is a change like any other. Which rows may be written is row-level security's to say.
    if (mayWrite) await sql`grant insert, update on grove_team.projects, grove_team.items to ${role}`.execute(db)
    await sql`
      insert into grove_team.access (login, project_id, may_write) values (${login}, ${projectId}, ${mayWrite})
      on conflict (login, project_id) do update set may_write = excluded.may_write`.execute(db)
  })
}

/** Shuts a login out, of one project or of all. */
export async function revokeAccess(team: TeamOptions, login: string, projectId?: string): Promise<void> {
  await asOwner(team, async (db) => {
    await sql`
      delete from grove_team.access
      where login = ${login} and project_id = coalesce(${projectId ?? null}::text, project_id)`.execute(db)
    const { rows } = await sql`select from grove_team.access where login = ${login}`.execute(db)
    if (rows.length > 0) return
    const role = sql.id(login)
    await sql`revoke all on all tables in schema grove_team from ${role}`.execute(db)
    await sql`revoke all on schema grove_team from ${role}`.execute(db)
  })
}

export async function members(team: TeamOptions): Promise<Access[]> {
  return asOwner(team, async (db) => {
    const { rows } = await sql<Access>`
      select login, project_id as "projectId", may_write as "mayWrite" from grove_team.access
      order by login, project_id`.execute(db)
    return rows
  })
}

async function asOwner<T>(team: TeamOptions, work: (db: Kysely<unknown>) => Promise<T>): Promise<T> {
  const db = await connectTeam(team)
  try {
    return await db.transaction().execute(work)
  } finally {
    await db.destroy()
  }
}
