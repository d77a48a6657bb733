import { join } from 'node:path'
import { isDirect } from '#config/company-proxy.ts'
import type { Config } from '#config/config.ts'
import type { Env } from '#config/load.ts'
import { pathsOf } from '#config/paths.ts'
import { holderOf } from '../process/lock.ts'
import { reachProxy } from '../process/start-daemon.ts'
import { clientEnvironment } from './client-environment.ts'
import { keyedProxy, ownGateway, proxyVariables } from './proxy-variables.ts'

/** How Claude Code is to be started. */
export interface Launch {
  /** For this one process. */
  variables: Record<string, string>
  /** One line for the user, where something is off. */
  note?: string
}

interface Needs {
  config: Config
  env: Env
  /** The project's root, or where the user stands. */
  root: string
  program: string
}

/** `grove claude` waits no longer than this for the daemon. */
const PATIENCE = 1500

/**
 * Makes sure of a proxy that has proved itself, and returns the variables that point Claude Code at it; without one,
 * none.
 */
export async function prepareLaunch({ config, env, root, program }: Needs): Promise<Launch> {
  const { env: theirs, managed } = clientEnvironment(env, root)
  if (managed.ANTHROPIC_BASE_URL) {
    return plain(
      `your administrator's settings send Claude Code to ${managed.ANTHROPIC_BASE_URL}`,
      'Hooks work all the same; `grove doctor` checks them.',
    )
  }
  const running = holderOf(join(pathsOf(config).run, 'proxy.json'))?.url
  const gateway = ownGateway(theirs, config.proxy, running)
  if (gateway) {
    return plain(
      `ANTHROPIC_BASE_URL is ${gateway}`,
      `To have both, set proxy.target to it: \`grove doctor\` says where.`,
    )
  }
  const reached = await reachProxy({ config, env, program, patienceMs: PATIENCE, mayStart: true })
  if (!('url' in reached)) return plain(reached.off, reached.fix)
  const { variables } = proxyVariables({ ...theirs, ANTHROPIC_BASE_URL: undefined }, config, reached.url)
  const given = { ...variables, ANTHROPIC_BASE_URL: keyedProxy(config, reached.url) }
  // Settings files are stronger than what the client is started with.
  if (!isDirect(clientEnvironment({ ...env, ...given }, root).env, reached.url)) {
    return plain(
      'the NO_PROXY in a settings file of Claude Code leaves out this machine',
      `Add ${new URL(reached.url).hostname} to it.`,
    )
  }
  return { variables: given, ...(reached.note && { note: reached.note }) }
}

function plain(off: string, fix: string): Launch {
  return { variables: {}, note: `${off}, so Claude Code runs without the proxy. ${fix}` }
}
