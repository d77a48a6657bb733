import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#config/config.ts'
import { environment } from '#config/load.ts'
import { pathsOf } from '#config/paths.ts'
import { version } from '#config/version.ts'
import { noteLostLocks } from '#core/lost-locks.ts'
import type { Log } from '#core/ports/runtime.ts'
import type { LiveEvent } from '#protocol/live.ts'
import { LiveFeed } from '#server/live.ts'
import { putBackToken } from '#server/token.ts'
import type { HookPart } from '#supervisor/handle-hook.ts'
import type { Supervisor } from '#supervisor/supervisor.ts'
import { sweepStates } from '#supervisor/sweep-idle.ts'
import type { Engine } from '#workflow/engine.ts'
import { foldStoreLog, setDamagedStoreAside } from '../compose/store-file.ts'
import { startTeamLoop } from '../compose/team.ts'
import { openWorld } from '../compose/world.ts'
import { healthPart } from '../transports/health-part.ts'
import { openHookTransports } from '../transports/hooks.ts'
import { proxyObserver } from '../transports/proxy-observer.ts'
import { ensureHome } from './home.ts'
import { type InboxWatch, watchInbox } from './inbox-watch.ts'
import { keepIndexed } from './keep-indexed.ts'
import type { Listeners } from './listeners.ts'
import { acquireLock, holderOf, type StartedBy } from './lock.ts'
import { type Closer, knownToken, openProxy } from './open-proxy.ts'
import { openFeatures, openWeb } from './open-web.ts'
import { restoreRemoved } from './restore-removed.ts'
import { startWatchdog } from './watchdog.ts'

export interface RunningDaemon {
  /** Lets open answers finish, then closes everything. */
  close(): Promise<void>
  proxyUrl?: string
  webUrl?: string
  /** The address that lets a browser in. */
  link?: string
}

/** What a daemon is started with. */
export interface DaemonNeeds {
  config: Config
  listeners: Listeners
  log: Log
  /** Tells the person at the terminal what concerns their session. */
  notice?: (text: string) => void
  /** Who started it, so that `grove unregister` ends what it has to. */
  startedBy?: StartedBy
}

/** Starts the listeners that are wanted, in one process, on one world. */
export async function runDaemon({
  config,
  listeners,
  log,
  notice = () => {},
  startedBy = 'person',
}: DaemonNeeds): Promise<RunningDaemon> {
  const { home, run, token: tokenFile } = pathsOf(config)
  ensureHome(home)
  const closers: Closer[] = []
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  const lock = (serves: keyof Listeners) => {
    const taken = acquireLock(join(run, `${serves}.json`), { serves, version, startedBy })
    closers.push(() => taken.release())
    return taken
  }
  try {
    const proxyLock = listeners.proxy ? lock('proxy') : undefined
    const webLock = listeners.web ? lock('web') : undefined
    // Hook clients leave this mark when a daemon does not answer; it was about the previous one.
    rmSync(join(run, 'silent'), { force: true })
    const live = new LiveFeed(Date.now)
    let features: Engine | undefined
    /** When the newest limit ends that the API has answered with. */
    let limitedUntil: number | undefined
    const isDriven = (sessionId: string) => features?.driving(sessionId) !== undefined
    const observing = {
      isUnwatched: (sessionId: string) => isDriven(sessionId) && features?.isWatched(sessionId) === false,
      limited(until: number) {
        limitedUntil = until
      },
    }
    let inbox: InboxWatch | undefined
    const publish = (event: LiveEvent) => {
      inbox?.noted(event)
      live.publish(event)
      if (event.type === 'cleared') notice(clearedNotice(event.sessionId))
    }
    await setDamagedStoreAside(config, log)
    closers.push(() => foldStoreLog(config, log))
    const world = openWorld({ config, log, publish, later, isDriven })
    closers.push(() => world.close())
    const [store, memory, supervisor, guard] = await Promise.all([
      world.store(),
      world.memory(),
      world.supervisor(),
      world.guard(),
    ])
    const isSweeper = () => listeners.proxy || !holderOf(join(run, 'proxy.json'))
    const sweeping = { store, clock: world.clock, dropCopies: guard.tree.drop }
    closers.push(sweepNowAndThen(sweeping, supervisor, log, isSweeper))
    const learning = await world.learning()
    const { background } = learning
    const stuck: { passRunning(): () => void }[] = [supervisor, background, guard.background]
    const watchdog = startWatchdog({ log, ended: () => passStuck(stuck) })
    closers.push(() => watchdog.stop())
    closers.push(outliveRejections(log))
    inbox = watchInbox({ states: store.states, log, publish })
    inbox.start()
    closers.push(() => inbox?.stop())
    const indexing = keepIndexed(memory.indexes, log, memory.embedder())
    closers.push(() => indexing.stop())
    const pauses = await world.pauses()
    const { settingProblemsAt } = world
    const syncing = { config, store, clock: world.clock, settingsAt: world.settingsAt, pauses, learning }
    const team = startTeamLoop({ ...syncing, log })
    closers.push(() => team.stop())
    const hooks = await openHookTransports({
      paths: pathsOf(config),
      // Runs of feature sessions are watched by the engine that drives them, also where the user's settings attach us.
      parts: [...(await world.hookParts()), healthPart(config, { env: environment(), settingProblemsAt })].map((part) =>
        unlessDriven(part, isDriven),
      ),
      pauses,
      log,
      listeners,
      outdated: () => supervisor.letGo(),
    })
    stuck.push(hooks)
    closers.push(() => hooks.close())
    const proxyUrl = proxyLock && (await openProxy(config, log, closers, proxyObserver(supervisor, observing)))
    if (proxyUrl) proxyLock?.announce(proxyUrl)
    features =
      webLock &&
      (await openFeatures({ config, world, publish, log, proxyUrl, usageResetAt: () => limitedUntil }, closers))
    const token = knownToken(tokenFile)
    if (token) closers.push(restoreRemoved({ file: tokenFile, log }, () => putBackToken(tokenFile, token)))
    const web = features && (await openWeb({ config, world, hooks, live, log, features }, closers))
    if (web) webLock?.announce(web.localUrl)
    log.info({ proxyUrl, webUrl: web?.localUrl, version }, 'grove is running')
    return { close, ...(proxyUrl ? { proxyUrl } : {}), ...(web ? { webUrl: web.localUrl, link: web.link } : {}) }
  } catch (error) {
    await close()
    throw error
  }
}

function unlessDriven(part: HookPart, isDriven: (sessionId: string) => boolean): HookPart {
  return {
    ...part,
    handle: async (event, gone) =>
      'session_id' in event && isDriven(event.session_id) ? undefined : part.handle(event, gone),
  }
}

const PASS_MS = 1000
/** Time for work to end by itself, such as a wait for a store that another process writes to. */
const LOST_MS = 8000

/** Lets queues go on a moment after the watchdog has ended their running work: such work never reports its end. */
function passStuck(queues: { passRunning(): () => void }[]) {
  const running = queues.map((queue) => queue.passRunning())
  const releaseLost = noteLostLocks()
  setTimeout(() => {
    for (const pass of running) pass()
  }, PASS_MS)
  setTimeout(releaseLost, LOST_MS)
}

/** Long enough for a client to take its answer and go on, short enough not to be noticed. */
const MOMENT_MS = 10

function later(job: () => void) {
  setTimeout(job, MOMENT_MS)
}

/** Printed in the daemon's terminal: a session without hooks has no other place to show it. */
function clearedNotice(sessionId: string): string {
  return `Session ${sessionId.slice(0, 8)} had nearly filled its context window: the older part of the conversation was replaced by a summary.`
}

/** Sweeps at the start and every hour; one process does it. */
function sweepNowAndThen(
  needs: Omit<Parameters<typeof sweepStates>[0], 'closeSession'>,
  supervisor: Supervisor,
  log: Log,
  isSweeper: () => boolean,
): Closer {
  const sweep = () => {
    if (!isSweeper()) return
    const closeSession = (sessionId: string) => supervisor.abandon(sessionId)
    const swept = sweepStates({ ...needs, closeSession })
    swept.catch((err) => log.warn({ err }, 'old states were not swept'))
  }
  sweep()
  const timer = setInterval(sweep, 60 * 60_000).unref()
  return () => clearInterval(timer)
}

/** A proxy that forwards and nothing else: for a home that takes no writes. */
export async function forwardOnly({ config, listeners, log }: DaemonNeeds): Promise<RunningDaemon> {
  const closers: Closer[] = []
  const proxyUrl = listeners.proxy ? await openProxy(config, log, closers) : undefined
  return {
    ...(proxyUrl && { proxyUrl }),
    async close() {
      for (const closer of closers) await closer()
    },
  }
}

/**
 * What the watchdog ends never comes to its own handlers: a promise that is rejected then has no caller left that handles it, which
 * by itself would end the daemon, and every open answer with it.
 */
function outliveRejections(log: Log): Closer {
  const note = (err: unknown) => log.error({ err }, 'something failed that nothing waited for; Grove goes on')
  process.on('unhandledRejection', note)
  return () => void process.off('unhandledRejection', note)
}
