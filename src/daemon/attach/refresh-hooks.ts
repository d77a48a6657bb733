import { chmod } from 'node:fs/promises'
import type { Config } from '#config/config.ts'
import type { Env } from '#config/load.ts'
import { pathsOf } from '#config/paths.ts'
import { isOurHook } from '#hooks/entries.ts'
import { editSettings, type HookDefinition, hooksOf, mapHooks, parseSettings } from '#protocol/settings.ts'
import { keysOf } from '#server/keys.ts'
import { homeToken } from '#server/token.ts'
import { writeAtomic } from '#storage/files/atomic.ts'
import { attachRecords } from './attach-record.ts'
import { claudeFiles, readIfThere, whileLocked } from './claude-files.ts'

/**
 * Gives the http hooks in settings files that `grove init` wrote the key that lets them in, where an earlier Grove wrote
 * another or none: what is not let in is not heard. Resolves to the files that were changed.
 */
export async function refreshHooks(config: Config, env: Env): Promise<string[]> {
  const records = attachRecords(config.home)
  const wanted = `Bearer ${keysOf(homeToken(pathsOf(config).token)).hooks}`
  const isOld = (hook: HookDefinition, event: string) => isOurHook(hook, event) && !letsIn(hook, wanted)
  const hasOld = (settings: string) => {
    const reading = parseSettings(readIfThere(settings) ?? '{}')
    return reading.ok && hooksOf(reading.settings).some(({ hook, event }) => isOld(hook, event))
  }
  if (!records.all().some(({ settings }) => hasOld(settings))) return []
  return whileLocked(claudeFiles(env).configuration, async () => {
    const changed: string[] = []
    for (const record of records.all()) {
      const { settings, trace } = record
      const now = readIfThere(settings)
      const reading = parseSettings(now ?? '{}')
      if (now === undefined || !reading.ok || !hasOld(settings)) continue
      const renewed = mapHooks(reading.settings, (hook, event) =>
        isOld(hook, event) ? { ...hook, headers: { ...(hook.headers as object), Authorization: wanted } } : hook,
      )
      const text = editSettings(now, renewed)
      // First the record: whatever happens in between, our hooks are known by their form.
      await records.keep({ ...record, trace: { ...trace, after: now === trace.after ? text : trace.after } })
      await writeAtomic(settings, text)
      await chmod(settings, 0o600)
      changed.push(settings)
    }
    return changed
  })
}

/** Whether a hook brings what lets it in; a command needs nothing. */
export function letsIn({ type, headers }: HookDefinition, wanted: string): boolean {
  return type !== 'http' || (headers as { Authorization?: unknown } | undefined)?.Authorization === wanted
}
