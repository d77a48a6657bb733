import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '#config/config.ts'
import type { Env } from '#config/load.ts'
import { pathsOf } from '#config/paths.ts'
import { keysOf } from '#server/keys.ts'
import { homeToken } from '#server/token.ts'
import { runningListeners } from '../process/listeners.ts'
import { reachProxy } from '../process/start-daemon.ts'

interface Needs {
  config: Config
  env: Env
  /** `grove.js` of this installation. */
  program: string
}

const PATIENCE = 20_000
const LOOK_AGAIN = 50

/** The link that lets a browser in; Grove is started where it does not run. */
export async function linkToPage({
  config,
  env,
  program,
}: Needs): Promise<{ link: string } | { off: string; fix: string }> {
  if (!runningListeners(config).web) {
    const reached = await reachProxy({ config, env, program, patienceMs: PATIENCE, mayStart: true })
    if (!('url' in reached)) return reached
  }
  for (const until = Date.now() + PATIENCE; Date.now() < until; await sleep(LOOK_AGAIN)) {
    const url = runningListeners(config).web?.url
    if (url) return { link: `${url}/?token=${keysOf(homeToken(pathsOf(config).token)).link}` }
  }
  return { off: 'Grove runs without its page', fix: 'Start it with `grove web`.' }
}

/** Opens the user's browser; false where there is none. */
export function openBrowser(address: string, env: Env): Promise<boolean> {
  const opener = openerFor(env)
  if (!opener) return Promise.resolve(false)
  const [program, ...args] = opener
  return new Promise((resolve) => {
    const child = spawn(program!, [...args, address], { stdio: 'ignore', detached: true, windowsHide: true })
    child.on('error', () => resolve(false))
    child.on('spawn', () => resolve(true))
    child.unref()
  })
}

function openerFor({ BROWSER, DISPLAY, WAYLAND_DISPLAY, WSL_DISTRO_NAME }: Env): string[] | undefined {
  if (BROWSER) return [BROWSER]
  if (process.platform === 'darwin') return ['open']
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  if (WSL_DISTRO_NAME) return ['wslview']
  return DISPLAY || WAYLAND_DISPLAY ? ['xdg-open'] : undefined
}
