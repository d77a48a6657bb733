import { randomBytes } from 'node:crypto'

const MOST = 1000

/** One-time codes, each for one purpose and a limited time. A restart forgets them; clients ask for a new one. */
export class OneTimeWords {
  readonly #open = new Map<string, { for: string; until: number }>()

  constructor(private readonly now: () => number) {}

  issue(what: string, goodForMs: number): string {
    for (const [word, { until }] of this.#open) {
      if (until < this.now() || this.#open.size >= MOST) this.#open.delete(word)
    }
    const word = randomBytes(18).toString('base64url')
    this.#open.set(word, { for: what, until: this.now() + goodForMs })
    return word
  }

  isGood(word: string, what: string): boolean {
    const found = this.#open.get(word)
    return found?.for === what && found.until >= this.now()
  }

  /** Whether it is good for this; it is not any more. */
  redeem(word: string, what: string): boolean {
    const isGood = this.isGood(word, what)
    if (this.#open.get(word)?.for === what) this.#open.delete(word)
    return isGood
  }
}
