import { createHash } from 'node:crypto'
import { mkdir, rmdir, stat, utimes } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isPrivate, privateFolder } from '#config/private-folder.ts'

/** Less than a hook may take. On a busy machine twenty writers in a row need most of it. */
const PATIENCE = 20_000
/** The holder of a lock renews it this often; one not renewed for this long is stale. */
const BEAT = 2000
const STALE = 10_000
const PAUSE = 15

/**
 * Lets one process at a time change a file. A process that waits too long goes on without: a short disorder is better than a
 * hook that hangs, and appending is safe even then. The lock lies outside the project, so that nothing is left in it.
 */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = lockPath(path)
  const isHeld = await acquire(lock)
  const beat = isHeld ? setInterval(() => touch(lock), BEAT).unref() : undefined
  try {
    return await work()
  } finally {
    clearInterval(beat)
    // Another process may have taken it for abandoned, and be done with it by now.
    if (isHeld) await rmdir(lock).catch(() => undefined)
  }
}

function touch(lock: string): void {
  const now = new Date()
  // It is gone where another process took it for abandoned; then there is nothing to keep.
  utimes(lock, now, now).catch(() => undefined)
}

function lockPath(path: string): string {
  const name = createHash('sha256').update(resolve(path)).digest('hex').slice(0, 24)
  return join(privateFolder(), `lock-${name}`)
}

async function acquire(lock: string): Promise<boolean> {
  // A file put in place of the lock could block all writers.
  if (!isPrivate(dirname(lock))) return false
  const until = Date.now() + PATIENCE
  while (Date.now() < until) {
    try {
      await mkdir(lock)
      return true
    } catch (error) {
      // Nowhere to put a lock: go on without one.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false
    }
    // Removed meanwhile, here and below: the next round takes it.
    const made = await stat(lock).catch(() => undefined)
    if (made && Date.now() - made.mtimeMs > STALE) await rmdir(lock).catch(() => undefined)
    else await sleep(PAUSE * (0.5 + Math.random()))
  }
  return false
}
