import { chmodSync, existsSync, readFileSync } from 'node:fs'
import type { Config } from '#config/config.ts'
import { withTomlText } from '#config/edit-toml.ts'
import { pathsOf } from '#config/paths.ts'
import { maskPassword } from '#config/problem.ts'
import { Trouble } from '#config/trouble.ts'
import type { Rights } from '#core/memory/sync.ts'
import type { TeamDatabase } from '#core/ports/sharing.ts'
import type { Store } from '#core/ports/store.ts'
import { projectAt } from '#exec/git/git.ts'
import { writeAtomic } from '#storage/files/atomic.ts'
import type { Access } from '#storage/team/access.ts'
import { type ProjectSync, type SyncNeeds, syncTeam } from '#supervisor/memory/sync-team.ts'
import { lastTeamSync, noteInStep, type TeamSyncState } from '#supervisor/memory/team-loop.ts'
import { syncNeeds } from '../compose/team.ts'
import type { OpenWorld } from '../compose/world.ts'

export type { ProjectSync }

export interface TeamStatus {
  /** The URL without its password; absent when this home has no team. */
  team?: string
  /** Whether it answers now, and if not, why. */
  reachable?: boolean
  error?: string
  /** False when anybody on the way could read along. */
  encrypted?: boolean
  projects: TeamProjectStatus[]
  /** What the daemon last did. */
  last?: TeamSyncState
}

export interface TeamProjectStatus {
  projectId: string
  name: string
  shared: boolean
  rights?: Rights
  memories: number
  /** Changes made here that the team does not have yet. */
  waiting: number
}

type Told = (sync: ProjectSync) => void

/** What the command line does with the team. */
export interface TeamCommands {
  status(): Promise<TeamStatus>
  /** Connects once, notes the team in the user's own settings, and brings both in step. */
  join(url: string, told: Told): Promise<ProjectSync[]>
  /** What was shared stays with the team, and what came from it stays here. */
  leave(): Promise<void>
  /** One synchronisation, without waiting for the daemon's. */
  sync(told: Told): Promise<ProjectSync[]>
  /** Lets a login in, or changes what it may do. */
  grant(wish: { login: string; all: boolean; mayWrite: boolean }): Promise<Access>
  revoke(login: string): Promise<void>
  members(): Promise<Access[]>
}

/** The commands on the team of this home, and on the project that a folder lies in. */
export function teamCommands(world: OpenWorld, cwd: string): TeamCommands {
  return {
    status: () => teamStatus(world),
    join: (url, told) => joinTeam(world, cwd, url, told),
    leave: () => leaveTeam(world),
    sync: (told) => syncNow(world, cwd, told),
    grant: (wish) => grant(world, cwd, wish),
    revoke: async (login) => (await world.teamAccess(urlOf(world.config))).revoke(login),
    members: async () => (await world.teamAccess(urlOf(world.config))).members(),
  }
}

async function teamStatus(world: OpenWorld): Promise<TeamStatus> {
  const { url } = world.config.database
  const { projects, ...last } = await storedHere(world)
  if (url === undefined) return { projects, ...last }
  const base = { team: maskPassword(url), encrypted: isEncrypted(url), ...last }
  try {
    return { ...base, reachable: true, projects: await withRights(world, url, projects) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { ...base, reachable: false, error: reason, projects }
  }
}

async function storedHere(world: OpenWorld): Promise<Pick<TeamStatus, 'projects' | 'last'>> {
  if (!world.hasStore()) return { projects: [] }
  const store = await world.store()
  const last = await lastTeamSync(store.states)
  return { projects: await projectsHere(world.config, store), ...(last && { last }) }
}

async function withRights(world: OpenWorld, url: string, projects: TeamProjectStatus[]): Promise<TeamProjectStatus[]> {
  const team = await world.team(url)
  const survey = await team.survey(projects.filter(({ shared }) => shared).map(({ projectId }) => projectId))
  return projects.map((project) => {
    const rights = survey.get(project.projectId)?.rights
    return rights ? { ...project, rights } : project
  })
}

async function projectsHere(config: Config, store: Store): Promise<TeamProjectStatus[]> {
  const { isShared } = syncNeeds(config, store)
  const waiting = new Map((await store.sharing.waiting()).map(({ projectId, items }) => [projectId, items]))
  const projects = await store.projects.list()
  return Promise.all(
    projects.map(async ({ id, name }) => ({
      projectId: id,
      name,
      shared: isShared(id),
      memories: await store.memories.count(id),
      waiting: waiting.get(id) ?? 0,
    })),
  )
}

async function joinTeam(world: OpenWorld, cwd: string, url: string, told: Told): Promise<ProjectSync[]> {
  const { config } = world
  const team = await world.team(url)
  const store = await world.store()
  // Set through the environment it is nobody's business to write it down.
  if (url !== config.database.url) await noteUrl(config, url)
  await store.projects.put(await projectAt(cwd))
  const needs = syncNeeds(config, store)
  await store.sharing.unmark()
  for (const projectId of await needs.projects()) await store.sharing.resend(projectId)
  return bringInStep(store, needs, team, told)
}

async function leaveTeam(world: OpenWorld): Promise<void> {
  const file = pathsOf(world.config).config
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const after = withTomlText(before, 'database', 'url', undefined)
  if (after !== before) await writeAtomic(file, after)
  if (world.hasStore()) await (await world.store()).sharing.unmark()
}

async function syncNow(world: OpenWorld, cwd: string, told: Told): Promise<ProjectSync[]> {
  const team = await world.team(urlOf(world.config))
  const store = await world.store()
  await store.projects.put(await projectAt(cwd))
  return bringInStep(store, syncNeeds(world.config, store), team, told)
}

async function bringInStep(store: Store, needs: SyncNeeds, team: TeamDatabase, told: Told): Promise<ProjectSync[]> {
  const projects = await syncTeam(needs, team, told)
  await noteInStep(store.states, projects, Date.now())
  return projects
}

async function grant(world: OpenWorld, cwd: string, wish: { login: string; all: boolean; mayWrite: boolean }) {
  const projectId = wish.all ? '*' : (await projectAt(cwd)).id
  const access = { login: wish.login, projectId, mayWrite: wish.mayWrite }
  await (await world.teamAccess(urlOf(world.config))).grant(access)
  return access
}

function urlOf({ database }: Config): string {
  if (database.url !== undefined) return database.url
  throw new Trouble('This home belongs to no team.', 'Join one: grove team join postgresql://user@host/grove')
}

async function noteUrl(config: Config, url: string) {
  const file = pathsOf(config).config
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  await writeAtomic(file, withTomlText(before, 'database', 'url', url))
  // It may hold a password.
  chmodSync(file, 0o600)
}

/** Nobody listens between a program and its own machine. */
function isEncrypted(url: string): boolean {
  const { hostname, searchParams } = new URL(url)
  if (/^(localhost|127\.|\[?::1\]?$|$)/.test(hostname)) return true
  const mode = searchParams.get('sslmode')
  return mode !== null ? mode !== 'disable' && mode !== 'no-verify' : searchParams.get('ssl') === 'true'
}
