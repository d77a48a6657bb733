import { type RequestScan, scanRequest } from '#protocol/request-scan.ts'
import type { BodyMemory } from '../bodies/body-memory.ts'

interface Known {
  body: Buffer
  scan: RequestScan | undefined
  /** The call is done and left its body here: the memory is given back when the scan is dropped. */
  isOurs: boolean
}

// A bound on the memory that open conversations cost; the longest that any of them may take keeps room for the others.
const MOST_BYTES = 32 * 1024 * 1024
const LONGEST = MOST_BYTES / 4
/** Far enough to tell the model, which stands at the beginning: side requests ask another one. */
const OPENING = 48

/**
 * Scans requests, each with the help of an earlier one of the same conversation, whose bytes it repeats but for the end. The
 * newest request of each conversation is kept, as long as there is room: it takes the place of the one before it as soon as
 * it is scanned, so that a stream holds one body and not two.
 */
export class KnownScans {
  readonly #known = new Map<string, Known>()
  #bytes = 0

  constructor(private readonly memory: BodyMemory) {}

  scan(conversation: string | undefined, body: Buffer): RequestScan | undefined {
    if (conversation === undefined) return scanRequest(body)
    const key = keyOf(conversation, body)
    const known = this.#known.get(key)
    const scan = scanRequest(body, known?.scan && { scan: known.scan, isSame: sameBytes(known.body, body) })
    if (scan && body.length <= LONGEST) this.#remember(key, body, scan)
    return scan
  }

  /** Takes over the body of a call that is done; it will be given back to the memory. */
  release(conversation: string | undefined, body: Buffer): void {
    const known = conversation === undefined ? undefined : this.#known.get(keyOf(conversation, body))
    // A newer request has taken its place, or there was no room for it.
    if (known?.body !== body) this.memory.give(body)
    else known.isOurs = true
  }

  #remember(key: string, body: Buffer, scan: RequestScan): void {
    const known = this.#of(key)
    this.#bytes += body.length - known.body.length
    if (known.isOurs) this.memory.give(known.body)
    known.body = body
    known.scan = scan
    known.isOurs = false
    while (this.#bytes > MOST_BYTES) this.#forgetOldest()
  }

  /**
   * Its entry is changed in place: a map that things are taken from and put back into is copied again and again, and the
   * copies, once they are old, keep bodies through every quick garbage collection.
   */
  #of(key: string): Known {
    const known = this.#known.get(key) ?? { body: NO_BYTES, scan: undefined, isOurs: false }
    if (known.body === NO_BYTES) this.#known.set(key, known)
    return known
  }

  #forgetOldest(): void {
    const [key, { body, isOurs }] = this.#known.entries().next().value!
    this.#bytes -= body.length
    if (isOurs) this.memory.give(body)
    this.#known.delete(key)
  }
}

function keyOf(conversation: string, body: Buffer): string {
  return `${conversation} ${body.toString('latin1', 0, OPENING)}`
}

const NO_BYTES = Buffer.alloc(0)

function sameBytes(earlier: Buffer, body: Buffer): (from: number, at: number, length: number) => boolean {
  return (from, at, length) =>
    at + length <= body.length && body.compare(earlier, from, from + length, at, at + length) === 0
}
