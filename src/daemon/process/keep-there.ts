import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Log } from '#core/ports/runtime.ts'

const LOOK_EVERY_MS = 5000

interface Needs {
  file: string
  log: Log
  lookEveryMs?: number
}

/**
 * Puts a file of the home back when it is gone while this process runs, as after somebody has removed the home: clients find
 * the daemon by its token and its socket. Nothing is tried while the folder is missing: whoever removes a home for good wants
 * no new one. Returns what ends it.
 */
export function keepThere({ file, log, lookEveryMs = LOOK_EVERY_MS }: Needs, restore: () => Promise<void> | void) {
  let isBusy = false
  const look = async () => {
    if (isBusy || existsSync(file) || !existsSync(dirname(file))) return
    isBusy = true
    try {
      await restore()
      log.info({ file }, 'a file of the home was gone and is there again')
    } catch {
      // The home cannot be written; the next look tries again.
    } finally {
      isBusy = false
    }
  }
  const timer = setInterval(() => void look(), lookEveryMs).unref()
  return () => clearInterval(timer)
}
