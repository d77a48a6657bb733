import { randomBytes } from 'node:crypto'

const MOST = 1000

/** One-time codes, each for one purpose and a limited time. A restart forgets them; clients ask for a new one. */
export class OneTimeCodes {
  readonly #open = new Map<string, { for: string; until: number }>()

  constructor(private readonly now: () => number) {}

  issue(what: string, goodForMs: number): string {
    for (const [code, { until }] of this.#open) {
      if (until < this.now() || this.#open.size >= MOST) this.#open.delete(code)
    }
    const code = randomBytes(18).toString('base64url')
    this.#open.set(code, { for: what, until: this.now() + goodForMs })
    return code
  }

  isGood(code: string, what: string): boolean {
    const found = this.#open.get(code)
    return found?.for === what && found.until >= this.now()
  }

  /** Whether the code was valid for this purpose; using it ends it. */
  redeem(code: string, what: string): boolean {
    const isGood = this.isGood(code, what)
    if (this.#open.get(code)?.for === what) this.#open.delete(code)
    return isGood
  }
}
