/** A queue per key: jobs of one key run one after the other, jobs of different keys side by side. */
export class KeyedQueue {
  readonly #queues = new Map<string, { tail: Promise<unknown>; jobs: number }>()

  run<T>(key: string, job: () => T | Promise<T>): Promise<T> {
    const queue = this.#queues.get(key) ?? { tail: Promise.resolve(), jobs: 0 }
    // A job's failure is its caller's to handle; the next job of the queue starts all the same.
    const result = queue.tail.then(job, job)
    queue.tail = result.catch(() => undefined)
    queue.jobs++
    this.#queues.set(key, queue)
    void queue.tail.then(() => {
      queue.jobs--
      if (queue.jobs === 0) this.#queues.delete(key)
    })
    return result
  }

  /** Whether another job is queued behind the one that runs now. */
  hasWaiting(key: string): boolean {
    return (this.#queues.get(key)?.jobs ?? 0) > 1
  }

  /** Resolves when everything queued so far for one key has run. */
  async idleOf(key: string): Promise<void> {
    for (let queue = this.#queues.get(key); queue; queue = this.#queues.get(key)) await queue.tail
  }

  /** Resolves when everything queued so far has run. */
  async idle(): Promise<void> {
    while (this.#queues.size > 0) await Promise.all([...this.#queues.values()].map(({ tail }) => tail))
  }
}
