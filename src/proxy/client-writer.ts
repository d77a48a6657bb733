import type { IncomingMessage, ServerResponse } from 'node:http'

const LAST_CHUNK = '0\r\n\r\n'

/**
 * Writes an answer to the client. What arrives in one turn of the event loop leaves in one write, and a client that reads
 * slowly makes the upstream wait.
 */
export class ClientWriter {
  #chunks: Buffer[] = []
  #scheduled = false
  #framed = false
  #waits = false
  #show: ((bytes: Buffer) => void) | undefined

  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly idleMs: number,
    /** Tells an upstream that waits to go on. */
    private readonly resume: () => void,
  ) {}

  /** `show` is given every byte after the client was. */
  begin(status: number, statusMessage: string, headers: string[], show: ((bytes: Buffer) => void) | undefined): void {
    const { response } = this
    this.#show = show
    response.sendDate = false
    response.writeHead(status, statusMessage, headers)
    // Node would write each chunk and its frame in four pieces, so we frame them ourselves.
    this.#framed = response.chunkedEncoding
    response.chunkedEncoding = false
    this.#schedule()
  }

  /** Takes the next bytes; false when the upstream is to wait before it sends more. */
  push(chunk: Buffer): boolean {
    this.#chunks.push(chunk)
    this.#schedule()
    return !this.#waits
  }

  end(): void {
    const { response } = this
    if (this.#chunks.length > 0) this.#pass(this.#framed ? LAST_CHUNK : '', (bytes) => response.end(bytes))
    else if (this.#framed) response.end(LAST_CHUNK, 'latin1')
    else response.end()
  }

  /** The client must see what came and then a broken answer, as it would have without us; never a clean end. */
  breakOff(): void {
    this.flush()
    const { socket } = this.response
    if (socket) socket.destroySoon()
    else this.response.destroy()
  }

  /** Writes what has arrived; before the first byte of the body that is the head. */
  flush(): void {
    this.#scheduled = false
    const { response } = this
    if (response.destroyed || response.writableEnded) return
    if (this.#chunks.length === 0) response.flushHeaders()
    else if (!this.#pass('', (bytes) => response.write(bytes))) this.#wait()
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    process.nextTick(flush, this)
  }

  /** Writes what has arrived and, behind it, `rest`; then shows it. */
  #pass<T>(rest: string, write: (bytes: Buffer) => T): T {
    const chunks = this.#chunks
    this.#chunks = []
    const length = lengthOf(chunks)
    const before = this.#framed ? `${length.toString(16)}\r\n` : ''
    const bytes = joined(before, chunks, length, this.#framed ? `\r\n${rest}` : rest)
    const result = write(bytes)
    this.#show?.(bytes.subarray(before.length, before.length + length))
    return result
  }

  #wait(): void {
    if (this.#waits) return
    this.#waits = true
    // A client that takes nothing for this long is as gone as an upstream that sends nothing.
    const { socket } = this.request
    const giveUp = () => socket.destroy()
    socket.setTimeout(this.idleMs, giveUp)
    const goOn = () => {
      this.#waits = false
      this.response.off('close', forget)
      socket.setTimeout(0).off('timeout', giveUp)
      this.resume()
    }
    // By then the limit on the connection is the server's own again.
    const forget = () => socket.off('timeout', giveUp)
    this.response.once('drain', goOn).once('close', forget)
  }
}

function flush(writer: ClientWriter): void {
  writer.flush()
}

function lengthOf(chunks: Buffer[]): number {
  let length = 0
  for (let i = 0; i < chunks.length; i++) length += chunks[i]!.length
  return length
}

/** All of it as one buffer, because Node spends more on each piece it queues than a copy costs. */
function joined(before: string, chunks: Buffer[], length: number, after: string): Buffer {
  if (chunks.length === 1 && before === '' && after === '') return chunks[0]!
  const bytes = Buffer.allocUnsafe(before.length + length + after.length)
  let at = bytes.write(before, 'latin1')
  for (let i = 0; i < chunks.length; i++) {
    bytes.set(chunks[i]!, at)
    at += chunks[i]!.length
  }
  bytes.write(after, at, 'latin1')
  return bytes
}
