import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Config } from '#config/config.ts'
import type { Env } from '#config/load.ts'
import { pathsOf } from '#config/paths.ts'
import { linkRoutes } from '#protocol/api/links.ts'
import { homeToken } from '#server/token.ts'
import { runningListeners } from '../process/listeners.ts'
import { reachProxy } from '../process/start-daemon.ts'

interface Needs {
  config: Config
  env: Env
  /** `grove.js` of this installation. */
  program: string
}

type Link = { link: string } | { off: string; fix: string }

const PATIENCE = 20_000
const LOOK_AGAIN = 50

/** A link that lets one browser in; Grove is started where it does not run. */
export async function linkToPage({ config, env, program }: Needs): Promise<Link> {
  if (!runningListeners(config).web) {
    const reached = await reachProxy({ config, env, program, patienceMs: PATIENCE, mayStart: true })
    if (!('url' in reached)) return reached
  }
  for (const until = Date.now() + PATIENCE; Date.now() < until; await sleep(LOOK_AGAIN)) {
    const url = runningListeners(config).web?.url
    if (url) return askForLink(url, homeToken(pathsOf(config).token))
  }
  return { off: 'Grove runs without its page', fix: 'Start it with `grove web`.' }
}

async function askForLink(url: string, token: string): Promise<Link> {
  const { method, path } = linkRoutes.make
  const headers = { authorization: `Bearer ${token}`, 'content-length': 0 }
  const answer = await new Promise<string>((resolve, reject) => {
    const asked = request(url + path, { method, headers, timeout: PATIENCE }, (response) => {
      text(response).then(resolve, reject)
    })
    asked.on('timeout', () => asked.destroy(new Error('no answer')))
    asked.on('error', reject).end()
  })
  const said = JSON.parse(answer) as { path?: string; message?: string; suggestion?: string }
  if (said.path !== undefined) return { link: url + said.path }
  return { off: said.message?.replace(/\.$/, '') ?? 'Grove gave no link', fix: said.suggestion ?? 'See `grove logs`.' }
}

/** Opens the user's browser; false where there is none. */
export function openBrowser(link: string, config: Config, env: Env): Promise<boolean> {
  const opener = openerFor(process.platform, env)
  if (!opener) return Promise.resolve(false)
  const [program, ...args] = opener
  const address = process.platform === 'darwin' ? throughFile(link, config) : link
  return new Promise((resolve) => {
    const child = spawn(program!, [...args, address], { stdio: 'ignore', detached: true, windowsHide: true })
    child.on('error', () => resolve(false))
    child.on('spawn', () => resolve(true))
    child.unref()
  })
}

/**
 * Every user can read the arguments of a program. On Linux that is no matter, because the link opens nothing to another
 * user; where the system does not tell whose connection it is, the link goes through a file that only its owner can read.
 */
function throughFile(link: string, { home }: Config): string {
  const file = join(home, 'run', 'open.html')
  writeFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0;url=${link}">\n`, { mode: 0o600 })
  return pathToFileURL(file).href
}

/** The program that opens a link, with its arguments before the link; undefined where there is no screen. */
export function openerFor(
  platform: NodeJS.Platform,
  { BROWSER, DISPLAY, WAYLAND_DISPLAY, WSL_DISTRO_NAME }: Env,
): string[] | undefined {
  if (BROWSER) return [BROWSER]
  if (platform === 'darwin') return ['open']
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  if (WSL_DISTRO_NAME) return ['wslview']
  return DISPLAY || WAYLAND_DISPLAY ? ['xdg-open'] : undefined
}
