import { WorkingClock } from './working-clock.ts'

interface Limits {
  limitMs: number
  subagentLimitMs: number
}

/** The working time of a run: of its turn, and of each subagent. All clocks pause while the host is asked. */
export class RunClocks {
  turnOpen = false
  readonly #limits: Limits
  readonly #turn: WorkingClock
  readonly #tasks = new Map<string, WorkingClock>()
  readonly #taskExpired: (taskId: string) => void
  #asked = 0
  #waiting: (() => void)[] = []

  constructor(limits: Limits, expired: { turn(): void; task(taskId: string): void }) {
    this.#limits = limits
    this.#turn = new WorkingClock(limits.limitMs, expired.turn)
    this.#taskExpired = expired.task
  }

  openTurn(): void {
    if (this.turnOpen) return
    this.turnOpen = true
    this.#turn.start()
    if (this.#asked > 0) this.#turn.pause()
  }

  closeTurn(): void {
    this.turnOpen = false
    this.#turn.pause()
    for (const wake of this.#waiting.splice(0)) wake()
  }

  async turnClosed(): Promise<true> {
    if (this.turnOpen) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    return true
  }

  startTask(taskId: string): void {
    const clock = new WorkingClock(this.#limits.subagentLimitMs, () => this.#taskExpired(taskId))
    this.#tasks.set(taskId, clock)
    if (this.#asked === 0) clock.start()
  }

  endTask(taskId: string): void {
    this.#tasks.get(taskId)?.pause()
    this.#tasks.delete(taskId)
  }

  /** Runs a question to the host. */
  async asking<T>(ask: () => Promise<T>): Promise<T> {
    this.#asked += 1
    for (const clock of this.#running()) clock.pause()
    try {
      return await ask()
    } finally {
      this.#asked -= 1
      if (this.#asked === 0) for (const clock of this.#running()) clock.resume()
    }
  }

  /** The process has ended. */
  stop(): void {
    for (const clock of this.#running()) clock.pause()
    this.#tasks.clear()
  }

  #running(): WorkingClock[] {
    return [...(this.turnOpen ? [this.#turn] : []), ...this.#tasks.values()]
  }
}
