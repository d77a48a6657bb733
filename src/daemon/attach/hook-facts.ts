import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#config/config.ts'
import type { Env } from '#config/load.ts'
import { pathsOf } from '#config/paths.ts'
import { isOurHook } from '#hooks/entries.ts'
import { type HookDefinition, hooksOf, parseSettings } from '#protocol/settings.ts'
import { keysOf } from '#server/keys.ts'
import { webUrl } from './attach.ts'
import { claudeFiles, readIfThere } from './claude-files.ts'
import { hasPlugin } from './hook-timeouts.ts'
import { letsIn } from './refresh-hooks.ts'

/** Our hooks in one settings file, and what is wrong with them. */
export interface HookFacts {
  file: string
  hooks: number
  /** The plugin, which brings hooks of its own, is switched on here. */
  plugin: boolean
  /** The client was told to run no hooks at all. */
  disabled: boolean
  /** An administrator lets no other hooks run than their own. */
  onlyManaged: boolean
  /** Programs that hooks start and that are not there. */
  missing: string[]
  /** Addresses of http hooks at which this Grove does not listen. */
  astray: string[]
  /** Http hooks without the key: they are ignored. */
  keyless: number
  /** After how many seconds the client goes on without an answer of the guard; absent when no hook of the guard names a time. */
  guardTimeout?: number
}

/** Looks at every settings file that counts when Claude Code is started in this project. */
export function hookFacts(config: Config, env: Env, project: string): HookFacts[] {
  const { userSettings, projectSettings, managed } = claudeFiles(env)
  const files = [userSettings, join(project, '.claude', 'settings.json'), projectSettings(project), ...managed]
  return [...new Set(files)].flatMap((file) => {
    const reading = parseSettings(readIfThere(file) ?? '{}')
    // A file that cannot be read is reported where its variables are looked at.
    if (!reading.ok) return []
    const ours = hooksOf(reading.settings).filter(({ hook, event }) => isOurHook(hook, event))
    const disabled = reading.settings.disableAllHooks === true
    const onlyManaged = managed.includes(file) && reading.settings.allowManagedHooksOnly === true
    const plugin = hasPlugin(reading.settings)
    if (ours.length === 0 && !plugin && !disabled && !onlyManaged) return []
    const hooks = ours.map(({ hook }) => hook)
    const astray = astrayOf(hooks, webUrl(config))
    const timeouts = ours.flatMap(({ event, hook: { timeout } }) =>
      event === 'PreToolUse' && typeof timeout === 'number' ? [timeout] : [],
    )
    const facts = { file, hooks: ours.length, plugin, disabled, onlyManaged, missing: missingOf(hooks), astray }
    const guardTimeout = timeouts.length > 0 && { guardTimeout: Math.min(...timeouts) }
    return [{ ...facts, keyless: keylessOf(hooks, config), ...guardTimeout }]
  })
}

function missingOf(hooks: HookDefinition[]): string[] {
  const programs = hooks.flatMap(({ type, command, args }) =>
    type === 'command' ? [command, ...(Array.isArray(args) ? args : [])].map(String).filter(isPath) : [],
  )
  const clients = programs.flatMap((program) => clientOf(readIfThere(program) ?? ''))
  return [...new Set([...programs, ...clients])].filter((file) => !existsSync(file))
}

/** The Node part that a hook script falls back on. */
function clientOf(script: string): string[] {
  const quoted = /^client='(.+)'$/m.exec(script)?.[1]
  return quoted === undefined ? [] : [quoted.replaceAll(`'\\''`, "'")]
}

/** The token of the home lets hooks in as well, as an earlier Grove wrote it. */
function keylessOf(hooks: HookDefinition[], config: Config): number {
  const token = readIfThere(pathsOf(config).token)?.trim()
  if (!token) return 0
  const good = [keysOf(token).hooks, token].map((key) => `Bearer ${key}`)
  return hooks.filter((hook) => !good.some((wanted) => letsIn(hook, wanted))).length
}

function isPath(word: string): boolean {
  return /[\\/]/.test(word)
}

function astrayOf(hooks: HookDefinition[], grove: string): string[] {
  const origins = hooks.flatMap(({ url }) => (typeof url === 'string' ? [new URL(url).origin] : []))
  return [...new Set(origins)].filter((origin) => origin !== new URL(grove).origin)
}
