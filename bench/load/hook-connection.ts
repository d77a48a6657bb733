import { connect, type Socket } from 'node:net'

const HEAD_END = Buffer.from('\r\n\r\n')

/**
 * The hooks of one session over one connection that stays open, one after the other, as a client sends them. Written to the
 * socket directly: Node's own client takes as much of the processor as the daemon's answer, and both share it here.
 */
export class HookConnection {
  readonly #socket: Socket
  readonly #head: string
  #received: Buffer = Buffer.alloc(0)
  #answered: { resolve: () => void; reject: (error: Error) => void } | undefined

  constructor({ hostname, port }: URL, token: string) {
    this.#head = `host: ${hostname}:${port}\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n`
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true })
    this.#socket.on('data', (chunk) => this.#take(chunk))
    this.#socket.on('error', (error) => this.#answered?.reject(error))
    this.#socket.on('close', () => this.#answered?.reject(new Error('the daemon closed a connection')))
  }

  /** Resolves when the whole answer is there. */
  tell(event: string, body: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#answered = { resolve, reject }
      const length = `content-length: ${Buffer.byteLength(body)}`
      this.#socket.write(`POST /hooks/${event} HTTP/1.1\r\n${this.#head}${length}\r\n\r\n${body}`)
    })
  }

  close(): void {
    this.#answered = undefined
    this.#socket.destroy()
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    const end = this.#received.indexOf(HEAD_END)
    if (end < 0) return
    const head = this.#received.toString('latin1', 0, end)
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1])
    if (!head.startsWith('HTTP/1.1 200 ') || Number.isNaN(length)) {
      this.#answered?.reject(new Error(`answered with ${head.slice(0, head.indexOf('\r\n'))}`))
      return
    }
    if (this.#received.length < end + HEAD_END.length + length) return
    this.#received = Buffer.alloc(0)
    const answered = this.#answered
    this.#answered = undefined
    answered?.resolve()
  }
}
