import type { Log } from '#core/ports/runtime.ts'
import { failOpen } from '../fail-open.ts'
import { DeferredStart } from './deferred-start.ts'
import { KeyedQueue } from './keyed-queue.ts'

/**
 * Work that no answer depends on, queued by session. A daemon starts it when the answer has left; a process that ends
 * with its answer does it before. What comes next about a session drains its queue first.
 */
export class BackgroundJobs {
  readonly #queue = new KeyedQueue()
  readonly #log: Log
  readonly #start: DeferredStart | undefined

  /** `defer` runs a job when the answer has left; without it everything is done at once. */
  constructor(log: Log, defer?: (job: () => void) => void) {
    this.#log = log
    this.#start = defer && new DeferredStart(defer)
  }

  /** Resolves when the answer may leave. */
  async run(sessionId: string, doing: string, work: () => Promise<unknown>): Promise<void> {
    const start = this.#start
    if (!start) return failOpen(this.#log, doing, undefined, async () => void (await work()))
    const started = start.wait(sessionId)
    void this.#queue.run(sessionId, async () => {
      await started
      await failOpen(this.#log, doing, undefined, work)
    })
  }

  /** Resolves when everything that was left to do about a session is done. */
  async drain(sessionId: string): Promise<void> {
    this.#start?.startNow(sessionId)
    await this.#queue.idleOf(sessionId)
  }

  /** The jobs that run now; calling it later lets what waits behind those that still run go on without them. */
  passRunning(): () => void {
    return this.#queue.passRunning()
  }

  /** Resolves when nothing is left to do. */
  idle(): Promise<void> {
    return this.#queue.idle()
  }
}
