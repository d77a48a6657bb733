import { readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { tilde } from '#config/paths.ts'
import { describeProblem, isWholeFile } from '#config/problem.ts'
import { version } from '#config/version.ts'
import type { OpenWorld } from '#daemon/compose/world.ts'
import type { DoctorFinding } from '#protocol/api/settings.ts'
import { parseJson } from '#protocol/json.ts'
import { ask } from '../http.ts'
import { counted } from '../print.ts'
import { withWorld } from '../world.ts'
import { type Check, fail, failure, ok, reason, type Scene, warn } from './check.ts'

/** Checks of Grove itself: settings, store, ports, the way to the API. */

export const checkConfig: Check = ({ settings }) => {
  const { problems, values } = settings
  if (problems.length === 0) {
    const changed = values.filter(({ source }) => source.kind !== 'default').length
    return [ok('config', `valid; ${changed} of ${values.length} settings changed from their defaults`)]
  }
  return problems.map((problem) => {
    const fix = isWholeFile(problem)
      ? 'Fix that file; until then none of its settings is used.'
      : 'Correct or remove it; until then it has no effect, and the default is used.'
    return warn('config', describeProblem(problem), fix)
  })
}

export const checkStore: Check = async ({ cli, settings: { config } }) => {
  const [{ databaseFacts }, { schemaVersion, tryDriver }] = await Promise.all([
    import('#daemon/commands/inspect.ts'),
    import('#daemon/compose/store-file.ts'),
  ])
  const { where } = databaseFacts(config)
  try {
    await tryDriver()
    const look = async (world: OpenWorld) => (world.hasStore() ? (await world.store()).counts() : undefined)
    const counts = await withWorld(cli, look, { config })
    if (!counts) return [ok('store', `${tilde(where)} will be created at the first start`)]
    const version = await schemaVersion()
    const opens = ok(
      'store',
      `${tilde(where)} opens, schema version ${version}, ${counted(counts.sessions, 'agent session')}`,
    )
    return [opens, ...setAside(config.home)]
  } catch (error) {
    return [failure('store', error, 'See the log file for more.')]
  }
}

/** A database that was damaged lies beside the new one, with what could not be read from it. */
function setAside(home: string): DoctorFinding[] {
  const files = readdirSync(home).filter((name) => /^grove\.db\.damaged-\w+$/.test(name))
  const newest = files.toSorted().at(-1)
  if (newest === undefined) return []
  return [
    warn(
      'store',
      `the database was damaged: a new one took over what could be read, and the old one was set aside as ${newest}`,
      `Remove ${tilde(join(home, newest))} once you are sure that nothing is missing.`,
    ),
  ]
}

export const checkListeners: Check = async (scene) => {
  const { config } = scene.settings
  const [{ runningListeners }, { explainListenError }] = await Promise.all([
    import('#daemon/process/listeners.ts'),
    import('#daemon/process/listen-error.ts'),
  ])
  const { proxy, web } = runningListeners(config)
  if (config.port !== 0 && config.port === config.proxy.port) {
    const detail = `port ${config.port} is set for both the proxy and the web page`
    return [fail('ports', detail, 'Set PORT or PROXY_PORT to another one.')]
  }
  const listeners = [
    { check: 'web', listener: 'web page', holder: web, host: config.host, port: config.port, env: 'PORT' },
    {
      check: 'proxy',
      listener: 'proxy',
      holder: proxy,
      host: config.proxy.host,
      port: config.proxy.port,
      env: 'PROXY_PORT',
    },
  ]
  return Promise.all(
    listeners.map(async ({ check, holder, ...place }) => {
      if (holder) return checkRunning(check, holder)
      try {
        await tryPort(place.host, place.port)
        return ok(check, `not running; port ${place.port} is free`)
      } catch (error) {
        return failure(check, await explainListenError(error, place), 'Choose another port.')
      }
    }),
  )
}

async function checkRunning(check: string, { pid, url }: { pid: number; url?: string }): Promise<DoctorFinding> {
  if (!url) return warn(check, `starting (pid ${pid})`, 'Try again in a moment.')
  try {
    const { status, body } = await ask(`${url}/health`)
    const { version: theirs = version } = (parseJson(body) ?? {}) as { version?: string }
    const { isOlder } = await import('#daemon/process/versions.ts')
    if (status === 200 && theirs !== version)
      return warn(
        check,
        `running at ${url} (pid ${pid}) as version ${theirs}; this is ${version}`,
        isOlder(version, theirs) ? 'Update this one: `npm install -g grovekeeper`.' : 'Run `grove restart`.',
      )
    if (status === 200) return ok(check, `running at ${url} (pid ${pid})`)
    return fail(check, `${url} answers ${status}`, 'Restart it: `grove restart`')
  } catch (error) {
    return fail(check, `pid ${pid} does not answer at ${url}: ${reason(error)}`, 'Restart it: `grove restart`')
  }
}

function tryPort(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()))
  })
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/

/** The web page asks strangers for a token; the proxy cannot, its clients know none. */
export const checkExposure: Check = ({ settings }) => {
  const { host } = settings.config.proxy
  if (LOOPBACK.test(host)) return []
  return [
    warn(
      'exposure',
      `the proxy on ${host} serves everyone who can reach it`,
      'Set PROXY_HOST=127.0.0.1 unless you intended that.',
    ),
  ]
}

export const checkTarget: Check = async ({ settings, online }: Scene) => {
  const { target } = settings.config.proxy
  const isHere = LOOPBACK.test(new URL(target).hostname)
  if (!isHere && !online) return [ok('target', `${target} (not checked; \`grove doctor --online\` does)`)]
  try {
    const { status } = await ask(target)
    return [ok('target', `${target} answers (${status})`)]
  } catch (error) {
    return [
      fail(
        'target',
        `${target} does not answer: ${reason(error)}`,
        'Check ANTHROPIC_TARGET, and the network or HTTPS_PROXY.',
      ),
    ]
  }
}
