import { setFlagsFromString } from 'node:v8'

/** Checked by the build: it fails when the Node that builds does not know one of them. */
export const UNUSED_BY_SHORT_LIVED = ['--opt', '--regexp-tier-up', '--parallel-scavenge']

/** Node 20 to 24. V8 prints an error line for a flag it does not know, and offers no way to ask beforehand. */
const V8_WITH_THE_FLAGS = [11, 12, 13]

/**
 * Spares a process that ends within a moment what pays off later: code that runs often is not compiled once more to run faster, and
 * an expression is compiled once instead of twice. Together that is a fifth of what an instruction costs without a daemon.
 */
export class ShortLived {
  readonly #isKnown: boolean
  #isOn = false

  constructor(v8: string = process.versions.v8) {
    this.#isKnown = V8_WITH_THE_FLAGS.includes(Number.parseInt(v8, 10))
  }

  begin(): void {
    this.#switch(true)
  }

  /**
   * Does something the usual way. V8 takes compiled code, of Node's own modules too, only with the very flags it was made with; so
   * they are as ever while code is loaded or saved.
   */
  usually<T>(work: () => T): T {
    if (!this.#isOn) return work()
    this.#switch(false)
    try {
      return work()
    } finally {
      this.#switch(true)
    }
  }

  #switch(on: boolean): void {
    this.#isOn = on
    if (this.#isKnown)
      setFlagsFromString(UNUSED_BY_SHORT_LIVED.map((flag) => (on ? flag.replace('--', '--no-') : flag)).join(' '))
  }
}
