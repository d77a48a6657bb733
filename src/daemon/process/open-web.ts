import type { Config } from '#config/config.ts'
import { localUrlOf, outsideHostsOf, urlOf } from '#config/listening-address.ts'
import { pathsOf } from '#config/paths.ts'
import { version } from '#config/version.ts'
import type { Log } from '#core/ports/runtime.ts'
import { systemPeers } from '#exec/peers/peers.ts'
import type { LiveEvent } from '#protocol/live.ts'
import { agentsIn } from '#server/agents.ts'
import { closeSoon } from '#server/close-soon.ts'
import { keysOf } from '#server/keys.ts'
import type { LiveFeed } from '#server/live.ts'
import { buildServer } from '#server/server.ts'
import { homeToken } from '#server/token.ts'
import { explainedFindings } from '#supervisor/canary/findings.ts'
import type { Engine } from '#workflow/engine.ts'
import { keyedProxy } from '../attach/proxy-variables.ts'
import type { OpenWorld } from '../compose/world.ts'
import type { HookTransports } from '../transports/hooks.ts'
import { installationFacts } from './installation-facts.ts'
import { explainListenError } from './listen-error.ts'
import type { Closer } from './open-proxy.ts'
import { webFolder } from './web-folder.ts'

interface FeatureNeeds {
  config: Config
  world: OpenWorld
  publish: (event: LiveEvent) => void
  log: Log
  proxyUrl: string | undefined
  usageResetAt: () => number | undefined
}

/** Feature sessions run in the process that serves the page. */
export async function openFeatures(
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

/** Serves the page and the API; resolves to where they are and to the link that lets a browser in. */
export async function openWeb({ config, world, hooks, live, log, features }: WebNeeds, closers: Closer[]) {
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
    projects: (most) => store.projects.list(most),
    findings: () => explainedFindings(store.states),
    memory,
    learning,
    guard,
    trace,
    pauses,
    features,
    self: installationFacts(config),
    serveHooks: hooks.serveOn,
  })
  closers.push(async () => {
    // Clients that are driven end first, however long something else takes to close.
    const ended = features.close()
    await closeSoon(app)
    await ended
  })
  try {
    await app.listen({ host, port })
  } catch (error) {
    throw await explainListenError(error, { listener: 'web page', host, port, env: 'PORT' })
  }
  const address = app.server.address()
  const actualPort = typeof address === 'object' && address ? address.port : port
  const outside = urlOf({ host: outsideHostsOf(host)[0] ?? '127.0.0.1', port: actualPort })
  return { localUrl: localUrlOf({ host, port: actualPort }), link: `${outside}/?token=${keys.link}` }
}
