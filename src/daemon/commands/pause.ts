import { Trouble } from '#config/trouble.ts'
import type { PauseScope } from '#core/pause.ts'
import type { Store } from '#core/ports/store.ts'
import { projectAt } from '#exec/git/git.ts'
import type { ListedPause } from '#supervisor/pause/pauses.ts'
import type { OpenWorld } from '../compose/world.ts'

/** What is to be switched off or on; without either, the project of the folder. */
export interface PauseWish {
  session?: string
  all?: boolean
}

/** A pause, with what it holds for in words. */
export interface NamedPause extends ListedPause {
  name: string
}

const MINUTE = 60_000

/** Switches Grove off, for so many minutes or until it is switched on again. */
export async function pauseHere(
  world: OpenWorld,
  cwd: string,
  wish: PauseWish & { minutes?: number },
): Promise<NamedPause> {
  const store = await world.store()
  const scope = await scopeOf(store, cwd, wish)
  const at = world.clock.now()
  const until = wish.minutes === undefined ? undefined : at + wish.minutes * MINUTE
  await (await world.pauses()).pause(scope, until)
  return named(store, { scope, at, ...(until !== undefined && { until }) })
}

/** Resumes Grove for a session, for everything, or for this project, which a pause of everything then leaves on. */
export async function resumeHere(world: OpenWorld, cwd: string, wish: PauseWish): Promise<NamedPause[]> {
  if (!world.hasStore()) return []
  const [store, pauses] = await Promise.all([world.store(), world.pauses()])
  const scope = await scopeOf(store, cwd, wish)
  const scopes: PauseScope[] = scope.type === 'project' ? [scope, { type: 'all' }] : [scope]
  const ended = await pauses.resume(wish.all ? undefined : scopes)
  return Promise.all(ended.map((pause) => named(store, pause)))
}

/** The pauses that hold now. */
export async function pausesNow(world: OpenWorld): Promise<NamedPause[]> {
  if (!world.hasStore()) return []
  const [store, pauses] = await Promise.all([world.store(), world.pauses()])
  return Promise.all((await pauses.list()).map((pause) => named(store, pause)))
}

const SESSIONS_SEEN = 1000

async function scopeOf(store: Store, cwd: string, { session, all }: PauseWish): Promise<PauseScope> {
  if (all) return { type: 'all' }
  if (session === undefined) {
    const project = await projectAt(cwd)
    await store.projects.put(project)
    return { type: 'project', id: project.id }
  }
  const known = await store.sessions.recent(SESSIONS_SEEN)
  const [found, ...others] = known.filter(({ id }) => id.startsWith(session))
  if (others.length > 0) throw new Trouble(`Several sessions start with ${session}.`, 'Use more of the id.')
  if (found) return { type: 'session', id: found.id }
  // A session that has done nothing yet is known to the client only.
  if (session.length >= FULL_ID) return { type: 'session', id: session }
  throw new Trouble(`No session starts with ${session}.`, '`grove proxy-status` lists the running ones.')
}

const FULL_ID = 36

async function named(store: Store, pause: ListedPause): Promise<NamedPause> {
  const { scope } = pause
  if (scope.type === 'all') return { ...pause, name: 'everything' }
  if (scope.type === 'session') return { ...pause, name: `session ${scope.id.slice(0, 8)}` }
  return { ...pause, name: (await store.projects.get(scope.id))?.name ?? scope.id }
}
