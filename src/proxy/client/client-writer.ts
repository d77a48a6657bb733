import type { ClientEnd } from './client-end.ts'

const LAST_CHUNK = '0\r\n\r\n'
const NO_CHUNKS: readonly Buffer[] = []

/**
 * Writes an answer to the client. What arrives together leaves in one write, and a client that reads slowly makes the
 * upstream wait.
 */
export class ClientWriter {
  /** An array that waited here for the next chunk would grow old, and keep that chunk until all of the heap is collected. */
  #chunks: Buffer[] | undefined
  #framed = false
  #waits = false
  #stopWaiting: (() => void) | undefined
  #show: ((bytes: Buffer) => void) | undefined

  constructor(
    private readonly client: ClientEnd,
    private readonly idleMs: number,
    /** Tells an upstream that waits to go on. */
    private readonly resume: () => void,
  ) {}

  /** `show` is given every byte after the client was. */
  begin(status: number, statusMessage: string, headers: string[], show: ((bytes: Buffer) => void) | undefined): void {
    this.#show = show
    this.#framed = this.client.begin(status, statusMessage, headers)
  }

  /** Takes the next bytes, which must stay as they are until they are flushed; false when the upstream is to wait. */
  push(chunk: Buffer): boolean {
    if (this.#chunks) this.#chunks.push(chunk)
    else this.#chunks = [chunk]
    return !this.#waits
  }

  end(): void {
    const { bytes, from, to } = this.#take(LAST_CHUNK)
    this.client.end(bytes)
    if (to > from) this.#show?.(bytes.subarray(from, to))
  }

  /** The client must see what came and then a broken answer, as it would have without us; never a clean end. */
  breakOff(): void {
    this.flush()
    this.client.cut()
  }

  /** Writes what has arrived; before the first byte of the body that is the head. */
  flush(): void {
    const { client } = this
    if (client.isOver) return
    if (!this.#chunks) {
      client.flushHead()
      return
    }
    const { bytes, from, to } = this.#take()
    if (!client.write(bytes)) this.#wait()
    this.#show?.(bytes.subarray(from, to))
  }

  /** What has arrived, behind the head if that has not left; in a chunked answer framed, with `last` behind it. */
  #take(last = ''): Piece {
    const chunks = this.#chunks ?? NO_CHUNKS
    this.#chunks = undefined
    const head = this.client.takeHead()
    if (!this.#framed) return joined(head, chunks, '')
    return chunks.length === 0
      ? joined(head, chunks, last)
      : joined(`${head}${lengthOf(chunks).toString(16)}\r\n`, chunks, `\r\n${last}`)
  }

  #wait(): void {
    if (this.#waits) return
    this.#waits = true
    // A client that takes nothing for this long is as gone as an upstream that sends nothing.
    const { client } = this
    const { socket } = client.request
    const giveUp = () => socket.destroy()
    socket.setTimeout(this.idleMs, giveUp)
    this.#stopWaiting = () => {
      this.#waits = false
      this.#stopWaiting = undefined
      socket.off('timeout', giveUp)
    }
    client.onDrain = () => {
      if (!this.#waits) return
      this.closed()
      socket.setTimeout(0)
      this.resume()
    }
  }

  /** The answer is over; from here on the limit on the connection is the server's own again. */
  closed(): void {
    this.#stopWaiting?.()
  }
}

/** Bytes to write; the answer's own lie between `from` and `to`. */
interface Piece {
  bytes: Buffer
  from: number
  to: number
}

function lengthOf(chunks: readonly Buffer[]): number {
  let length = 0
  for (let i = 0; i < chunks.length; i++) length += chunks[i]!.length
  return length
}

/** In one buffer, because Node spends more on each piece it queues than a copy costs. */
function joined(before: string, chunks: readonly Buffer[], behind: string): Piece {
  const bytes = Buffer.allocUnsafe(before.length + lengthOf(chunks) + behind.length)
  const from = bytes.write(before, 'latin1')
  let to = from
  for (let i = 0; i < chunks.length; i++) {
    bytes.set(chunks[i]!, to)
    to += chunks[i]!.length
  }
  bytes.write(behind, to, 'latin1')
  return { bytes, from, to }
}
