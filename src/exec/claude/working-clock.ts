/** Calls back when work has taken longer than allowed. It pauses while a person or another process is waited for. */
export class WorkingClock {
  readonly #limitMs: number
  readonly #expired: () => void
  #left: number
  #since: number | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(limitMs: number, expired: () => void) {
    this.#limitMs = limitMs
    this.#expired = expired
    this.#left = limitMs
  }

  /** Restarts the clock, unless it is running. */
  start(): void {
    if (this.#since !== undefined) return
    this.#left = this.#limitMs
    this.resume()
  }

  resume(): void {
    if (this.#since !== undefined) return
    this.#since = performance.now()
    // A timer takes 24 days at most.
    this.#timer = setTimeout(() => this.#expired(), Math.min(this.#left, 2 ** 31 - 1)).unref()
  }

  pause(): void {
    if (this.#since === undefined) return
    clearTimeout(this.#timer)
    this.#left = Math.max(0, this.#left - (performance.now() - this.#since))
    this.#since = undefined
  }
}
