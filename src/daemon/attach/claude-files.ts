import { mkdir, rmdir, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Env } from '#config/load.ts'
import { tilde } from '#config/paths.ts'
import { readPlain } from '#config/plain-file.ts'
import { Trouble } from '#config/trouble.ts'
import type { Edited } from '#hooks/install.ts'

/** Where Claude Code keeps what it is told: settings, and its own configuration with the MCP servers. */
export interface ClaudeFiles {
  userSettings: string
  /** The user's own settings for one project; not the ones that come with the repository. */
  projectSettings(root: string): string
  configuration: string
  /** Managed settings of an administrator: they override all others, and the shell's variables. */
  managed: string[]
}

const MANAGED = [
  '/etc/claude-code/managed-settings.json',
  '/Library/Application Support/ClaudeCode/managed-settings.json',
]

export function claudeFiles(env: Env): ClaudeFiles {
  const home = env.HOME || homedir()
  const folder = env.CLAUDE_CONFIG_DIR
  return {
    userSettings: join(folder || join(home, '.claude'), 'settings.json'),
    projectSettings: (root) => join(root, '.claude', 'settings.local.json'),
    configuration: join(folder || home, '.claude.json'),
    managed: MANAGED,
  }
}

const STALE = 10_000
const PAUSE = 50
/** A lock that a killed process has left is waited for until it is stale. */
const TRIES = (STALE + 1_000) / PAUSE

/** Claude Code rewrites its configuration all the time, under a lock folder beside it; we take the same lock. */
export async function whileLocked<T>(file: string, work: () => Promise<T>): Promise<T> {
  const lock = `${file}.lock`
  await take(file, lock)
  try {
    return await work()
  } finally {
    await rmdir(lock)
  }
}

async function take(file: string, lock: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      return await mkdir(lock)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      if (await isStale(lock))
        await rmdir(lock).catch(() => {}) // Another process removed it first.
      else await sleep(PAUSE)
    }
  }
  throw new Trouble(
    `Claude Code is busy with ${tilde(file)}.`,
    `Try again in a moment. If it stays like this, remove ${tilde(lock)}.`,
  )
}

async function isStale(lock: string): Promise<boolean> {
  const found = await stat(lock).catch(() => undefined) // Released in the meantime.
  return found !== undefined && Date.now() - found.mtimeMs > STALE
}

/** What came of editing a file, or the trouble with it in words. */
export function soundly<T>(file: string, edited: Edited<T>): T {
  if (edited.ok) return edited.value
  const { message, line, column } = edited.problem
  const place = line === undefined ? tilde(file) : `${tilde(file)}:${line}:${column}`
  throw new Trouble(`${place}: ${message}.`, 'Fix the file and try again. Nothing was changed.')
}

export function readIfThere(file: string): string | undefined {
  try {
    return readPlain(file).toString('utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
