/**
 * The moment in which whoever got an answer goes on with it, before Grove does what is left to do: on a busy machine both
 * would want the processor. Somebody who waits for what is left ends the pause.
 */
export class Pauses {
  readonly #later: (job: () => void) => void
  readonly #waiting = new Map<string, Set<() => void>>()

  constructor(later: (job: () => void) => void) {
    this.#later = later
  }

  /** Resolves when the pause is over. */
  of(sessionId: string): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(sessionId) ?? new Set()
      const end = () => {
        waiting.delete(end)
        if (waiting.size === 0 && this.#waiting.get(sessionId) === waiting) this.#waiting.delete(sessionId)
        resolve()
      }
      this.#waiting.set(sessionId, waiting.add(end))
      this.#later(end)
    })
  }

  /** Somebody waits. */
  end(sessionId: string): void {
    for (const end of [...(this.#waiting.get(sessionId) ?? [])]) end()
  }
}
