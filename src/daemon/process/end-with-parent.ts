import type { Env } from '#config/load.ts'

const LOOK_EVERY_MS = 500

/**
 * Watches the process that started this one, and calls `ended` once when it is gone. npm and npx run a command through a
 * shell that dies of a signal without passing it on; what they started would go on unseen, holding its ports.
 */
export function endWithParent(env: Env, ended: () => void): void {
  // Only npm sets this. A shell that ends leaves what was put into its background alone, and so do we.
  if (!env.npm_lifecycle_event) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent && isThere(parent)) return
    clearInterval(timer)
    ended()
  }, LOOK_EVERY_MS)
  timer.unref()
}

/** On Windows the number of a parent that is gone stays with its child. */
function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
