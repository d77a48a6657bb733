/**
 * How much of one command is still followed. A short command becomes endless work by loops in loops, functions that call
 * functions and variables that double; where it ends, the rest counts as unknown.
 */
export class Effort {
  private left = MOST

  /** Counts work that is about to be done; false when there was too much of it. */
  spend(units: number): boolean {
    this.left -= units
    return this.left >= 0
  }

  get isOver(): boolean {
    return this.left < 0
  }
}

/** About as many letters are expanded; a tenth of a second, and far more than commands need that people or agents write. */
const MOST = 10_000_000
