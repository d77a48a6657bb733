/** Runs jobs of one key one after the other, and jobs of different keys side by side. */
export class Serial {
  readonly #lines = new Map<string, { tail: Promise<unknown>; jobs: number }>()

  run<T>(key: string, job: () => T | Promise<T>): Promise<T> {
    const line = this.#lines.get(key) ?? { tail: Promise.resolve(), jobs: 0 }
    // A job's failure is its caller's to handle; the next job in line starts all the same.
    const result = line.tail.then(job, job)
    line.tail = result.catch(() => undefined)
    line.jobs++
    this.#lines.set(key, line)
    void line.tail.then(() => {
      line.jobs--
      if (line.jobs === 0) this.#lines.delete(key)
    })
    return result
  }

  /** Whether somebody is in line behind the job that runs now. */
  isAwaited(key: string): boolean {
    return (this.#lines.get(key)?.jobs ?? 0) > 1
  }

  /** Resolves when everything queued so far for one key has run. */
  async idleOf(key: string): Promise<void> {
    for (let line = this.#lines.get(key); line; line = this.#lines.get(key)) await line.tail
  }

  /** Resolves when everything queued so far has run. */
  async idle(): Promise<void> {
    while (this.#lines.size > 0) await Promise.all([...this.#lines.values()].map(({ tail }) => tail))
  }
}
