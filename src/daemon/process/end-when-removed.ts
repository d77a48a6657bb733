import { existsSync } from 'node:fs'

const LOOK_EVERY_MS = 10_000

/** An update takes the program away for a moment; so often in a row, it is gone. */
const MISSED = 3

/**
 * Watches the program that this process runs, and calls `ended` once when it is gone for good. A Grove whose package was
 * removed would go on unseen: holding its ports, and answering hooks that could otherwise detach themselves.
 */
export function endWhenRemoved(program: string, ended: () => void, lookEveryMs = LOOK_EVERY_MS): void {
  let missed = 0
  const timer = setInterval(() => {
    missed = existsSync(program) ? 0 : missed + 1
    if (missed < MISSED) return
    clearInterval(timer)
    ended()
  }, lookEveryMs)
  timer.unref()
}
