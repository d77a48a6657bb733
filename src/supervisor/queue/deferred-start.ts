/**
 * Delays background work until the answer that came before it has left: the client goes on with the answer at once, and
 * on a busy machine both would want the processor. A job that waits for that work starts it at once.
 */
export class DeferredStart {
  readonly #defer: (job: () => void) => void
  readonly #waiting = new Map<string, Set<() => void>>()

  /** `defer` runs a job when the answer has left. */
  constructor(defer: (job: () => void) => void) {
    this.#defer = defer
  }

  /** Resolves when the session's work may start. */
  wait(sessionId: string): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(sessionId) ?? new Set()
      const start = () => {
        waiting.delete(start)
        if (waiting.size === 0 && this.#waiting.get(sessionId) === waiting) this.#waiting.delete(sessionId)
        resolve()
      }
      this.#waiting.set(sessionId, waiting.add(start))
      this.#defer(start)
    })
  }

  /** Lets all work of the session that is still delayed start. */
  startNow(sessionId: string): void {
    for (const start of [...(this.#waiting.get(sessionId) ?? [])]) start()
  }
}
