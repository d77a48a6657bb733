import type { Log } from '#core/ports/runtime.ts'
import { failOpen } from '../fail-open.ts'
import { Pauses } from './pauses.ts'
import { Serial } from './serial.ts'

/**
 * Work that no answer depends on. A daemon begins it when the answer has left; a process that ends with its answer does
 * it before. Work of one session is done in order, and what comes next about that session waits for it.
 */
export class Afterwards {
  readonly #serial = new Serial()
  readonly #log: Log
  readonly #pauses: Pauses | undefined

  /** `later` begins a job when the answer has left; without it everything is done at once. */
  constructor(log: Log, later?: (job: () => void) => void) {
    this.#log = log
    this.#pauses = later && new Pauses(later)
  }

  /** Resolves when the answer may leave. */
  async run(sessionId: string, doing: string, work: () => Promise<unknown>): Promise<void> {
    const pauses = this.#pauses
    if (!pauses) return failOpen(this.#log, doing, undefined, async () => void (await work()))
    const pause = pauses.of(sessionId)
    void this.#serial.run(sessionId, async () => {
      await pause
      await failOpen(this.#log, doing, undefined, work)
    })
  }

  /** Resolves when everything that was left to do about a session is done. */
  async doneWith(sessionId: string): Promise<void> {
    this.#pauses?.end(sessionId)
    await this.#serial.idleOf(sessionId)
  }

  /** Resolves when nothing is left to do. */
  idle(): Promise<void> {
    return this.#serial.idle()
  }
}
