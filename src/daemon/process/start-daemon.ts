import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '#config/config.ts'
import type { Env } from '#config/load.ts'
import { makeFolder } from '#config/make-folder.ts'
import { type Paths, pathsOf } from '#config/paths.ts'
import { Trouble } from '#config/trouble.ts'
import { version } from '#config/version.ts'
import { isComputing } from '#exec/process/table.ts'
import { homeToken } from '#server/token.ts'
import { backgroundEnvironment } from './background-environment.ts'
import { ensureHome, reasonOf, tryToWrite } from './home.ts'
import { explainListenError } from './listen-error.ts'
import { holderOf } from './lock.ts'
import { isOwnProxy } from './verify-proxy.ts'
import { isOlder } from './versions.ts'

/** The proxy of this home, proved to be it, or why there is none and what to do. */
export type Reached =
  | { url: string; started: boolean; note?: string }
  | { off: string; fix: string; stranger?: boolean }

interface Needs {
  config: Config
  env: Env
  /** `grove.js` of this installation. */
  program: string
  /** How long a start may take; the caller waits for it. */
  patienceMs: number
  /** Start one where none runs. */
  mayStart: boolean
}

const LOOK_AGAIN = 40

/**
 * Finds the running proxy of this home or starts one, and lets it prove itself. When several sessions begin at once, all
 * but one of the started processes find the lock taken and end. A daemon of an older Grove is replaced: `grove up` sees to it.
 */
export async function reachProxy({ config, env, program, patienceMs, mayStart }: Needs): Promise<Reached> {
  const paths = pathsOf(config)
  const lock = join(paths.run, 'proxy.json')
  const before = holderOf(lock)
  const replaces = before !== undefined && isOlder(before.version, version)
  const isUp = before?.url !== undefined && !replaces
  const until = Date.now() + patienceMs
  let child: Started | undefined
  try {
    if (!before || replaces) {
      const stranger = before ? undefined : await strangerAt(config)
      if (stranger) return stranger
      if (!mayStart) return { off: 'Grove is not running', fix: 'Start it with `grove up`.' }
      child = start(paths, env, program)
    }
    const token = homeToken(paths.token)
    for (;;) {
      const holder = holderOf(lock)
      const isWanted = holder?.url !== undefined && (!replaces || holder.pid !== before.pid)
      if (isWanted && (await isOwnProxy(holder.url!, token))) {
        return { url: holder.url!, started: child !== undefined, ...noteOn(holder.version) }
      }
      // One that found the lock taken has ended, and another is about to run.
      const failed = child?.ended() && (!holder || holder.pid === before?.pid)
      // A process that runs and uses no CPU is stuck; waiting longer is no use.
      const isStuck = isUp && holder !== undefined && !isComputing(holder.pid)
      if (failed || isStuck || Date.now() > until) {
        if (replaces && before.url && (await isOwnProxy(before.url, token))) {
          return {
            url: before.url,
            started: false,
            note: `Grove ${before.version} is still running and is used; \`grove restart\` starts ${version}.`,
          }
        }
        if (isUp && holder) noteSilence(paths.run)
        return child?.ended() ? child.trouble() : notReady(holder?.pid, child !== undefined)
      }
      await sleep(LOOK_AGAIN)
    }
  } catch (error) {
    if (error instanceof Trouble) return { off: withoutStop(error.message), fix: error.wayOut }
    return {
      off: `Grove cannot use its home: ${reasonOf((error as NodeJS.ErrnoException).code)}`,
      fix: 'Run `grove doctor`.',
    }
  }
}

/** Waits for a proxy that a service manager starts: the manager does not say whether what it started is up. */
export async function untilReached(needs: Omit<Needs, 'mayStart'>): Promise<Reached> {
  for (const until = Date.now() + needs.patienceMs; ; await sleep(100)) {
    const reached = await reachProxy({ ...needs, mayStart: false })
    if ('url' in reached || Date.now() > until) return reached
  }
}

/** Tells the hook client, which would otherwise find out by itself, and wait once more for it. */
function noteSilence(run: string): void {
  try {
    writeFileSync(join(run, 'silent'), `${Math.floor(Date.now() / 1000)}\n`)
  } catch {
    // A full disk: then it does find out by itself.
  }
}

/** Checks whether the port is taken: known at once, where starting a daemon to find out would take a second. */
async function strangerAt({ proxy }: Config): Promise<Reached | undefined> {
  if (proxy.port === 0 || !(await isTaken(proxy))) return undefined
  const error = Object.assign(new Error('taken'), { code: 'EADDRINUSE' })
  const explained = await explainListenError(error, { listener: 'proxy', ...proxy, env: 'PROXY_PORT' })
  if (!(explained instanceof Trouble)) return undefined
  return { off: withoutStop(explained.message), fix: withStop(explained.wayOut), stranger: true }
}

function isTaken({ host, port }: { host: string; port: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EADDRINUSE'))
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(false)))
  })
}

interface Started {
  ended(): boolean
  /** What it said before it ended. */
  trouble(): { off: string; fix: string }
}

function start(paths: Paths, env: Env, program: string): Started {
  ensureHome(paths.home)
  makeFolder(paths.logs)
  tryToWrite(paths.home)
  const file = join(paths.logs, 'started.log')
  const log = openSync(file, 'a', 0o600)
  const from = statSync(file).size
  const child: ChildProcess = spawn(process.execPath, [program, 'up'], {
    // Not the project: its settings are for its own sessions, and the folder may go away.
    cwd: paths.home,
    env: backgroundEnvironment(env, paths.home),
    detached: true,
    stdio: ['ignore', log, log],
    windowsHide: true,
  })
  let ended = false
  child.on('exit', () => {
    ended = true
  })
  child.on('error', () => {
    ended = true
  })
  child.unref()
  return { ended: () => ended, trouble: () => lastWords(readFileSync(file).subarray(from).toString('utf8')) }
}

/** `error: what is wrong`, an empty line, and the way out, as the command line prints it; or both in one line. */
function lastWords(log: string): { off: string; fix: string } {
  const [, message = '', wayOut] = /^error: ([^\n]+)(?:\n\n([^\n]+))?/m.exec(log) ?? []
  if (message && wayOut) return { off: withoutStop(message), fix: withStop(wayOut) }
  const [, off, fix] = /^(.+?)\. ([A-Z].*)$/.exec(message) ?? []
  if (off && fix) return { off, fix: withStop(fix) }
  return { off: 'Grove does not start', fix: 'Run `grove up` to see why.' }
}

function notReady(pid: number | undefined, isStarting: boolean): { off: string; fix: string } {
  if (isStarting || pid === undefined)
    return { off: 'Grove is still starting', fix: 'Start Claude Code again in a moment.' }
  return { off: `Grove (pid ${pid}) does not answer`, fix: 'Run `grove restart`.' }
}

function noteOn(running: string): { note?: string } {
  if (!isOlder(version, running)) return {}
  return {
    note: `Grove ${running} is running, newer than this one (${version}), and is used; update with \`npm install -g grovekeeper\`.`,
  }
}

function withStop(text: string): string {
  return text.replace(/\.?$/, '.')
}

function withoutStop(text: string): string {
  return text.replace(/\.$/, '')
}

/** Whether the proxy of this home ended without a word: one that was stopped takes its lock with it. */
export function hasCrashed(config: Config): boolean {
  const lock = join(pathsOf(config).run, 'proxy.json')
  return existsSync(lock) && holderOf(lock) === undefined
}
