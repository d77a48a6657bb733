import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ResponseHead } from './headers.ts'

/** How the upstream is told to wait and to go on. */
export interface Flow {
  pause(): void
  resume(): void
}

/**
 * The client's side of an exchange. What arrives in one turn of the event loop leaves in one write, and a client that
 * reads slowly makes the upstream wait. Bytes travel as Latin-1 strings, one character per byte: Node writes one
 * string where it would queue several buffers.
 */
export class Downstream {
  #chunks: Buffer[] = []
  #scheduled = false
  #framed = false
  #waits = false

  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly flow: Flow,
    /** Reads along, after the client got its bytes. */
    private readonly see: (latin1: string) => void,
    private readonly idleMs: number,
  ) {}

  begin(status: number, statusMessage: string, { forward }: ResponseHead): void {
    const { response } = this
    response.sendDate = false
    response.writeHead(status, statusMessage, forward)
    // Node would write each chunk and its frame in four pieces, so we frame them ourselves.
    this.#framed = response.chunkedEncoding
    response.chunkedEncoding = false
    this.#schedule()
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#schedule()
  }

  end(): void {
    const text = this.#take()
    const rest = text === '' ? '' : this.#frame(text)
    this.response.end(this.#framed ? `${rest}0\r\n\r\n` : rest, 'latin1')
    if (text !== '') this.see(text)
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
    const text = this.#take()
    if (text === '') {
      response.flushHeaders()
      return
    }
    if (!response.write(this.#frame(text), 'latin1')) this.#wait()
    this.see(text)
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    process.nextTick(flush, this)
  }

  #take(): string {
    const chunks = this.#chunks
    if (chunks.length === 0) return ''
    const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
    this.#chunks = []
    return bytes.toString('latin1')
  }

  #frame(text: string): string {
    return this.#framed ? `${text.length.toString(16)}\r\n${text}\r\n` : text
  }

  #wait(): void {
    this.flow.pause()
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
      this.flow.resume()
    }
    // By then the limit on the connection is the server's own again.
    const forget = () => socket.off('timeout', giveUp)
    this.response.once('drain', goOn).once('close', forget)
  }
}

function flush(downstream: Downstream): void {
  downstream.flush()
}
