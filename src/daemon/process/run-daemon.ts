import { rmSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import type { Config } from '#config/config.ts'
import { environment } from '#config/load.ts'
import { pathsOf } from '#config/paths.ts'
import { version } from '#config/version.ts'
import { passLostTurns } from '#core/lost-turns.ts'
import type { Log } from '#core/ports/runtime.ts'
import { systemPeers } from '#exec/peers/peers.ts'
import type { LiveEvent } from '#protocol/live.ts'
import type { ProxyObserver } from '#proxy/observer.ts'
import { startProxy } from '#proxy/server.ts'
import { agentsIn } from '#server/agents.ts'
import { isLoopback } from '#server/authenticate.ts'
import { keysOf } from '#server/keys.ts'
import { LiveFeed } from '#server/live.ts'
import { buildServer } from '#server/server.ts'
import { homeToken, proofOf, putBackToken } from '#server/token.ts'
import { explainedFindings } from '#supervisor/canary/findings.ts'
import type { HookPart } from '#supervisor/handle-hook.ts'
import type { Supervisor } from '#supervisor/supervisor.ts'
import { sweepStates } from '#supervisor/sweep-idle.ts'
import type { Engine } from '#workflow/engine.ts'
import { keyedProxy } from '../attach/proxy-variables.ts'
import { foldStoreLog, setDamagedStoreAside } from '../compose/store-file.ts'
import { startTeamLoop } from '../compose/team.ts'
import { type OpenWorld, openWorld } from '../compose/world.ts'
import { healthPart } from '../transports/health-part.ts'
import { type HookTransports, openHookTransports } from '../transports/hooks.ts'
import { proxyObserver } from '../transports/proxy-observer.ts'
import { ensureHome } from './home.ts'
import { type InboxWatch, watchInbox } from './inbox-watch.ts'
import { keepIndexed } from './keep-indexed.ts'
import { keepThere } from './keep-there.ts'
import { explainListenError } from './listen-error.ts'
import type { Listeners } from './listeners.ts'
import { acquireLock, holderOf, type StartedBy } from './lock.ts'
import { selfKnowledge } from './self-knowledge.ts'
import { startWatchdog } from './watchdog.ts'
import { webFolder } from './web-folder.ts'

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

type Closer = () => Promise<void> | void

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
    const ears = {
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
    const proxyUrl = proxyLock && (await openProxy(config, log, closers, proxyObserver(supervisor, ears)))
    if (proxyUrl) proxyLock?.announce(proxyUrl)
    features =
      webLock &&
      (await openFeatures({ config, world, publish, log, proxyUrl, usageResetAt: () => limitedUntil }, closers))
    const token = knownToken(tokenFile)
    if (token) closers.push(keepThere({ file: tokenFile, log }, () => putBackToken(tokenFile, token)))
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
    name: part.name,
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
  const passLost = passLostTurns()
  setTimeout(() => {
    for (const pass of running) pass()
  }, PASS_MS)
  setTimeout(passLost, LOST_MS)
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

async function openProxy(config: Config, log: Log, closers: Closer[], observer: ProxyObserver = {}): Promise<string> {
  const { proxy, allowedHosts } = config
  const { host, port, target, httpsProxy, noProxy } = proxy
  const token = knownToken(pathsOf(config).token)
  const peers = systemPeers()
  try {
    const running = await startProxy({
      host,
      port,
      target,
      log,
      version,
      observer,
      allowedHosts,
      ...(token && { prove: (ownPort: number, challenge: string) => proofOf(token, ownPort, challenge) }),
      admission: {
        key: token ? keysOf(token).proxy : '',
        isOurs: async (socket) => (await peers.ownerOf(socket)) === 'ours',
        isOpen: !isLoopback(host),
      },
      limits: {
        maxBodyBytes: proxy.bodyLimitMb * 1024 * 1024,
        connectMs: proxy.connectTimeoutSeconds * 1000,
        headersMs: proxy.headerTimeoutSeconds * 1000,
        idleMs: proxy.idleTimeoutSeconds * 1000,
      },
      ...(httpsProxy === undefined ? {} : { httpsProxy, noProxy: noProxy.join(',') }),
    })
    closers.push(() => running.close(proxy.drainSeconds * 1000))
    return urlOf({ host: isEverywhere(host) ? '127.0.0.1' : host, port: running.port })
  } catch (error) {
    throw await explainListenError(error, { listener: 'proxy', host, port, env: 'PROXY_PORT' })
  }
}

/** On a full disk a token that was never written cannot be made; then no client can know one either. */
function knownToken(file: string): string | undefined {
  try {
    return homeToken(file)
  } catch {
    return undefined
  }
}

interface FeatureNeeds {
  config: Config
  world: OpenWorld
  publish: (event: LiveEvent) => void
  log: Log
  proxyUrl: string | undefined
  usageResetAt: () => number | undefined
}

/** Feature sessions run in the process that serves the page. */
async function openFeatures(
  { config, world, publish, log, proxyUrl, usageResetAt }: FeatureNeeds,
  closers: Closer[],
): Promise<Engine> {
  const [{ workflowEngine }, { states }, guard, memory, learning, hookParts, judgeFor] = await Promise.all([
    import('../compose/workflow.ts'),
    world.store(),
    world.guard(),
    world.memory(),
    world.learning(),
    world.hookParts(),
    world.judge(),
  ])
  const parts = { states, guard, memory, learning, hookParts, judgeFor, clock: world.clock }
  const baseUrl = proxyUrl && keyedProxy(config, proxyUrl)
  const engine = workflowEngine({ config, publish, log, ...parts, baseUrl, usageResetAt })
  await engine.start()
  closers.push(() => engine.close())
  return engine
}

interface WebNeeds {
  features: Engine
  config: Config
  world: OpenWorld
  hooks: HookTransports
  live: LiveFeed
  log: Log
}

async function openWeb({ config, world, hooks, live, log, features }: WebNeeds, closers: Closer[]) {
  const { host, port } = config
  const [store, memory, learning, guard, trace, pauses] = await Promise.all([
    world.writeBehind(),
    world.memory(),
    world.learning(),
    world.guard(),
    world.trace(),
    world.pauses(),
  ])
  const keys = keysOf(homeToken(pathsOf(config).token))
  const app = buildServer({
    config,
    version,
    keys,
    peers: systemPeers(),
    webFolder: webFolder(),
    live,
    log,
    agents: agentsIn(store, Date.now),
    projects: () => store.projects.list(),
    findings: () => explainedFindings(store.states),
    memory,
    learning,
    guard,
    trace,
    pauses,
    features,
    self: selfKnowledge(config),
    serveHooks: hooks.serveOn,
  })
  closers.push(() => app.close())
  try {
    await app.listen({ host, port })
  } catch (error) {
    throw await explainListenError(error, { listener: 'web page', host, port, env: 'PORT' })
  }
  const address = app.server.address()
  const actualPort = typeof address === 'object' && address ? address.port : port
  const localUrl = urlOf({ host: isEverywhere(host) ? '127.0.0.1' : host, port: actualPort })
  const outside = urlOf({ host: isEverywhere(host) ? ownAddress() : host, port: actualPort })
  return { localUrl, link: `${outside}/?token=${keys.link}` }
}

function urlOf({ host, port }: { host: string; port: number }): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function isEverywhere(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

/** The address under which other machines most likely reach this one. */
function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1'
}
