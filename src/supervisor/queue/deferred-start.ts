const MOST_KEPT = 500

/**
 * Delays background work until the answer that came before it has left: the client goes on with the answer at once, and
 * on a busy machine both would want the processor. A job that waits for that work starts it at once.
 */
export class DeferredStart {
  readonly #defer: (job: () => void) => void
  /** Lists that stay while they are empty: a Map that changes with every job keeps old ones alive, see `KeyedQueue`. */
  readonly #waiting = new Map<string, (() => void)[]>()

  /** `defer` runs a job when the answer has left. */
  constructor(defer: (job: () => void) => void) {
    this.#defer = defer
  }

  /** Resolves when the session's work may start. */
  wait(sessionId: string): Promise<void> {
    const waiting = this.#of(sessionId)
    return new Promise((resolve) => {
      const start = () => {
        const at = waiting.indexOf(start)
        if (at < 0) return
        waiting.splice(at, 1)
        resolve()
      }
      waiting.push(start)
      this.#defer(start)
    })
  }

  /** Lets all work of the session that is still delayed start. */
  startNow(sessionId: string): void {
    for (const start of this.#waiting.get(sessionId)?.slice() ?? []) start()
  }

  #of(sessionId: string): (() => void)[] {
    const known = this.#waiting.get(sessionId)
    if (known) return known
    if (this.#waiting.size >= MOST_KEPT) {
      for (const [other, starts] of this.#waiting) if (starts.length === 0) this.#waiting.delete(other)
    }
    const waiting: (() => void)[] = []
    this.#waiting.set(sessionId, waiting)
    return waiting
  }
}
