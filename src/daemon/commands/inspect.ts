import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#config/config.ts'
import { pathsOf } from '#config/paths.ts'
import { maskPassword } from '#config/problem.ts'
import type { Log, Store, StoreCounts } from '#core/ports/store.ts'
import type { Project } from '#core/session.ts'
import type { AgentDetail, AgentSummary } from '#protocol/api/agents.ts'
import { agentsIn } from '#server/agents.ts'
import { MIGRATIONS } from '#storage/sqlite/migrations.ts'
import { judgeCost } from '#supervisor/judge/budget.ts'
import { openStore } from '../compose/world.ts'
import { checkHome } from '../process/home.ts'
import { type Holder, holderOf } from '../process/lock.ts'

/** What can be said about a home from outside the daemon, whether it runs or not. */

/** Sessions beyond this are not told apart by project. */
const SESSIONS_SEEN = 10_000

export interface DatabaseFacts {
  kind: 'sqlite'
  /** The file. */
  where: string
  bytes?: number
  /** The team's database, its URL without the password. */
  team?: string
}

export interface ProjectCounts extends Pick<Project, 'id' | 'name' | 'root'> {
  sessions: number
  memories: number
}

export interface Stored {
  counts: StoreCounts
  projects: ProjectCounts[]
  /** What the judge has cost today, in dollars. */
  judgeCostToday: number
}

/** Which doors are open on this home, and who holds them. */
export function openDoors(config: Config): { proxy?: Holder; web?: Holder } {
  const { run } = pathsOf(config)
  const [proxy, web] = ['proxy', 'web'].map((door) => holderOf(join(run, `${door}.json`)))
  return { ...(proxy ? { proxy } : {}), ...(web ? { web } : {}) }
}

/** Where the database is, how big it is, and which one the team shares. */
export function databaseFacts(config: Config): DatabaseFacts {
  const { url } = config.database
  const { database } = pathsOf(config)
  const files = [database, `${database}-wal`].filter((file) => existsSync(file))
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)
  return {
    kind: 'sqlite',
    where: database,
    ...(files.length > 0 ? { bytes } : {}),
    ...(url === undefined ? {} : { team: maskPassword(url) }),
  }
}

/** Opens the store for one look. Undefined when there is none yet: looking must not create one. */
export async function lookIntoStore<T>(
  config: Config,
  log: Log,
  look: (store: Store) => Promise<T>,
): Promise<T | undefined> {
  checkHome(config.home)
  if (!existsSync(pathsOf(config).database)) return undefined
  const store = await openStore(config, log)
  try {
    return await look(store)
  } finally {
    await store.close()
  }
}

/** The version of the schema that an opened store has: opening brings it up to date. */
export const schemaVersion = MIGRATIONS.length

/** Counts in all, and per project. */
export async function countStored(store: Store): Promise<Stored> {
  const [counts, projects, sessions, cost] = await Promise.all([
    store.counts(),
    store.projects.list(),
    store.sessions.recent(SESSIONS_SEEN),
    judgeCost(store.states, Date.now()),
  ])
  const perProject = projects.map(async ({ id, name, root }) => ({
    id,
    name,
    root,
    sessions: sessions.filter(({ projectId }) => projectId === id).length,
    memories: await store.memories.count(id),
  }))
  return { counts, projects: await Promise.all(perProject), judgeCostToday: cost.today }
}

/** One agent session as the store knows it, live or not. */
export function agentDetail(store: Store, sessionId: string): Promise<AgentDetail | undefined> {
  return agentsIn(store, Date.now).detail(sessionId)
}

/** Live agents as the store knows them. */
export function liveAgents(store: Store): Promise<AgentSummary[]> {
  return agentsIn(store, Date.now).live()
}
