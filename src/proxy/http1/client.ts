import type { Socket } from 'node:net'
import { AnswerParser, type AnswerSink } from './answer-parser.ts'
import { UpstreamError } from './upstream-error.ts'

/** A request ready to be written; what makes up its head holds no line break. */
export interface OutgoingRequest {
  method: string
  path: string
  /** Name, value, name, value …; without Host, Connection and what frames the body. */
  headers: readonly string[]
  /** In as many pieces as it was made of; null when there is none. */
  body: readonly Uint8Array[] | null
}

/**
 * Hears of one request's answer, in this order: onConnect, onHeaders, onData …, and then onComplete or onError. What onData
 * is given may be used until onPause, onComplete or onError is called.
 */
export interface AnswerHandler {
  /** The request is about to be sent. `abort` cuts the connection, and what it is given comes back by onError. */
  onConnect(abort: (reason: Error) => void): void
  /** The whole request was written to the socket. */
  onSent?(): void
  onHeaders(status: number, headers: readonly (Buffer | string)[], resume: () => void, statusText: string): boolean
  /** False: no more until `resume`. */
  onData(bytes: Buffer): boolean
  /** All bytes that have arrived so far were handed over. */
  onPause(): void
  onComplete(): void
  onError(error: Error): void
}

export interface ClientOptions {
  /** The origin, as the Host header names it. */
  host: string
  /** Opens a connection; see `Connector.connect`. */
  connect(onBytes: (bytes: Buffer) => void, done: (error: Error | undefined, socket: Socket) => void): void
  /** From the request being sent to the answer's head. */
  headersMs: number
  /** Silence in the middle of an answer. */
  idleMs: number
  /** How long an idle connection is kept; a server's own Keep-Alive hint is kept too. */
  keepAliveMs: number
}

const SLOWEST_TICK_MS = 1000
/** A server closes at the time it hints at, and by then we must not be writing to it. */
const HINT_MARGIN_MS = 2000

/**
 * An HTTP/1.1 client for one origin: a request has a connection for itself until its answer is whole, and then leaves it
 * to the next. It sends nothing twice. All limits are kept by one timer that looks at every connection, since one for
 * each request costs more than the request's own parsing.
 */
export class HttpClient {
  readonly #idle: Connection[] = []
  readonly #open = new Set<Connection>()
  readonly #firstLines: string
  readonly #tickMs: number
  #timer: NodeJS.Timeout | undefined
  #destroyed = false
  /** Counts on while there are connections. */
  tick = 0

  constructor(readonly options: ClientOptions) {
    this.#firstLines = `host: ${options.host}\r\nconnection: keep-alive\r\n`
    this.#tickMs = Math.min(SLOWEST_TICK_MS, Math.max(1, Math.min(options.headersMs, options.idleMs) / 8))
  }

  dispatch(request: OutgoingRequest, handler: AnswerHandler): void {
    for (let kept = this.#idle.pop(); kept; kept = this.#idle.pop()) {
      if (kept.isUsable) return this.#send(kept, request, handler)
    }
    if (this.#destroyed) return handler.onError(new UpstreamError('UND_ERR_DESTROYED'))
    let connection: Connection | undefined
    this.options.connect(
      (bytes) => connection?.take(bytes),
      (error, socket) => {
        if (error) return handler.onError(error)
        connection = new Connection(this, socket)
        this.#open.add(connection)
        if (this.#destroyed) connection.destroy(new UpstreamError('UND_ERR_DESTROYED'))
        this.#timer ??= setInterval(() => this.#look(), this.#tickMs).unref()
        if (connection.isUsable) this.#send(connection, request, handler)
        else handler.onError(new UpstreamError('UND_ERR_SOCKET'))
      },
    )
  }

  /** Cuts every connection. */
  destroy(): void {
    this.#destroyed = true
    for (const connection of this.#open) connection.destroy(new UpstreamError('UND_ERR_DESTROYED'))
  }

  ticks(ms: number): number {
    return Math.ceil(ms / this.#tickMs)
  }

  /** Called by a connection whose answer is whole. */
  keep(connection: Connection): void {
    this.#idle.push(connection)
  }

  /** Called by a connection that has ended. */
  forget(connection: Connection): void {
    this.#open.delete(connection)
    const at = this.#idle.indexOf(connection)
    if (at >= 0) this.#idle.splice(at, 1)
    if (this.#open.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #send(connection: Connection, request: OutgoingRequest, handler: AnswerHandler): void {
    connection.send(request, headOf(request, this.#firstLines), handler)
  }

  #look(): void {
    this.tick++
    for (const connection of this.#open) connection.look()
  }
}

/** One connection and, while it is busy, the request it carries. */
class Connection implements AnswerSink {
  readonly #parser = new AnswerParser(this)
  #handler: AnswerHandler | undefined
  #hasBegun = false
  #isPaused = false
  /** The tick of the last sign of life. */
  #since: number
  #keepFor: number
  #lost: Error | undefined

  constructor(
    private readonly client: HttpClient,
    private readonly socket: Socket,
  ) {
    this.#since = client.tick
    this.#keepFor = client.ticks(client.options.keepAliveMs)
    socket.on('error', (error) => {
      this.#lost ??= error
    })
    socket.on('end', () => this.#onEnd())
    socket.on('close', () => this.#onClose())
  }

  get isUsable(): boolean {
    return !this.socket.destroyed && this.socket.writable && this.#handler === undefined
  }

  send({ method, body }: OutgoingRequest, head: string, handler: AnswerHandler): void {
    let aborted = false
    this.#handler = handler
    handler.onConnect((reason) => {
      aborted = true
      if (this.#handler === handler) this.destroy(reason)
    })
    if (aborted) return
    this.#hasBegun = false
    this.#since = this.client.tick
    this.#parser.expect(method)
    const { socket } = this
    if (body === null) {
      socket.write(head, 'latin1')
      return
    }
    if (lengthOf(body) <= MOST_JOINED) {
      socket.write(joined(head, body))
      return
    }
    // Corked, all of it leaves by one system call.
    socket.cork()
    socket.write(head, 'latin1')
    for (let i = 0; i < body.length; i++) socket.write(body[i]!)
    socket.uncork()
  }

  /** The next bytes of the answer. */
  take(bytes: Buffer): void {
    this.#since = this.client.tick
    try {
      this.#parser.feed(bytes)
      this.#handler?.onPause()
    } catch (error) {
      this.destroy(error as Error)
    }
  }

  /** Ends the connection; a request on it hears why. */
  destroy(reason: Error): void {
    this.#lost ??= reason
    this.socket.destroy()
    this.#fail(reason)
  }

  /** Looks whether a limit is over. */
  look(): void {
    const { client } = this
    const silent = client.tick - this.#since
    const { headersMs, idleMs } = client.options
    if (!this.#handler) {
      if (silent > this.#keepFor) this.socket.destroy()
    } else if (!this.#hasBegun) {
      if (silent > client.ticks(headersMs)) this.destroy(new UpstreamError('UND_ERR_HEADERS_TIMEOUT'))
    } else if (!this.#isPaused && silent > client.ticks(idleMs)) this.destroy(new UpstreamError('UND_ERR_BODY_TIMEOUT'))
  }

  onHead(status: number, statusText: string, headers: string[]): void {
    this.#hasBegun = true
    this.#keepFor = this.client.ticks(keepAliveFor(headers, this.client.options.keepAliveMs))
    if (this.socket.writableLength === 0) this.#handler?.onSent?.()
    this.#handler?.onHeaders(status, headers, this.#resume, statusText)
  }

  onBody(bytes: Buffer): void {
    if (!this.#handler || this.#handler.onData(bytes) || this.#isPaused) return
    this.#isPaused = true
    this.socket.pause()
  }

  onEnd(reusable: boolean): void {
    const handler = this.#handler
    this.#handler = undefined
    this.#resume()
    // Behind an answer that came before the request was through, the rest of that request may still be under way.
    const isFree = reusable && this.socket.writableLength === 0 && this.#keepFor > 0
    if (isFree) this.client.keep(this)
    else this.socket.destroy()
    handler?.onComplete()
  }

  readonly #resume = () => {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#since = this.client.tick
    this.socket.resume()
  }

  #onEnd(): void {
    this.#parser.close()
    this.socket.destroy()
  }

  #onClose(): void {
    this.client.forget(this)
    this.#fail(this.#lost ?? new UpstreamError('UND_ERR_SOCKET'))
  }

  #fail(error: Error): void {
    const handler = this.#handler
    this.#handler = undefined
    handler?.onError(error)
  }
}

const HAS_BODY = new Set(['POST', 'PUT', 'PATCH'])

function headOf({ method, path, headers, body }: OutgoingRequest, firstLines: string): string {
  let head = `${method} ${path} HTTP/1.1\r\n${firstLines}`
  for (let i = 0; i < headers.length; i += 2) head += `${headers[i]}: ${headers[i + 1]}\r\n`
  if (body === null) return HAS_BODY.has(method) ? `${head}content-length: 0\r\n\r\n` : `${head}\r\n`
  return `${head}content-length: ${lengthOf(body)}\r\n\r\n`
}

/** Up to here a copy costs less than what Node spends on each piece that it queues. */
const MOST_JOINED = 16 * 1024

function joined(head: string, body: readonly Uint8Array[]): Buffer {
  const bytes = Buffer.allocUnsafe(head.length + lengthOf(body))
  let at = bytes.write(head, 'latin1')
  for (let i = 0; i < body.length; i++) {
    bytes.set(body[i]!, at)
    at += body[i]!.length
  }
  return bytes
}

function lengthOf(pieces: readonly Uint8Array[]): number {
  let length = 0
  for (let i = 0; i < pieces.length; i++) length += pieces[i]!.length
  return length
}

/** How long a connection may be kept: as long as the server says, and no longer than we would. */
function keepAliveFor(headers: string[], most: number): number {
  for (let i = 0; i < headers.length; i += 2) {
    if (headers[i]!.length !== 10 || headers[i]!.toLowerCase() !== 'keep-alive') continue
    const seconds = /(?:^|[,\s])timeout=(\d{1,9})/i.exec(headers[i + 1]!)?.[1]
    if (seconds !== undefined) return Math.max(0, Math.min(most, Number(seconds) * 1000 - HINT_MARGIN_MS))
  }
  return most
}
