import type { Config } from '#config/config.ts'
import type { Env } from '#config/load.ts'
import { editSettings, envOf, parseSettings } from '#protocol/settings.ts'
import { writeAtomic } from '#storage/files/atomic.ts'
import { type AttachRecord, attachRecords } from './attach-record.ts'
import { claudeFiles, readIfThere, whileLocked } from './claude-files.ts'
import { settledProxy } from './proxy-variables.ts'

const NAME = 'ANTHROPIC_BASE_URL'

/** How long a client takes to notice changed settings; requests that it has begun by then stay where they are. */
export const NOTICED_MS = 1500

/**
 * Points settings files that `grove init --proxy` wrote at the proxy while it runs, and past it while it does not, so
 * that no request goes to a port where nothing, or a stranger, listens. Current clients follow such a change at once,
 * older ones at their next start. A base URL that the user has changed since stays. Resolves to the changed files.
 */
export async function pointClients(config: Config, env: Env, to: { proxy: string } | 'past'): Promise<string[]> {
  const records = attachRecords(config.home)
  const wants = (record: AttachRecord) => record.trace.env[NAME] !== undefined
  if (!records.all().some(wants)) return []
  return whileLocked(claudeFiles(env).configuration, async () => {
    const changed: string[] = []
    for (const record of records.all().filter(wants)) {
      const { settings, trace } = record
      const past = String(trace.footprint.env[NAME] ?? config.proxy.target)
      const wanted = to === 'past' ? past : settledProxy(config, to.proxy)
      const now = readIfThere(settings)
      const reading = parseSettings(now ?? '')
      if (now === undefined || !reading.ok) continue
      const found = envOf(reading.settings)[NAME]
      const isOurs = found !== undefined && [trace.env[NAME], past].includes(found)
      if (!isOurs || found === wanted) continue
      const text = editSettings(now, {
        ...reading.settings,
        env: { ...(reading.settings.env as object), [NAME]: wanted },
      })
      const after = now === trace.after ? text : trace.after
      const noted = { ...record, trace: { ...trace, after, env: { ...trace.env, [NAME]: wanted } } }
      // The record is written first, so that it knows either value of the file.
      if (to === 'past') await writeAtomic(settings, text)
      await records.keep(noted)
      if (to !== 'past') await writeAtomic(settings, text)
      changed.push(settings)
    }
    return changed
  })
}
