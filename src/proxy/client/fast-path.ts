import { METHODS, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { apiErrorBody } from '#protocol/anthropic.ts'
import type { Body } from '../bodies/body.ts'
import type { BodyMemory } from '../bodies/body-memory.ts'
import { readInto } from '../bodies/read-into.ts'
import { type RequestHead, readRequestHead } from '../headers.ts'
import { type PlainHead, readPlainHead } from '../http1/request-head.ts'
import type { ClientEnd, ClientRequest } from './client-end.ts'
import { type OwnError, rawAnswer, unreadable } from './errors.ts'

export interface FastPathOptions {
  memory: BodyMemory
  maxBodyBytes: number
  /** How long a request's head and the whole of it may take to arrive, and how long a connection may be idle. */
  headMs: number
  arriveMs: number
  keepAliveMs: number
  /** Whether a request with this head may be taken here. */
  takes(head: RequestHead, socket: Socket): boolean
  relay(client: ClientEnd, head: RequestHead): void
  /** Gives a connection, and the bytes that came by it, to Node's server for good. */
  handOver(socket: Socket, bytes: Buffer): void
}

/**
 * The short way in for what a client sends nearly always: a POST of known length on a connection that stays. It spares the
 * objects, events and copies that Node's server makes of every request. Anything else, and whatever is to be refused, is
 * handed over to Node's server with its first byte, so there is one place for all that is odd.
 */
export class FastPath {
  /** What arrives on any connection is put here first. */
  readonly anteroom = Buffer.allocUnsafeSlow(READ_BYTES)
  readonly #open = new Set<FastConnection>()
  #isClosing = false

  constructor(readonly options: FastPathOptions) {}

  add(socket: Socket): void {
    this.#open.add(new FastConnection(this, socket))
  }

  get isClosing(): boolean {
    return this.#isClosing
  }

  forget(connection: FastConnection): void {
    this.#open.delete(connection)
  }

  /** Closes what has taken too long; to be called now and then. */
  look(now: number): void {
    for (const connection of this.#open) connection.look(now)
  }

  /** Ends idle connections now and the others behind their answers. */
  close(): void {
    this.#isClosing = true
    for (const connection of this.#open) connection.close()
  }

  destroy(): void {
    for (const connection of this.#open) connection.destroy()
  }
}

const READ_BYTES = 64 * 1024

type State = 'new' | 'idle' | 'arriving' | 'answering'

/** One connection, and the request that is under way on it. */
class FastConnection {
  private readonly socket: Socket
  #state: State = 'new'
  #since = performance.now()
  #client: FastClient | undefined
  #body: Buffer | undefined
  #filled = 0
  /** What a client sent before it had its answer. */
  #behind: Buffer | undefined

  readonly #onData = (bytes: Buffer) => this.#take(bytes)
  readonly #reading = {
    // The rest of a body is read to where it belongs.
    buffer: () => (this.#body ? this.#body.subarray(this.#filled) : this.fastPath.anteroom),
    callback: (length: number, memory: Uint8Array) => {
      if (memory === this.fastPath.anteroom) this.#take(this.fastPath.anteroom.subarray(0, length))
      else this.#fill(length)
      return true
    },
  }
  readonly #onEnd = () => this.socket.end()
  readonly #onError = () => this.socket.destroy()
  readonly #onDrain = () => this.#client?.onDrain()
  readonly #onClose = () => {
    this.fastPath.forget(this)
    this.#client?.closed(false)
  }

  constructor(
    private readonly fastPath: FastPath,
    accepted: Socket,
  ) {
    const socket = readInto(accepted, this.#reading) ?? accepted.on('data', this.#onData)
    this.socket = socket
    socket.on('end', this.#onEnd).on('error', this.#onError).on('drain', this.#onDrain).on('close', this.#onClose)
  }

  /** Called by the client's end when its answer is out. */
  free(): void {
    this.#client = undefined
    this.#state = 'idle'
    this.#since = performance.now()
    if (this.fastPath.isClosing) return this.socket.destroySoon()
    const behind = this.#behind
    this.#behind = undefined
    if (!behind) return
    this.socket.resume()
    this.#take(behind)
  }

  look(now: number): void {
    const { headMs, arriveMs, keepAliveMs } = this.fastPath.options
    const took = now - this.#since
    if (this.#state === 'idle' && took > keepAliveMs) this.socket.destroy()
    else if ((this.#state === 'new' && took > headMs) || (this.#state === 'arriving' && took > arriveMs)) {
      this.socket.end(rawAnswer(unreadable('ERR_HTTP_REQUEST_TIMEOUT')))
      this.socket.destroySoon()
    }
  }

  close(): void {
    if (this.#state === 'new' || this.#state === 'idle') this.socket.destroy()
  }

  destroy(): void {
    this.socket.destroy()
  }

  /** The next bytes; once this has returned, others may lie there. */
  #take(bytes: Buffer): void {
    if (this.#state === 'arriving') this.#add(bytes)
    else if (this.#state === 'answering') this.#wait(bytes)
    else this.#begin(bytes)
  }

  /** Another request has to wait for its turn; what is none has lost track, and nothing on this connection can be right. */
  #wait(bytes: Buffer): void {
    this.#behind = Buffer.concat([this.#behind ?? NO_BYTES, bytes])
    if (mayBeRequest(this.#behind)) this.socket.pause()
    else this.socket.destroy()
  }

  #begin(bytes: Buffer): void {
    const { options } = this.fastPath
    const plain = readPlainHead(bytes)
    if (!plain || plain.contentLength > options.maxBodyBytes) return this.#handOver(bytes)
    const head = readRequestHead(plain.rawHeaders)
    if (!options.takes(head, this.socket)) return this.#handOver(bytes)
    this.#client = new FastClient(this, this.fastPath, plain, this.socket)
    this.#state = 'arriving'
    this.#since = performance.now()
    this.#body = options.memory.take(plain.contentLength)
    this.#filled = 0
    options.relay(this.#client, head)
    this.#add(plain.end === bytes.length ? NO_BYTES : bytes.subarray(plain.end))
  }

  /** Bytes of the body, and perhaps what comes behind it. */
  #add(bytes: Buffer): void {
    const body = this.#body!
    const left = body.length - this.#filled
    const own = bytes.length > left ? bytes.subarray(0, left) : bytes
    body.set(own, this.#filled)
    this.#fill(own.length)
    if (own.length < bytes.length) this.#take(bytes.subarray(left))
  }

  /** So many more bytes of the body are in their place. */
  #fill(length: number): void {
    const body = this.#body!
    this.#filled += length
    if (this.#filled < body.length) return
    this.#state = 'answering'
    this.#body = undefined
    this.#client!.arrived(body)
  }

  #handOver(bytes: Buffer): void {
    const { socket, fastPath } = this
    socket.off('data', this.#onData).off('end', this.#onEnd).off('error', this.#onError)
    socket.off('drain', this.#onDrain).off('close', this.#onClose)
    fastPath.forget(this)
    fastPath.options.handOver(socket, Buffer.from(bytes))
  }
}

const NO_BYTES = Buffer.alloc(0)

/** Whether bytes begin with a method, or with as much of one as has come. */
function mayBeRequest(bytes: Buffer): boolean {
  const beginning = bytes.toString('latin1', 0, LONGEST_METHOD + 1)
  return METHODS.some((method) => `${method} `.startsWith(beginning) || beginning.startsWith(`${method} `))
}

const LONGEST_METHOD = Math.max(...METHODS.map(({ length }) => length))

/** The client's end of one request on a connection. */
class FastClient implements ClientEnd {
  readonly request: ClientRequest
  onClose: (isDone: boolean) => void = () => {}
  onDrain: () => void = () => {}
  #done: ((body: Body) => void) | undefined
  #head = ''
  #isEnded = false
  #isClosed = false

  constructor(
    private readonly connection: FastConnection,
    private readonly fastPath: FastPath,
    readonly head: PlainHead,
    private readonly socket: Socket,
  ) {
    this.request = { method: 'POST', url: head.url, rawHeaders: head.rawHeaders, socket }
  }

  get isOver(): boolean {
    return this.#isEnded || this.socket.destroyed
  }

  readBody(_limit: number, done: (body: Body) => void): void {
    this.#done = done
  }

  arrived(body: Buffer): void {
    this.#done?.(body)
  }

  begin(status: number, statusText: string, headers: string[]): boolean {
    let head = `HTTP/1.1 ${status} ${statusText}\r\n`
    let hasLength = false
    for (let i = 0; i < headers.length; i += 2) {
      const name = headers[i]!
      head += `${name}: ${headers[i + 1]}\r\n`
      if (name.length === 14 && name.toLowerCase() === 'content-length') hasLength = true
    }
    head += this.fastPath.isClosing
      ? 'Connection: close\r\n'
      : `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(this.fastPath.options.keepAliveMs / 1000)}\r\n`
    const isFramed = !hasLength && status !== 204 && status !== 304
    this.#head = isFramed ? `${head}Transfer-Encoding: chunked\r\n\r\n` : `${head}\r\n`
    return isFramed
  }

  flushHead(): void {
    if (this.#head !== '') this.socket.write(this.takeHead(), 'latin1')
  }

  takeHead(): string {
    const head = this.#head
    this.#head = ''
    return head
  }

  write(bytes: Buffer): boolean {
    return this.socket.write(bytes)
  }

  end(bytes: Buffer): void {
    this.#isEnded = true
    this.socket.write(bytes, (error) => {
      if (!error) this.closed(true)
    })
  }

  refuse({ status, type, message }: OwnError): void {
    const body = Buffer.from(apiErrorBody(type, message))
    const headers = ['content-type', 'application/json', 'content-length', String(body.length)]
    this.begin(status, STATUS_CODES[status] ?? '', headers)
    this.end(Buffer.concat([Buffer.from(this.takeHead(), 'latin1'), body]))
  }

  cut(): void {
    this.#isEnded = true
    this.socket.destroySoon()
  }

  closed(isDone: boolean): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.onClose(isDone)
    if (isDone) this.connection.free()
  }
}
