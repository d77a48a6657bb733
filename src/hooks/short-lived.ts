import { setFlagsFromString } from 'node:v8'

/** Checked by the build: it fails when the Node that builds does not know one of them. */
export const UNUSED_BY_SHORT_LIVED = ['--opt', '--regexp-tier-up', '--parallel-scavenge']

/**
 * By the version of V8, in Node 20, 22 and 24: V8 prints an error line for a flag it does not know, and offers no way to ask
 * beforehand. V8 12 refuses compiled code for good once `--opt` was switched off, even when it is on again.
 */
const FLAGS: Record<number, readonly string[]> = {
  11: UNUSED_BY_SHORT_LIVED,
  12: UNUSED_BY_SHORT_LIVED.filter((flag) => flag !== '--opt'),
  13: UNUSED_BY_SHORT_LIVED,
}

/**
 * Spares a process that ends within a moment what pays off later: code that runs often is not compiled once more to run faster, and
 * an expression is compiled once instead of twice. Together that is a fifth of what an instruction costs without a daemon.
 */
export class ShortLived {
  readonly #flags: readonly string[]
  #isOn = false

  constructor(v8: string = process.versions.v8) {
    this.#flags = FLAGS[Number.parseInt(v8, 10)] ?? []
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
    if (this.#flags.length > 0)
      setFlagsFromString(this.#flags.map((flag) => (on ? flag.replace('--', '--no-') : flag)).join(' '))
  }
}
