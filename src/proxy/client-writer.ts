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
    if (this.#chunks.length === 0) {
      response.end(this.#framed ? LAST_CHUNK : '', 'latin1')
      return
    }
    const { bytes, from, to } = this.#take(LAST_CHUNK)
    response.end(bytes)
    this.#show?.(bytes.subarray(from, to))
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
    if (this.#chunks.length === 0) {
      response.flushHeaders()
      return
    }
    const { bytes, from, to } = this.#take()
    if (!response.write(bytes)) this.#wait()
    this.#show?.(bytes.subarray(from, to))
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    process.nextTick(flush, this)
  }

  /** What has arrived; in a chunked answer framed, with `last` behind it. */
  #take(last = ''): Piece {
    const chunks = this.#chunks
    this.#chunks = []
    return this.#framed ? framed(chunks, last) : plain(chunks)
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

/** Bytes to write; the answer's own lie between `from` and `to`. */
interface Piece {
  bytes: Buffer
  from: number
  to: number
}

function plain(chunks: Buffer[]): Piece {
  const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
  return { bytes, from: 0, to: bytes.length }
}

/** In one buffer, because Node spends more on each piece it queues than a copy costs. */
function framed(chunks: Buffer[], last: string): Piece {
  let length = 0
  for (let i = 0; i < chunks.length; i++) length += chunks[i]!.length
  const size = `${length.toString(16)}\r\n`
  const end = `\r\n${last}`
  const bytes = Buffer.allocUnsafe(size.length + length + end.length)
  const from = bytes.write(size, 'latin1')
  let to = from
  for (let i = 0; i < chunks.length; i++) {
    bytes.set(chunks[i]!, to)
    to += chunks[i]!.length
  }
  bytes.write(end, to, 'latin1')
  return { bytes, from, to }
}
