import { limitEnd } from '#protocol/usage-limit.ts'
import type { ClientEnd } from './client/client-end.ts'
import { ClientWriter } from './client/client-writer.ts'
import { noAnswer, type OwnError } from './client/errors.ts'
import { headersByName, loggable, readResponseHead } from './headers.ts'
import type { AnswerHandler, OutgoingRequest } from './http1/client.ts'
import type { Call } from './observe/call.ts'
import { type Tap, tapFor } from './observe/tap.ts'
import type { RelayContext } from './relay-request.ts'
import type { Upstream } from './upstream/upstream.ts'

const CLIENT_GONE = new Error('the client hung up')
// Only these are sent again after a lost connection. A model call costs money and the client repeats it by itself, so we
// never do: a POST that a dying connection swallowed is answered with 502.
const REPEATABLE = new Set(['GET', 'HEAD', 'OPTIONS'])
const LOST_CONNECTION = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/**
 * An answer's way down: bytes go to the client as they come, a tap reads along, and either side breaking off breaks the
 * other. When the client has all of it, or is gone, the turn is queued for the observer.
 */
export class AnswerRelay implements AnswerHandler {
  /** Set where the observer is to be told of the turn. */
  call: Call | undefined
  /** False once the client has hung up. */
  isWanted = true

  readonly #writer: ClientWriter
  #repeat: (() => void) | undefined
  #abort: ((reason: Error) => void) | undefined
  #resume: (() => void) | undefined
  #status = 0
  #hasBegun = false
  #tap: Tap | undefined
  #ended = false

  constructor(
    private readonly context: RelayContext,
    private readonly client: ClientEnd,
  ) {
    this.#writer = new ClientWriter(client, context.limits.idleMs, () => this.#resume?.())
    client.onClose = (isDone) => this.#onClientClose(isDone)
  }

  /** Sends the request; from here on the upstream calls the methods below, in this order. */
  from(upstream: Upstream, request: OutgoingRequest): void {
    if (request.body === null && REPEATABLE.has(request.method)) this.#repeat = () => upstream.dispatch(request, this)
    upstream.dispatch(request, this)
  }

  onConnect(abort: (reason: Error) => void): void {
    this.#abort = abort
    if (!this.isWanted) abort(CLIENT_GONE)
  }

  onSent(): void {
    if (this.call) this.call.isSent = true
  }

  onHeaders(status: number, headers: readonly (Buffer | string)[], resume: () => void, statusMessage: string): boolean {
    if (status < 200 || !this.isWanted) return true
    this.#resume = resume
    this.#hasBegun = true
    this.#status = status
    const { forward, contentType, contentEncoding } = readResponseHead(headers)
    if (status === 429) this.#noteLimit(forward)
    if (this.call && status < 300) this.#tap = tapFor(contentType, contentEncoding)
    this.#writer.begin(status, statusMessage, forward, this.#tap && ((bytes) => this.#show(bytes)))
    return true
  }

  #noteLimit(headers: string[]): void {
    const until = limitEnd(headersByName(headers), Date.now())
    if (until !== undefined) this.context.observer.limited?.(until)
  }

  /** False makes the upstream wait until `resume`. */
  onData(chunk: Buffer): boolean {
    return this.#writer.push(chunk)
  }

  onPause(): void {
    if (this.#hasBegun) this.#writer.flush()
  }

  onComplete(): void {
    this.#letGo()
    if (this.isWanted) this.#writer.end()
  }

  onError(error: Error): void {
    this.#letGo()
    const repeat = this.#repeat
    this.#repeat = undefined
    if (!this.isWanted) this.#end()
    else if (this.#hasBegun) this.#breakOff(error)
    else if (repeat && 'code' in error && LOST_CONNECTION.has(String(error.code))) repeat()
    else this.#reportNoAnswer(error)
  }

  /** Answers with an error of our own. */
  refuse(error: OwnError): void {
    this.#status = error.status
    this.client.refuse(error)
  }

  /** From now on the connection may serve another request. */
  #letGo(): void {
    this.#abort = undefined
    this.#resume = undefined
  }

  #breakOff(error: Error): void {
    this.context.log.warn(this.#about(error), 'the upstream broke off in the middle of an answer')
    this.#writer.breakOff()
  }

  #reportNoAnswer(error: Error): void {
    const { upstream, limits, log } = this.context
    const answer = noAnswer(error, upstream.host, limits.headersMs)
    log.warn({ ...this.#about(error), status: answer.status }, 'no answer from the upstream')
    this.refuse(answer)
  }

  #about(err: Error): object {
    const { method, url, rawHeaders } = this.client.request
    // A query may hold a key.
    return { err, host: this.context.upstream.host, method, path: url.split('?')[0], headers: loggable(rawHeaders) }
  }

  /** Lets the tap read what the client was given. Its trouble stays its own. */
  #show(bytes: Buffer): void {
    try {
      this.#tap?.push(bytes)
    } catch (err) {
      this.#tap = undefined
      this.context.log.warn({ err }, 'this answer passes unread')
    }
  }

  #onClientClose(isDone: boolean): void {
    this.isWanted = isDone
    this.#writer.closed()
    this.#abort?.(CLIENT_GONE)
    this.#end()
  }

  #end(): void {
    if (this.#ended) return
    this.#ended = true
    const { context, call } = this
    // A relay that has grown old lies about until a full garbage collection, and with it would lie the request's body.
    this.call = undefined
    context.onEnd()
    if (!call || !context.observer.observe) return
    const turn = { status: this.#status, aborted: !this.isWanted, endedAt: Date.now() }
    context.observations.add({ call, turn, tap: this.#tap })
  }
}
