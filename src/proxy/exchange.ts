import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Dispatcher } from 'undici'
import type { Log } from '#core/ports/runtime.ts'
import { readBody } from './body.ts'
import type { BufferPool } from './buffer-pool.ts'
import { Call } from './call.ts'
import { Downstream } from './downstream.ts'
import { badTarget, noAnswer, type OwnError, tooLarge } from './errors.ts'
import { loggable, type RequestHead, type ResponseHead, readResponseHead } from './headers.ts'
import type { ObservationQueue } from './observation-queue.ts'
import type { ProxyObserver, RequestEdit } from './observer.ts'
import { prepareWithin } from './prepare.ts'
import { sendError } from './respond.ts'
import { splice } from './splice.ts'
import { isEventStream, type Tap, tapFor } from './tap.ts'
import type { Upstream } from './upstream.ts'

/** What every exchange of one proxy shares. */
export interface ExchangeContext {
  upstream: Upstream
  observer: ProxyObserver
  observations: ObservationQueue
  pool: BufferPool
  log: Log
  limits: { maxBodyBytes: number; headersMs: number; idleMs: number; prepareMs: number }
  /** Called once per exchange, when nothing more will happen in it. */
  onEnd: () => void
}

const CLIENT_GONE = new Error('the client hung up')
// Only these are sent again after a lost connection. A model call costs money and the client repeats it by itself, so we
// never do: a POST that a dying connection swallowed is answered with 502.
const REPEATABLE = new Set(['GET', 'HEAD', 'OPTIONS'])
const LOST_CONNECTION = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/** One request and its answer: bytes go through as they come, and either side breaking off breaks the other. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #downstream: Downstream
  readonly #startedAt = Date.now()
  readonly #watched: boolean
  #call: Call | undefined
  /** What goes up, and what the client sent, where that is something else. */
  #body: Buffer | null = null
  #original: Buffer | null = null
  #attempts = 0

  #abort: ((reason: Error) => void) | undefined
  #resume: (() => void) | undefined
  #head: ResponseHead | undefined
  #status = 0
  #tap: Tap | undefined

  #clientGone = false
  #ended = false

  constructor(
    private readonly context: ExchangeContext,
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly requestHead: RequestHead,
  ) {
    this.#downstream = new Downstream(
      request,
      response,
      () => this.#resume?.(),
      (bytes) => this.#show(bytes),
      context.limits.idleMs,
    )
    this.#watched = request.method === 'POST' && isMessages(request.url ?? '')
  }

  start(): void {
    const { limits } = this.context
    this.response.on('close', () => this.#onClientClose())
    readBody(this.request, this.requestHead, limits.maxBodyBytes, this.#allocator(), (body) => {
      if (body === 'too large') this.#refuse(tooLarge(limits.maxBodyBytes))
      else if (!this.#clientGone) this.#send(body)
    })
  }

  /** Memory that an observer may hold on to cannot be used again. */
  #allocator(): (length: number) => Buffer {
    const { pool, observer } = this.context
    const ours = !this.#watched || observer.returnsBodies || (!observer.prepare && !observer.observe)
    return ours ? (length) => pool.lend(length) : Buffer.allocUnsafeSlow
  }

  /* Up */

  #send(body: Buffer | null): void {
    const { url = '' } = this.request
    this.#body = body
    this.#original = body
    if (url[0] !== '/') this.#refuse(badTarget(url))
    else if (body && this.#watched) this.#prepare(body)
    else this.#dispatch()
  }

  #prepare(body: Buffer): void {
    const { observer, log, limits } = this.context
    const call = new Call(this.request, body, this.requestHead)
    this.#call = call
    prepareWithin(
      limits.prepareMs,
      // Compressed bytes cannot be edited in place.
      () => (this.requestHead.contentEncoding ? undefined : observer.prepare?.(call)),
      (edit) => this.#forward(body, edit),
      (err) => log.warn({ err }, 'forwarding the request as it came'),
    )
  }

  #forward(body: Buffer, edit: RequestEdit | undefined): void {
    if (this.#clientGone) return
    if (edit) this.#body = this.#edited(body, edit)
    this.#dispatch()
  }

  #edited(body: Buffer, edit: RequestEdit): Buffer {
    const { pool, log } = this.context
    try {
      if (Buffer.isBuffer(edit)) return edit
      if ('body' in edit) {
        edit.commit()
        return edit.body
      }
      return edit.length === 0 ? body : splice(body, edit, (length) => pool.lend(length))
    } catch (err) {
      log.warn({ err }, 'forwarding the request as it came')
      return body
    }
  }

  #dispatch(): void {
    this.#attempts++
    const { method = 'GET', url = '/' } = this.request
    this.context.upstream.dispatch({ method, path: url, headers: this.requestHead.forward, body: this.#body }, this)
  }

  onConnect(abort: (reason?: Error) => void): void {
    this.#abort = abort
    if (this.#clientGone) abort(CLIENT_GONE)
  }

  /* Down */

  onHeaders(status: number, headers: Buffer[], resume: () => void, statusMessage: string): boolean {
    if (status < 200 || this.#clientGone) return true
    this.#resume = resume
    const head = readResponseHead(headers)
    this.#head = head
    this.#status = status
    if (status < 300) this.#onAccepted(head)
    this.#downstream.begin(status, statusMessage, head)
    return true
  }

  #onAccepted({ contentType, contentEncoding }: ResponseHead): void {
    if (this.#call) this.#tap = tapFor(contentType, contentEncoding)
    // A good answer means that the upstream has read the request, so an edited copy has done its work.
    if (this.#body && this.#body !== this.#original) this.context.pool.giveBack(this.#body)
  }

  onData(chunk: Buffer): boolean {
    return this.#downstream.push(chunk)
  }

  onComplete(): void {
    this.#letGo()
    if (!this.#clientGone) this.#downstream.end()
  }

  onError(error: Error): void {
    this.#letGo()
    if (this.#clientGone) this.#end()
    else if (this.#head) this.#breakOff(error)
    else if (this.#mayRepeat(error)) this.#dispatch()
    else this.#reportNoAnswer(error)
  }

  /** From now on the connection may serve somebody else. */
  #letGo(): void {
    this.#abort = undefined
    this.#resume = undefined
  }

  #breakOff(error: Error): void {
    this.context.log.warn(this.#about(error), 'the upstream broke off in the middle of an answer')
    this.#downstream.breakOff()
  }

  #reportNoAnswer(error: Error): void {
    const { upstream, limits, log } = this.context
    const answer = noAnswer(error, upstream.host, limits.headersMs)
    log.warn({ ...this.#about(error), status: answer.status }, 'no answer from the upstream')
    this.#refuse(answer)
  }

  #about(err: Error): object {
    const { method, url = '', rawHeaders } = this.request
    // A query may hold a key.
    return { err, host: this.context.upstream.host, method, path: url.split('?')[0], headers: loggable(rawHeaders) }
  }

  #mayRepeat(error: Error): boolean {
    const lost = 'code' in error && LOST_CONNECTION.has(String(error.code))
    return lost && this.#attempts === 1 && this.#body === null && REPEATABLE.has(this.request.method ?? '')
  }

  /** Lets the tap read along. It comes after the client, and its trouble stays its own. */
  #show(bytes: Buffer): void {
    if (!this.#tap) return
    try {
      this.#tap.push(bytes)
    } catch (err) {
      this.#tap = undefined
      this.context.log.warn({ err }, 'this answer passes unread')
    }
  }

  /* The end */

  #refuse(error: OwnError): void {
    this.#status = error.status
    sendError(this.request, this.response, error)
  }

  /** The response's `close` comes after everything was sent as well as after the client hung up. */
  #onClientClose(): void {
    this.#clientGone = !this.response.writableFinished
    this.#abort?.(CLIENT_GONE)
    this.#end()
  }

  #end(): void {
    if (this.#ended) return
    this.#ended = true
    this.context.onEnd()
    if (this.#call && this.context.observer.observe) this.#tell(this.#call)
    else this.#giveBack()
  }

  #tell(call: Call): void {
    const tap = this.#tap
    const requestId = this.#head?.requestId
    this.context.observations.add({
      call,
      turn: {
        status: this.#status,
        aborted: this.#clientGone,
        startedAt: this.#startedAt,
        endedAt: Date.now(),
        streamed: isEventStream(this.#head?.contentType),
        ...(requestId === undefined ? {} : { requestId }),
      },
      contentEncoding: this.requestHead.contentEncoding,
      readAnswer: () => tap?.end(),
      done: () => this.#giveBack(),
    })
  }

  /** After anything but a good answer a connection may still be sending the body; then the collector knows best. */
  #giveBack(): void {
    const good = this.#status >= 200 && this.#status < 300
    if (good && this.#original) this.context.pool.giveBack(this.#original)
  }
}

/** Whatever stands before it: a base URL may have a path of its own. */
function isMessages(path: string): boolean {
  const query = path.indexOf('?')
  return (query < 0 ? path : path.slice(0, query)).endsWith('/v1/messages')
}
