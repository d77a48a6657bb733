import { EventEmitter, once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastify from 'fastify'
import { loadConfig } from '../../src/config/load.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { type OpenWorld, openWorld } from '../../src/daemon/compose/world.ts'
import { proxyObserver } from '../../src/daemon/transports/proxy-observer.ts'
import { eventFromKebab, type HookEventName, kebabEvent, readHookEvent } from '../../src/protocol/hook-event.ts'
import type { LiveEvent } from '../../src/protocol/live.ts'
import { startProxy } from '../../src/proxy/server.ts'
import type { ObservedTurn } from '../../src/supervisor/call.ts'
import { type HookPart, handleHook } from '../../src/supervisor/handle-hook.ts'
import type { Supervisor } from '../../src/supervisor/supervisor.ts'
import { tempDir } from './project.ts'

/** A turn, with what was asked: its call gives the bytes back once it is observed. */
type SeenTurn = ObservedTurn & { asked: string }

/** Grove as a test sees it from outside, with a window on what it observed. */
export interface Grove {
  /** What Claude Code gets as ANTHROPIC_BASE_URL. */
  url: string
  turns: SeenTurn[]
  /** What it logged as a warning or worse. */
  warnings: string[]
  events: LiveEvent[]
  world: OpenWorld
  store: Store
  supervisor: Supervisor
  parts: HookPart[]
  /** Claude Code settings that attach its hooks to this Grove, over http. */
  hookSettings: object
  /** Resolves as soon as the condition holds; it is asked again after every observed turn. */
  until(condition: () => boolean): Promise<void>
  /** Ends it and starts it again, on the same ports and in the same home. */
  restart(): Promise<void>
  close(): Promise<void>
}

export interface GroveOptions {
  target: string
  /** Settings, as environment variables. */
  env?: Record<string, string>
  /** Settings, as the user's config.toml. */
  config?: string
  /** Further hooks to attach. */
  hooks?: readonly HookEventName[]
}

// SessionStart is not sent over http; Stop belongs to the learning gate, which has stories of its own.
const HOOKED = ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure'] as const

/** Starts Grove in this process: the real proxy, supervisor and store, on a free loopback port and in a home of its own. */
export async function startGrove({
  target,
  env = {},
  config: toml = '',
  hooks: more = [],
}: GroveOptions): Promise<Grove> {
  const turns: SeenTurn[] = []
  const warnings: string[] = []
  const events: LiveEvent[] = []
  const observed = new EventEmitter()
  const home = await tempDir('grove-home')
  await writeFile(join(home, 'config.toml'), toml)
  const warn = (fields: object, message: string) => {
    warnings.push(`${message} ${JSON.stringify(fields, Object.getOwnPropertyNames(fields))}`)
  }
  const log = { debug() {}, info() {}, warn, error: warn }
  const config = loadConfig({ env: { GROVE_HOME: home, ANTHROPIC_TARGET: target, ...env }, cwd: home })

  async function open(ports: { proxy: number; hooks: number }) {
    const world = openWorld({ config, log, publish: (event) => void events.push(event) })
    const [store, supervisor, parts, pauses] = await Promise.all([
      world.store(),
      world.supervisor(),
      world.hookParts(),
      world.pauses(),
    ])
    const observer = proxyObserver(supervisor)
    const proxy = await startProxy({
      host: '127.0.0.1',
      port: ports.proxy,
      target,
      log,
      // On a machine that runs many tests at once a request may wait; being too late is another test's matter.
      limits: { prepareMs: 10_000 },
      observer: {
        ...observer,
        async observe(turn) {
          const asked = turn.call.body.toString()
          await supervisor.observe(turn)
          turns.push({ ...turn, asked })
          observed.emit('turn')
        },
      },
    })
    const hooks = fastify({ bodyLimit: 16 * 1024 * 1024, forceCloseConnections: true })
    hooks.post<{ Params: { event: string } }>('/hooks/:event', ({ params, body }) =>
      handleHook(parts, readHookEvent(body, eventFromKebab(params.event)), log, pauses),
    )
    const hookUrl = await hooks.listen({ host: '127.0.0.1', port: ports.hooks })
    return { world, store, supervisor, parts, proxy, hooks, hookUrl }
  }

  let now = await open({ proxy: 0, hooks: 0 })
  const { hookUrl } = now
  const proxyPort = now.proxy.port
  const end = async () => {
    // A test that has ended has nothing left to wait for.
    await now.proxy.close(0)
    await now.hooks.close()
    await now.world.close()
  }
  const settings = Object.fromEntries(
    [...HOOKED, ...more].map((event) => [
      event,
      [{ hooks: [{ type: 'http', url: `${hookUrl}/hooks/${kebabEvent(event)}` }] }],
    ]),
  )
  return {
    url: `http://127.0.0.1:${proxyPort}`,
    turns,
    warnings,
    events,
    get world() {
      return now.world
    },
    get store() {
      return now.store
    },
    get supervisor() {
      return now.supervisor
    },
    get parts() {
      return now.parts
    },
    hookSettings: { hooks: settings },
    async until(condition) {
      while (!condition()) await once(observed, 'turn')
    },
    async restart() {
      await now.supervisor.idle()
      await end()
      now = await open({ proxy: proxyPort, hooks: Number(new URL(hookUrl).port) })
    },
    async close() {
      await end()
      await rm(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
