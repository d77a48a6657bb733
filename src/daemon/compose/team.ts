import type { Config } from '#config/config.ts'
import { isShared } from '#core/memory/sync.ts'
import type { Clock, Log } from '#core/ports/runtime.ts'
import type { TeamDatabase } from '#core/ports/sharing.ts'
import type { Store } from '#core/ports/store.ts'
import type { Access } from '#storage/team/access.ts'
import type { SyncNeeds } from '#supervisor/memory/sync-team.ts'
import { TeamLoop } from '#supervisor/memory/team-loop.ts'

interface Needs {
  config: Config
  store: Store
  clock: Clock
  log: Log
}

/** Connects to the team's database; the driver is loaded only by those who have a team. */
export async function openTeam(url: string, log: Log): Promise<TeamDatabase> {
  const { openTeamDatabase } = await import('#storage/team/database.ts')
  return openTeamDatabase({ url, log })
}

/** Who may use the team's database. Only its owner can change that. */
export interface TeamAccess {
  grant(access: Access): Promise<void>
  revoke(login: string): Promise<void>
  members(): Promise<Access[]>
}

export async function teamAccess(url: string, log: Log): Promise<TeamAccess> {
  const { grantAccess, members, revokeAccess } = await import('#storage/team/access.ts')
  const team = { url, log }
  return {
    grant: (access) => grantAccess(team, access),
    revoke: (login) => revokeAccess(team, login),
    members: () => members(team),
  }
}

/** What is brought in step: the projects that were worked on here and may be shared. */
export function syncNeeds({ database }: Config, store: Store): SyncNeeds {
  return {
    sharing: store.sharing,
    projects: async () => (await store.projects.list()).map(({ id }) => id),
    isShared: (projectId) => isShared(projectId, database.projects),
  }
}

/** Keeps the store and the team's in step, where there is a team. */
export function startTeamLoop({ config, store, clock, log }: Needs): TeamLoop | undefined {
  const { url, syncSeconds } = config.database
  if (url === undefined) return undefined
  const loop = new TeamLoop({
    ...syncNeeds(config, store),
    open: () => openTeam(url, log),
    states: store.states,
    clock,
    log,
    random: Math.random,
    everyMs: syncSeconds * 1000,
  })
  loop.start()
  return loop
}
