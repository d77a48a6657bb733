import { setTimeout as sleep } from 'node:timers/promises'
import { isBusy } from './errors.ts'

/** Longer than any honest writer needs; a process that holds the lock after this is stuck. */
const PATIENCE = 30_000
const LONGEST_NAP = 25

/**
 * Tries again for as long as another process is in the way. SQLite's own busy timeout is not enough: it does not
 * cover the switch to WAL or a recovery, and it blocks the event loop, which in the daemon carries people's streams.
 * Naps are random, so that processes that collided once do not collide again.
 */
export async function whileBusy<T>(work: () => T): Promise<T> {
  // Not `performance.now()`: the first look at it loads a dozen modules of Node, in every hook process.
  const giveUpAt = process.uptime() * 1000 + PATIENCE
  for (let attempt = 0; ; attempt++) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || process.uptime() * 1000 > giveUpAt) throw error
    }
    await sleep(Math.random() * Math.min(2 ** attempt, LONGEST_NAP))
  }
}
