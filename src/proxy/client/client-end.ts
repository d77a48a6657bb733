import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Body, readBody } from '../bodies/body.ts'
import type { RequestHead } from '../headers.ts'
import type { OwnError } from './errors.ts'
import { sendError } from './respond.ts'

/** What is known of a request before its body. */
export interface ClientRequest {
  readonly method: string
  url: string
  /** Name, value, name, value … */
  readonly rawHeaders: readonly string[]
  readonly socket: Socket
}

/** The client's end of one request and its answer, whichever server it came by. */
export interface ClientEnd {
  readonly request: ClientRequest
  /** The client has hung up, or all of the answer was written. */
  readonly isOver: boolean
  /** Called once: when all of the answer is out (true), or when the client has hung up before. */
  onClose: (isDone: boolean) => void
  /** Called when a client that could not take more can. */
  onDrain: () => void
  readBody(limit: number, done: (body: Body) => void): void
  /** Sets the answer's head. True when its body has to be framed in chunks. */
  begin(status: number, statusText: string, headers: string[]): boolean
  flushHead(): void
  /** The head, for a caller that writes it with the first bytes, one byte for each character; empty where Node writes it itself. */
  takeHead(): string
  /** False when the client cannot take more for now. */
  write(bytes: Buffer): boolean
  end(bytes: Buffer): void
  /** Answers with an error of our own. */
  refuse(error: OwnError): void
  /** Ends the connection behind what was written. */
  cut(): void
}

/** A request that came by Node's own server. */
export class NodeClient implements ClientEnd {
  readonly request: ClientRequest
  onClose: (isDone: boolean) => void = () => {}
  onDrain: () => void = () => {}

  constructor(
    private readonly incoming: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly head: RequestHead,
  ) {
    this.request = incoming as IncomingMessage & ClientRequest
    // It comes after everything was sent as well as after the client hung up.
    response.on('close', () => this.onClose(response.writableFinished))
    response.on('drain', () => this.onDrain())
  }

  get isOver(): boolean {
    return this.response.destroyed || this.response.writableEnded
  }

  readBody(limit: number, done: (body: Body) => void): void {
    readBody(this.incoming, this.head, limit, done)
  }

  begin(status: number, statusText: string, headers: string[]): boolean {
    const { response } = this
    response.sendDate = false
    response.writeHead(status, statusText, headers)
    // Node would write each chunk and its frame in four pieces, so they come framed.
    const isFramed = response.chunkedEncoding
    response.chunkedEncoding = false
    return isFramed
  }

  flushHead(): void {
    this.response.flushHeaders()
  }

  takeHead(): string {
    return ''
  }

  write(bytes: Buffer): boolean {
    return this.response.write(bytes)
  }

  end(bytes: Buffer): void {
    this.response.end(bytes.length === 0 ? undefined : bytes)
  }

  refuse(error: OwnError): void {
    sendError(this.incoming, this.response, error)
  }

  cut(): void {
    const { socket } = this.response
    if (socket) socket.destroySoon()
    else this.response.destroy()
  }
}
