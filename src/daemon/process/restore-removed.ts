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
 * Restores a file of the home when it vanishes while this process runs, as when a person has removed the home: clients find
 * the daemon by its token and its socket. While the folder is missing nothing is restored, so that a home that was removed for
 * good does not come back. Returns a function that stops the watch.
 */
export function restoreRemoved({ file, log, lookEveryMs = LOOK_EVERY_MS }: Needs, restore: () => Promise<void> | void) {
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
