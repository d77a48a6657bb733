import type { Env } from '#config/load.ts'

/** What Claude Code tells its hooks about one session; a daemon that outlives it must not believe to be part of it. */
const OF_THE_SESSION =
  /^(?:CLAUDECODE|CLAUDE_PID|AI_AGENT|CLAUDE_EFFORT|CLAUDE_ENV_FILE|CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_\w+|CLAUDE_CODE_(?:SESSION_ID|SESSION_ATTENDED|CHILD_SESSION|ENTRYPOINT|MESSAGING_\w+)|ANTHROPIC_BASE_URL)$/

/**
 * glibc keeps what is freed for later, in each thread up to twice the largest block that was ever given back, which after a start is
 * megabytes. A limit of one's own ends that; this is the one that it begins with. It can be set at a start only.
 */
export const LEAN_MEMORY = { MALLOC_TRIM_THRESHOLD_: String(128 * 1024) }

/** The environment of a daemon that is started in the background by a process with this one. */
export function backgroundEnvironment(env: Env, home: string): Env {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !OF_THE_SESSION.test(name)))
  return { ...LEAN_MEMORY, ...own, GROVE_HOME: home, GROVE_STARTED_BY: 'claude' }
}

/** Takes away what was meant for this process alone, before it starts others. */
export function keepMemorySettings(env: Env): void {
  for (const [name, value] of Object.entries(LEAN_MEMORY)) if (env[name] === value) delete env[name]
}
