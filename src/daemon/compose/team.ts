import { randomUUID } from 'node:crypto'
import type { Config } from '#config/config.ts'
import { teamAt } from '#core/memory/shares.ts'
import { isShareable } from '#core/memory/sync.ts'
import type { Clock, Log } from '#core/ports/runtime.ts'
import type { TeamDatabase } from '#core/ports/sharing.ts'
import type { Store } from '#core/ports/store.ts'
import type { Access } from '#storage/team/access.ts'
import type { LearningWorld } from '#supervisor/learning/world.ts'
import type { SyncNeeds } from '#supervisor/memory/sync-team.ts'
import { TeamLoop } from '#supervisor/memory/team-loop.ts'
import { type TeamShares, teamShares } from '#supervisor/memory/team-shares.ts'
import type { Pauses } from '#supervisor/pause/pauses.ts'
import type { SettingsAt } from './project-settings.ts'
import { teamLearnings } from './team-learnings.ts'

/** Connects to the team's database; the driver is loaded on first use. */
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

/** Which projects of a store are shared. */
export function sharesIn({ states, sharing }: Store, clock: Clock): TeamShares {
  return teamShares({ states, sharing, clock, newId: randomUUID })
}

interface SyncingNeeds {
  config: Config
  store: Store
  clock: Clock
  settingsAt: SettingsAt
  pauses: Pauses
  learning: LearningWorld
}

/** What is exchanged with the team at this URL: the projects that a person shared with it and that may be shared now. */
export function syncNeeds(needs: SyncingNeeds, url: string): SyncNeeds {
  const { config, store, clock, settingsAt, pauses, learning } = needs
  const shares = sharesIn(store, clock)
  const team = teamAt(url)
  const mayBeShared = async (projectId: string) => {
    if (!isShareable(projectId, config.database.projects)) return false
    if (await pauses.isProjectPaused(projectId)) return false
    const project = await store.projects.get(projectId)
    return project === undefined || settingsAt(project.root).memory.remember
  }
  return {
    sharing: store.sharing,
    states: store.states,
    learnings: teamLearnings(config.home, store, learning),
    clock,
    async shared() {
      const projects = await shares.with(team)
      const allowed = await Promise.all(projects.map(mayBeShared))
      return projects.filter((_, n) => allowed[n])
    },
    exchange: (projectId, work) => shares.exchange(projectId, team, work),
    takenBack: shares.takenBack,
  }
}

/** Keeps the store and the team's in step, while this home has a team and shares anything. */
export function startTeamLoop(needs: SyncingNeeds & { log: Log }): TeamLoop {
  const { config, store, clock, log } = needs
  const urlNow = teamUrl(config, needs.settingsAt)
  const loop = new TeamLoop({
    async team() {
      const url = urlNow()
      if (url === undefined) return undefined
      const syncing = syncNeeds(needs, url)
      if ((await syncing.shared()).length === 0) return undefined
      return { ...syncing, url, open: () => openTeam(url, log) }
    },
    states: store.states,
    clock,
    log,
    random: Math.random,
    everyMs: config.database.syncSeconds * 1000,
  })
  loop.start()
  return loop
}

/** The team's URL as the user's file has it now, unless the process was given another one. */
function teamUrl({ home, database }: Config, settingsAt: SettingsAt): () => string | undefined {
  const inFile = () => settingsAt(home).database.url
  const isGiven = database.url !== inFile()
  return () => (isGiven ? database.url : inFile())
}
