/** Runs jobs of one key one after the other, and jobs of different keys side by side. */
export class Serial {
  readonly #tails = new Map<string, Promise<unknown>>()

  run<T>(key: string, job: () => T | Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve()
    // A job's failure is its caller's to handle; the next job in line starts all the same.
    const result = before.then(job, job)
    const tail = result.catch(() => undefined)
    this.#tails.set(key, tail)
    void tail.then(() => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key)
    })
    return result
  }

  /** Resolves when everything queued so far for one key has run. */
  async idleOf(key: string): Promise<void> {
    for (let tail = this.#tails.get(key); tail; tail = this.#tails.get(key)) await tail
  }

  /** Resolves when everything queued so far has run. */
  async idle(): Promise<void> {
    while (this.#tails.size > 0) await Promise.all(this.#tails.values())
  }
}
