interface Queue {
  /** Resolves when the last job queued so far has ended. */
  tail: Promise<void>
  /**
   * One entry per job that has not ended, the running one first; calling it lets the next one start. No Set: one that lives
   * long and changes with every job leaves old copies of its table behind, which keep what the jobs held, such as the
   * bodies of requests, through every quick garbage collection.
   */
  ends: (() => void)[]
}

const MOST_KEPT = 500

/** A queue per key: jobs of one key run one after the other, jobs of different keys side by side. */
export class KeyedQueue {
  readonly #queues = new Map<string, Queue>()
  #busy = 0

  run<T>(key: string, job: () => T | Promise<T>): Promise<T> {
    const queue = this.#of(key)
    if (queue.ends.length === 0) this.#busy++
    const result = queue.tail.then(job)
    const end = this.#queued(queue)
    // A job's failure is its caller's to handle; the next job of the queue starts all the same.
    result.then(end, end)
    return result
  }

  /** Makes the next job wait until what is returned is called. */
  #queued(queue: Queue): () => void {
    let start = () => {}
    queue.tail = new Promise((resolve) => {
      start = resolve
    })
    const end = () => {
      const at = queue.ends.indexOf(end)
      if (at < 0) return
      queue.ends.splice(at, 1)
      if (queue.ends.length === 0) this.#busy--
      start()
    }
    queue.ends.push(end)
    return end
  }

  /** Empty queues stay for a while: they are used again with the next event. */
  #of(key: string): Queue {
    const known = this.#queues.get(key)
    if (known) return known
    if (this.#queues.size >= MOST_KEPT) {
      for (const [other, { ends }] of this.#queues) if (ends.length === 0) this.#queues.delete(other)
    }
    const queue: Queue = { tail: Promise.resolve(), ends: [] }
    this.#queues.set(key, queue)
    return queue
  }

  /** Whether another job is queued behind the one that runs now. */
  hasWaiting(key: string): boolean {
    return (this.#queues.get(key)?.ends.length ?? 0) > 1
  }

  /** The jobs that run now. Calling it later lets those that still have not ended be passed by the next of their queue. */
  passRunning(): () => void {
    const running = [...this.#queues.values()].map(({ ends }) => ends[0])
    return () => {
      for (const end of running) end?.()
    }
  }

  /** Resolves when everything queued so far for one key has run. */
  async idleOf(key: string): Promise<void> {
    for (let queue = this.#queues.get(key); queue && queue.ends.length > 0; queue = this.#queues.get(key))
      await queue.tail
  }

  /** Resolves when everything queued so far has run. */
  async idle(): Promise<void> {
    while (this.#busy > 0) await Promise.all([...this.#queues.values()].map(({ tail }) => tail))
  }
}
