import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunLogs } from '#core/ports/agent-driver.ts'

const NAME = /^claude_([\w-]{1,200})_[\w-]{1,100}\.log$/

/** The logs of runs: `claude_<feature session>_<time>.log`, in `archive/<feature session>/` once that is complete. */
export function runLogs(folder: string, maxAgeMs: number): RunLogs {
  const archive = join(folder, 'archive')

  async function removeOld(place: string, now: number): Promise<void> {
    for (const name of await namesIn(place)) {
      if (!NAME.test(name)) continue
      const file = join(place, name)
      // Another sweep may have moved it already.
      const facts = await stat(file).catch(() => undefined)
      if (facts && now - facts.mtimeMs > maxAgeMs) await rm(file, { force: true })
    }
  }

  return {
    file: (sessionId, stamp) => join(folder, `claude_${sessionId}_${stamp}.log`),

    async archive(sessionId) {
      const own = (await namesIn(folder)).filter((name) => NAME.exec(name)?.[1] === sessionId)
      if (own.length === 0) return
      await mkdir(join(archive, sessionId), { recursive: true, mode: 0o700 })
      for (const name of own) await rename(join(folder, name), join(archive, sessionId, name))
    },

    async sweep(now) {
      await removeOld(folder, now)
      for (const sessionId of await namesIn(archive)) {
        const place = join(archive, sessionId)
        await removeOld(place, now)
        if ((await namesIn(place)).length === 0) await rm(place, { recursive: true, force: true })
      }
    },
  }
}

/** A folder that is gone holds nothing. */
async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}
