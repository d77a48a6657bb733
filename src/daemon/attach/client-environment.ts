import { join } from 'node:path'
import type { Env } from '#config/load.ts'
import { envOf, parseSettings, type SettingsProblem } from '#protocol/settings.ts'
import { claudeFiles, readIfThere } from './claude-files.ts'

interface ClientEnvironment {
  env: Env
  /** The variables that an administrator has set: they override what Claude Code is started with. */
  managed: Env
  /** Settings files that Claude Code ignores silently. */
  unreadable: { file: string; problem: SettingsProblem }[]
}

/** The variables that Claude Code started in this folder would have: its settings files set them over the shell's, the nearest file last. */
export function clientEnvironment(shell: Env, root: string): ClientEnvironment {
  const { userSettings, projectSettings, managed } = claudeFiles(shell)
  const files = new Set([userSettings, join(root, '.claude', 'settings.json'), projectSettings(root), ...managed])
  const found: ClientEnvironment = { env: { ...shell }, managed: {}, unreadable: [] }
  for (const file of files) {
    const reading = parseSettings(readOrNothing(file) ?? '{}')
    if (reading.ok) {
      const set = envOf(reading.settings)
      Object.assign(found.env, set)
      if (managed.includes(file)) Object.assign(found.managed, set)
    } else found.unreadable.push({ file, problem: reading.problem })
  }
  return found
}

function readOrNothing(file: string): string | undefined {
  try {
    return readIfThere(file)
  } catch {
    // Not readable: what it sets is unknown.
    return undefined
  }
}
