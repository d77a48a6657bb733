import { join } from 'node:path'
import type { Env } from '#config/load.ts'
import { isOurHook } from '#hooks/entries.ts'
import { hooksOf, parseSettings } from '#protocol/settings.ts'
import { claudeFiles, readIfThere } from './claude-files.ts'

/** How long one file lets the hook before a tool take. */
export interface Grant {
  file: string
  seconds: number
}

/** What the plugin's own file grants. */
const PLUGIN_SECONDS = 150
/** The client's default timeout for a hook. */
const CLIENTS_OWN_SECONDS = 60

/** Every file that sets a time for the hook before a tool: settings of all kinds, and the plugin where one is switched on. */
export function grants(root: string, env: Env): Grant[] {
  const { userSettings, projectSettings, managed } = claudeFiles(env)
  const files = [...new Set([userSettings, join(root, '.claude', 'settings.json'), projectSettings(root), ...managed])]
  return files.flatMap((file) => {
    const reading = parseSettings(readIfThere(file) ?? '{}')
    // Not JSON: the client does not read it either.
    if (!reading.ok) return []
    const ours = hooksOf(reading.settings).filter(({ hook, event }) => event === 'PreToolUse' && isOurHook(hook, event))
    const own = ours.map(({ hook: { timeout } }) => ({
      file,
      seconds: typeof timeout === 'number' ? timeout : CLIENTS_OWN_SECONDS,
    }))
    return [...own, ...(hasPlugin(reading.settings) ? [{ file: `the plugin (${file})`, seconds: PLUGIN_SECONDS }] : [])]
  })
}

/** How long the client surely waits, whichever file counts; the plugin may be there without any file that says so. */
export function grantedSeconds(root: string, env: Env): number {
  const found = grants(root, env).map(({ seconds }) => seconds)
  return Math.min(...(found.length > 0 ? found : [PLUGIN_SECONDS]))
}

/** Whether a settings file switches the plugin on. */
export function hasPlugin({ enabledPlugins }: Record<string, unknown>): boolean {
  const plugins = Object.entries((enabledPlugins ?? {}) as Record<string, unknown>)
  return plugins.some(([name, isOn]) => /^grove(?:keeper)?@/.test(name) && isOn !== false)
}
