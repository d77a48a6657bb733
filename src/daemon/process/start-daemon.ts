import { spawn } from 'node:child_process'
import { mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#config/config.ts'
import type { Env } from '#config/load.ts'
import { pathsOf } from '#config/paths.ts'
import { holderOf } from './lock.ts'

/** What Claude Code tells its hooks about one session; a daemon that outlives it must not believe to be part of it. */
const OF_THE_SESSION =
  /^(?:CLAUDECODE|AI_AGENT|CLAUDE_EFFORT|CLAUDE_ENV_FILE|CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_\w+|CLAUDE_CODE_(?:SESSION_ID|CHILD_SESSION|ENTRYPOINT)|ANTHROPIC_BASE_URL)$/

/**
 * Starts `grove up` for a Claude Code whose requests would find nobody. Returns at once: the client tries again for
 * minutes when nobody listens, and the daemon needs a second or two. When several sessions begin at once, all but one of
 * the processes find the lock taken and end.
 */
export function startDaemon(config: Config, env: Env, program: string): boolean {
  const paths = pathsOf(config)
  if (!config.proxy.startWithClaude || holderOf(join(paths.run, 'proxy.json'))) return false
  mkdirSync(paths.logs, { recursive: true, mode: 0o700 })
  const log = openSync(join(paths.logs, 'started.log'), 'a', 0o600)
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !OF_THE_SESSION.test(name)))
  spawn(process.execPath, [program, 'up'], {
    // Not the project: its settings are for its own sessions, and the folder may go away.
    cwd: paths.home,
    env: { ...own, GROVE_HOME: paths.home },
    detached: true,
    stdio: ['ignore', log, log],
    windowsHide: true,
  }).unref()
  return true
}
