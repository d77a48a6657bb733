import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '#config/config.ts'
import { withTomlText } from '#config/edit-toml.ts'
import { maskPassword } from '#config/mask-password.ts'
import { pathsOf } from '#config/paths.ts'
import { Trouble } from '#config/trouble.ts'
import { teamAt } from '#core/memory/shares.ts'
import { isShareable, type Rights } from '#core/memory/sync.ts'
import type { TeamDatabase } from '#core/ports/sharing.ts'
import type { Store } from '#core/ports/store.ts'
import type { Project } from '#core/session.ts'
import { projectAt } from '#exec/git/git.ts'
import { writeAtomic } from '#storage/files/atomic.ts'
import type { Access } from '#storage/team/access.ts'
import { resendLearnings } from '#supervisor/learning/sync-learnings.ts'
import { previewShare, type SharePreview } from '#supervisor/memory/preview-share.ts'
import { authorOf } from '#supervisor/memory/remember.ts'
import { type ProjectSync, type SyncNeeds, syncTeam } from '#supervisor/memory/sync-team.ts'
import { findSent, type SentWork, takeBack } from '#supervisor/memory/take-back.ts'
import { lastTeamSync, noteInStep, type TeamSyncState } from '#supervisor/memory/team-loop.ts'
import { sharesIn, syncNeeds } from '../compose/team.ts'
import { teamLearnings } from '../compose/team-learnings.ts'
import type { OpenWorld } from '../compose/world.ts'

export type { ProjectSync, SentWork }

export interface TeamStatus {
  /** The URL without its password; absent when this home has no team. */
  team?: string
  /** Whether it answers now, and if not, why. */
  reachable?: boolean
  error?: string
  /** Whether the connection is encrypted. */
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
  /** Changes made here that the team does not have. */
  waiting: number
}

/** What a person is shown before anything of a project is sent. */
export interface ShareOffer extends SharePreview {
  /** The URL without its password. */
  team: string
  encrypted: boolean
  /** Whether it is shared with this team already. */
  shared: boolean
  /** How much waits to be sent to a team; none where it was sent before. */
  waiting: number
  /** Why it cannot be shared. */
  refused?: string
}

/** What a person is shown before anything is deleted. */
export interface TakeBackOffer {
  team: string
  /** The name that tells what is theirs. */
  author: string
  projects: SentWork[]
}

type Told = (sync: ProjectSync) => void

/** What the command line does with the team. */
export interface TeamCommands {
  status(): Promise<TeamStatus>
  /** What sharing the project of a folder would send. A dry run: no connection is opened. */
  preview(url?: string, folder?: string): Promise<ShareOffer>
  /** Connects once, notes the team in the user's own settings, and shares the project of this folder if that was agreed to. */
  join(url: string, wish: { share: boolean }, told: Told): Promise<ProjectSync[]>
  share(folder: string | undefined, told: Told): Promise<ProjectSync[]>
  /** Sends nothing more of it; what was sent stays with the team. */
  unshare(folder?: string): Promise<Project>
  /** What was shared stays with the team, and what came from it stays here. Nothing is sent when it resolves. */
  leave(): Promise<void>
  /** What this person has sent, of this project or of all. */
  sent(wish: { all: boolean }): Promise<TakeBackOffer>
  /** Deletes from the team's database what was sent; with `login` also what only the login identifies. Answers how much. */
  forget(offer: TakeBackOffer, wish: { login: boolean }): Promise<number>
  /** One synchronisation, without waiting for the daemon's. */
  sync(told: Told): Promise<ProjectSync[]>
  /** Lets a login in, or changes what it may do. */
  grant(wish: { login: string; all: boolean; mayWrite: boolean }): Promise<Access>
  revoke(login: string): Promise<void>
  members(): Promise<Access[]>
}

/** The commands on the team of this home, and on the project that a folder lies in. */
export function teamCommands(world: OpenWorld, cwd: string): TeamCommands {
  const at = (folder = '.') => projectAt(resolve(cwd, folder))
  return {
    status: () => teamStatus(world),
    preview: async (url = urlOf(world.config), folder) => offerOf(world, url, await at(folder)),
    join: async (url, { share }, told) => joinTeam(world, url, share ? await at() : undefined, told),
    share: async (folder, told) => shareProject(world, await at(folder), told),
    async unshare(folder) {
      const project = await at(folder)
      await stopSharing(world, project.id)
      return project
    },
    leave: () => leaveTeam(world),
    sent: async ({ all }) => sentBy(world, cwd, all ? undefined : [(await at()).id]),
    forget: (offer, wish) => forget(world, offer, wish),
    sync: (told) => syncNow(world, told),
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
  return { projects: await projectsHere(world, store), ...(last && { last }) }
}

async function withRights(world: OpenWorld, url: string, projects: TeamProjectStatus[]): Promise<TeamProjectStatus[]> {
  const team = await world.team(url)
  const survey = await team.survey(projects.filter(({ shared }) => shared).map(({ projectId }) => projectId))
  return projects.map((project) => {
    const rights = survey.get(project.projectId)?.rights
    return rights ? { ...project, rights } : project
  })
}

async function projectsHere(world: OpenWorld, store: Store): Promise<TeamProjectStatus[]> {
  const { url } = world.config.database
  const shared = url === undefined ? [] : await (await syncingWith(world, url)).shared()
  const waiting = new Map((await store.sharing.waiting()).map(({ projectId, items }) => [projectId, items]))
  const projects = await store.projects.list()
  return Promise.all(
    projects.map(async ({ id, name }) => ({
      projectId: id,
      name,
      shared: shared.includes(id),
      memories: await store.memories.count(id),
      waiting: waiting.get(id) ?? 0,
    })),
  )
}

async function syncingWith(world: OpenWorld, url: string): Promise<SyncNeeds> {
  const { config, clock, settingsAt } = world
  const [store, pauses, learning] = await Promise.all([world.store(), world.pauses(), world.learning()])
  return syncNeeds({ config, clock, settingsAt, store, pauses, learning }, url)
}

async function offerOf(world: OpenWorld, url: string, project: Project): Promise<ShareOffer> {
  const place = placeIn(url)
  const store = await world.store()
  const refused = whyNotShared(world, project)
  const learning = await world.learning()
  // Stores learnings that were only written into the file: the next session would send them, so the preview counts
  // them.
  await learning.libraryAt(project.root, learning.settingsAt(project.root)).shareFile()
  return {
    ...(await previewShare(store, teamLearnings(world.config.home, store, learning), project)),
    team: maskPassword(url),
    encrypted: isEncrypted(url),
    shared: (await sharesIn(store, world.clock).with(place)).includes(project.id),
    waiting: (await store.sharing.waiting()).find(({ projectId }) => projectId === project.id)?.items ?? 0,
    ...(refused && { refused }),
  }
}

function whyNotShared({ config, settingsAt }: OpenWorld, { id, root }: Project): string | undefined {
  if (id.startsWith('path:')) return 'It has no git remote and no commit, so it exists on this machine only.'
  if (!isShareable(id, config.database.projects)) return 'The setting database.projects leaves it out.'
  return settingsAt(root).memory.remember ? undefined : 'It remembers nothing: memory.remember is false.'
}

async function joinTeam(world: OpenWorld, url: string, share: Project | undefined, told: Told): Promise<ProjectSync[]> {
  const { config } = world
  const team = await world.team(url)
  const store = await world.store()
  // A URL from the environment is not written to the configuration.
  if (url !== config.database.url) await noteUrl(config, url)
  await sharesIn(store, world.clock).join(teamAt(url))
  if (share) await agreeToShare(world, store, share, url)
  return bringInStep(store, await syncingWith(world, url), team, told)
}

async function shareProject(world: OpenWorld, project: Project, told: Told): Promise<ProjectSync[]> {
  const url = urlOf(world.config)
  const team = await world.team(url)
  const store = await world.store()
  await agreeToShare(world, store, project, url)
  return bringInStep(store, await syncingWith(world, url), team, told)
}

/** Everything there is of it waits to be sent, and is read from the beginning. */
async function agreeToShare({ clock }: OpenWorld, store: Store, project: Project, url: string) {
  await store.projects.put(project)
  await store.sharing.unmark(project.id)
  await store.sharing.resend(project.id)
  await resendLearnings(store, project.id)
  await sharesIn(store, clock).share(project.id, teamAt(url))
}

async function stopSharing(world: OpenWorld, projectId?: string) {
  if (!world.hasStore()) return
  const store = await world.store()
  await sharesIn(store, world.clock).stop(projectId === undefined ? undefined : [projectId])
  await store.sharing.unmark(projectId)
}

async function leaveTeam(world: OpenWorld): Promise<void> {
  await stopSharing(world)
  const file = pathsOf(world.config).config
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const after = withTomlText(before, 'database', 'url', undefined)
  if (after !== before) await writeAtomic(file, after)
}

async function sentBy(world: OpenWorld, cwd: string, projectIds: string[] | undefined): Promise<TakeBackOffer> {
  const url = urlOf(world.config)
  const memory = await world.memory()
  const author = authorOf(memory, await memory.workPlace(cwd))
  if (author === undefined) {
    throw new Trouble(
      'Grove does not know your name, so it cannot tell which entries are yours.',
      'Give the name that your memories carry: GROVE_USER="Your name" grove team forget',
    )
  }
  const projects = await findSent(await world.team(url), author, projectIds)
  return { team: maskPassword(url), author, projects }
}

async function forget(world: OpenWorld, { author, projects }: TakeBackOffer, { login }: { login: boolean }) {
  const team = await world.team(urlOf(world.config))
  const shares = sharesIn(await world.store(), world.clock)
  let deleted = 0
  for (const { projectId, own, unclear } of projects) {
    const items = login ? [...own, ...unclear] : own
    await takeBack({ shares, team, clock: world.clock }, { projectId, items, by: author })
    deleted += items.length
  }
  return deleted
}

async function syncNow(world: OpenWorld, told: Told): Promise<ProjectSync[]> {
  const url = urlOf(world.config)
  const needs = await syncingWith(world, url)
  if ((await needs.shared()).length === 0) return []
  return bringInStep(await world.store(), needs, await world.team(url), told)
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
  throw new Trouble(
    'You have not joined a team.',
    'Join one: grove team join postgresql://you@host/grove. To reach a team that you have left, set GROVE_DATABASE_URL.',
  )
}

/** The team's place. An invalid URL is repeated only where it cannot hold a password. */
function placeIn(url: string): string {
  if (URL.canParse(url) && /^postgres(ql)?:$/.test(new URL(url).protocol)) return teamAt(url)
  const given = /^[\w.-]{1,40}$/.test(url) ? `"${url}"` : 'What was given'
  throw new Trouble(
    `${given} is not the URL of a PostgreSQL database.`,
    'Write it like this: grove team join postgresql://you@host:5432/grove',
  )
}

async function noteUrl(config: Config, url: string) {
  const file = pathsOf(config).config
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  await writeAtomic(file, withTomlText(before, 'database', 'url', url))
  // It may hold a password.
  chmodSync(file, 0o600)
}

/** Loopback needs no TLS. */
function isEncrypted(url: string): boolean {
  const { hostname, searchParams } = new URL(url)
  if (/^(localhost|127\.|\[?::1\]?$|$)/.test(hostname)) return true
  const mode = searchParams.get('sslmode')
  return mode !== null ? mode !== 'disable' && mode !== 'no-verify' : searchParams.get('ssl') === 'true'
}
