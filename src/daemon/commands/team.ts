import { chmodSync, existsSync, readFileSync } from 'node:fs'
import type { Config } from '#config/config.ts'
import { withTomlText } from '#config/edit-toml.ts'
import { pathsOf } from '#config/paths.ts'
import { maskPassword } from '#config/problem.ts'
import { Trouble } from '#config/trouble.ts'
import type { Rights, TeamDatabase } from '#core/memory/sync.ts'
import type { Log, Store } from '#core/ports/store.ts'
import { projectAt } from '#exec/git/git.ts'
import { writeAtomic } from '#storage/files/atomic.ts'
import type { Access } from '#storage/team/access.ts'
import { type ProjectSync, type SyncNeeds, syncTeam } from '#supervisor/memory/sync-team.ts'
import { lastTeamSync, noteInStep, type TeamSyncState } from '#supervisor/memory/team-loop.ts'
import { openTeam, syncNeeds } from '../compose/team.ts'
import { openStore } from '../compose/world.ts'
import { ensureHome } from '../process/home.ts'

export type { ProjectSync }

interface Needs {
  config: Config
  cwd: string
  log: Log
}

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
export interface TeamDesk {
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

export function teamDesk(needs: Needs): TeamDesk {
  return {
    status: () => teamStatus(needs),
    join: (url, told) => joinTeam(needs, url, told),
    leave: () => leaveTeam(needs),
    sync: (told) => syncNow(needs, told),
    grant: (wish) => grant(needs, wish),
    revoke: (login) => revoke(needs, login),
    members: () => teamMembers(needs),
  }
}

async function teamStatus({ config, log }: Needs): Promise<TeamStatus> {
  const { url } = config.database
  // Looking must not create a store.
  const here = existsSync(pathsOf(config).database)
    ? await withStore(config, log, async (store) => ({
        projects: await projectsHere(config, store),
        last: await lastTeamSync(store.states),
      }))
    : { projects: [], last: undefined }
  const last = here.last && { last: here.last }
  if (url === undefined) return { projects: here.projects, ...last }
  const base = { team: maskPassword(url), encrypted: isEncrypted(url), ...last }
  try {
    return { ...base, reachable: true, projects: await withRights(url, log, here.projects) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { ...base, reachable: false, error: reason, projects: here.projects }
  }
}

async function withRights(url: string, log: Log, projects: TeamProjectStatus[]): Promise<TeamProjectStatus[]> {
  const team = await openTeam(url, log)
  try {
    const survey = await team.survey(projects.filter(({ shared }) => shared).map(({ projectId }) => projectId))
    return projects.map((project) => {
      const rights = survey.get(project.projectId)?.rights
      return rights ? { ...project, rights } : project
    })
  } finally {
    await team.close()
  }
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

async function joinTeam({ config, cwd, log }: Needs, url: string, told: Told): Promise<ProjectSync[]> {
  const team = await openTeam(url, log)
  try {
    ensureHome(config.home)
    // Set through the environment it is nobody's business to write it down.
    if (url !== config.database.url) await noteUrl(config, url)
    return await withStore(config, log, async (store) => {
      const project = await projectAt(cwd)
      await store.projects.put(project)
      const needs = syncNeeds(config, store)
      await store.sharing.unmark()
      for (const projectId of await needs.projects()) await store.sharing.resend(projectId)
      return bringInStep(store, needs, team, told)
    })
  } finally {
    await team.close()
  }
}

async function leaveTeam({ config, log }: Needs): Promise<void> {
  const file = pathsOf(config).config
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const after = withTomlText(before, 'database', 'url', undefined)
  if (after !== before) await writeAtomic(file, after)
  if (existsSync(pathsOf(config).database)) await withStore(config, log, (store) => store.sharing.unmark())
}

async function syncNow({ config, cwd, log }: Needs, told: Told): Promise<ProjectSync[]> {
  const team = await openTeam(urlOf(config), log)
  try {
    return await withStore(config, log, async (store) => {
      await store.projects.put(await projectAt(cwd))
      return bringInStep(store, syncNeeds(config, store), team, told)
    })
  } finally {
    await team.close()
  }
}

async function bringInStep(store: Store, needs: SyncNeeds, team: TeamDatabase, told: Told): Promise<ProjectSync[]> {
  const projects = await syncTeam(needs, team, told)
  await noteInStep(store.states, projects, Date.now())
  return projects
}

async function grant({ config, cwd, log }: Needs, wish: { login: string; all: boolean; mayWrite: boolean }) {
  const { grantAccess } = await import('#storage/team/access.ts')
  const projectId = wish.all ? '*' : (await projectAt(cwd)).id
  const access = { login: wish.login, projectId, mayWrite: wish.mayWrite }
  await grantAccess({ url: urlOf(config), log }, access)
  return access
}

async function revoke({ config, log }: Needs, login: string): Promise<void> {
  const { revokeAccess } = await import('#storage/team/access.ts')
  await revokeAccess({ url: urlOf(config), log }, login)
}

async function teamMembers({ config, log }: Needs): Promise<Access[]> {
  const { members } = await import('#storage/team/access.ts')
  return members({ url: urlOf(config), log })
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

async function withStore<T>(config: Config, log: Log, work: (store: Store) => Promise<T>): Promise<T> {
  ensureHome(config.home)
  const store = await openStore(config, log)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
