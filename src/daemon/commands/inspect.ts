import { existsSync, statSync } from 'node:fs'
import type { Config } from '#config/config.ts'
import { maskPassword } from '#config/mask-password.ts'
import { pathsOf } from '#config/paths.ts'
import { isWaiting } from '#core/gate/gate.ts'
import type { Store, StoreCounts } from '#core/ports/store.ts'
import { folderAround } from '#core/project.ts'
import type { AgentSession, Project } from '#core/session.ts'
import type { AgentDetail, AgentSummary } from '#protocol/api/agents.ts'
import type { ClientFinding } from '#protocol/api/canary.ts'
import { agentsIn } from '#server/agents.ts'
import { explainedFindings } from '#supervisor/canary/findings.ts'
import { judgeCost } from '#supervisor/judge/budget.ts'
import { SLOTS } from '#supervisor/state-slots.ts'

/** Facts about a home, read from outside the daemon, whether it runs or not. */

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
  /** Its clones and worktrees on this machine, each with the sessions that worked in it. */
  folders: { path: string; sessions: number }[]
}

export interface Stored {
  counts: StoreCounts
  projects: ProjectCounts[]
  /** What the judge has cost today, in dollars. */
  judgeCostToday: number
  /** What of the clients is not understood, newest first. */
  findings: ClientFinding[]
  /** Sessions that have still to say what they learned. */
  gatesWaiting: number
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

/** Counts in all, and per project. */
export async function countStored(store: Store): Promise<Stored> {
  const [counts, projects, folders, sessions, cost, findings, gates] = await Promise.all([
    store.counts(),
    store.projects.list(),
    store.projects.folders(),
    store.sessions.recent(SESSIONS_SEEN),
    judgeCost(store.states, Date.now()),
    explainedFindings(store.states),
    store.states.list(SLOTS.gate, SESSIONS_SEEN),
  ])
  const isWaitingGate = ({ value }: (typeof gates)[number]) =>
    value !== 'unreadable' && value.endedAt === undefined && isWaiting(value.gate)
  const perProject = projects.map(async ({ id, name, root }) => ({
    id,
    name,
    root,
    sessions: sessions.filter(({ projectId }) => projectId === id).length,
    folders: foldersOf(
      folders.get(id) ?? [root],
      sessions.filter(({ projectId }) => projectId === id),
    ),
    memories: await store.memories.count(id),
  }))
  return {
    counts,
    projects: await Promise.all(perProject),
    judgeCostToday: cost.today,
    findings,
    gatesWaiting: gates.filter(isWaitingGate).length,
  }
}

/** The folders that are still there, or all of them where none is; sessions of those that are gone are in no folder. */
function foldersOf(known: string[], sessions: AgentSession[]): ProjectCounts['folders'] {
  const standing = known.filter((folder) => existsSync(folder))
  const paths = standing.length > 0 ? standing : known
  const places = sessions.map(({ cwd = '' }) => folderAround(cwd, known))
  return paths.map((path) => ({ path, sessions: places.filter((place) => place === path).length }))
}

/** What of the clients is not understood, newest first. */
export function clientFindings({ states }: Store): Promise<ClientFinding[]> {
  return explainedFindings(states)
}

/** One agent session as the store knows it, live or not. */
export function agentDetail(store: Store, sessionId: string): Promise<AgentDetail | undefined> {
  return agentsIn(store, Date.now).detail(sessionId)
}

/** Live agents as the store knows them. */
export function liveAgents(store: Store): Promise<AgentSummary[]> {
  return agentsIn(store, Date.now).live()
}
