import { type RequestScan, scanRequest } from '#protocol/request-scan.ts'

interface Known {
  body: Buffer
  scan: RequestScan
}

// A bound on the memory that open conversations cost; the longest that any of them may take keeps room for the others.
const MOST_BYTES = 32 * 1024 * 1024
const LONGEST = MOST_BYTES / 4
/** Far enough to tell the model, which stands at the beginning: side requests ask another one. */
const OPENING = 48

/**
 * Scans requests, each with the help of the one before it in the same conversation, whose bytes it repeats but for the end.
 * The newest request of each conversation is kept, as long as there is room.
 */
export class KnownScans {
  readonly #known = new Map<string, Known>()
  #bytes = 0

  scan(conversation: string | undefined, body: Buffer): RequestScan | undefined {
    if (conversation === undefined || body.length > LONGEST) return scanRequest(body)
    const key = `${conversation} ${body.toString('latin1', 0, OPENING)}`
    const known = this.#known.get(key)
    const scan = scanRequest(body, known && { scan: known.scan, isSame: sameBytes(known.body, body) })
    this.#forget(key)
    if (scan) this.#keep(key, { body, scan })
    return scan
  }

  #keep(key: string, known: Known): void {
    this.#known.set(key, known)
    this.#bytes += known.body.length
    while (this.#bytes > MOST_BYTES) this.#forget(this.#known.keys().next().value!)
  }

  #forget(key: string): void {
    this.#bytes -= this.#known.get(key)?.body.length ?? 0
    this.#known.delete(key)
  }
}

function sameBytes(earlier: Buffer, body: Buffer): (from: number, at: number, length: number) => boolean {
  return (from, at, length) =>
    at + length <= body.length && body.compare(earlier, from, from + length, at, at + length) === 0
}
