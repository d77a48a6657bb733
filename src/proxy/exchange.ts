import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Dispatcher } from 'undici'
import type { Log } from '#core/ports.ts'
import { readBody } from './body.ts'
import { Call } from './call.ts'
import { badTarget, noAnswer, type OwnError, tooLarge } from './errors.ts'
import { type RequestHead, type ResponseHead, readResponseHead } from './headers.ts'
import type { ObservationQueue, ProxyObserver, RequestEdit } from './observer.ts'
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

/**
 * One request and its answer. Bytes go through as they come: what arrives in one turn of the event loop leaves in one
 * write, a client that reads slowly slows the upstream down, and either side breaking off breaks the other.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  #controller: Dispatcher.DispatchController | undefined
  #call: Call | undefined
  #body: Buffer | null = null
  #attempts = 0
  readonly #startedAt = Date.now()

  #head: ResponseHead | undefined
  #status = 0
  #tap: Tap | undefined
  #framed = false
  #chunks: Buffer[] = []
  #flushing = false
  #waitsForDrain = false

  #clientGone = false
  #ended = false

  constructor(
    private readonly context: ExchangeContext,
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly requestHead: RequestHead,
  ) {}

  start(): void {
    this.response.on('close', () => this.#onClientClose())
    readBody(this.request, this.requestHead, this.context.limits.maxBodyBytes, (body) => {
      if (body === 'too large') this.#refuse(tooLarge(this.context.limits.maxBodyBytes))
      else if (!this.#clientGone) this.#send(body)
    })
  }

  /* Up */

  #send(body: Buffer | null): void {
    const path = this.request.url ?? '/'
    if (path[0] !== '/') return this.#refuse(badTarget(path))
    this.#body = body
    if (body && this.request.method === 'POST' && isMessages(path)) this.#prepare(body)
    else this.#dispatch()
  }

  #prepare(body: Buffer): void {
    const { observer, log, limits } = this.context
    const call = new Call(this.request, body, this.requestHead)
    this.#call = call
    // Compressed bytes cannot be edited in place.
    if (!observer.prepare || this.requestHead.contentEncoding) return this.#dispatch()
    prepareWithin(
      limits.prepareMs,
      () => observer.prepare?.(call),
      (edit) => this.#forward(body, edit),
      (err) => log.warn({ err }, 'forwarding the request as it came'),
    )
  }

  #forward(body: Buffer, edit: RequestEdit | undefined): void {
    if (this.#clientGone) return
    if (edit === undefined) return this.#dispatch()
    if (Buffer.isBuffer(edit)) this.#body = edit
    else if ('body' in edit) {
      edit.commit()
      this.#body = edit.body
    } else if (edit.length > 0) this.#body = splice(body, edit)
    this.#dispatch()
  }

  #dispatch(): void {
    this.#attempts++
    const { method = 'GET', url = '/' } = this.request
    this.context.upstream.dispatch({ method, path: url, headers: this.requestHead.forward, body: this.#body }, this)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#clientGone) controller.abort(CLIENT_GONE)
  }

  /* Down */

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    _headers: unknown,
    statusMessage?: string,
  ): void {
    if (status < 200 || this.#clientGone) return
    const head = readResponseHead(controller.rawHeaders as Buffer[])
    this.#head = head
    this.#status = status
    const { response } = this
    response.sendDate = false
    response.writeHead(status, statusMessage ?? '', head.forward)
    // Node would write each chunk's frame in four pieces; we write it in one.
    this.#framed = response.chunkedEncoding
    response.chunkedEncoding = false
    if (this.#call && status < 300) this.#tap = tapFor(head.contentType, head.contentEncoding)
    this.#flushSoon()
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#flushSoon()
  }

  onResponseEnd(): void {
    this.#controller = undefined
    if (this.#clientGone) return
    const chunk = this.#gathered()
    const text = chunk?.toString('latin1') ?? ''
    const last = this.#framed && this.request.method !== 'HEAD' ? '0\r\n\r\n' : ''
    this.response.end(text === '' ? last : this.#frame(text) + last, 'latin1')
    if (chunk) this.#show(chunk, text)
  }

  /** Bytes travel as Latin-1 strings, one character per byte: Node joins strings where it would queue buffers. */
  #frame(text: string): string {
    return this.#framed ? `${text.length.toString(16)}\r\n${text}\r\n` : text
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#controller = undefined
    if (this.#clientGone || this.#ended) return this.#end()
    if (this.#head) return this.#breakOff(error)
    if (this.#mayRepeat(error)) return this.#dispatch()
    const { upstream, limits, log } = this.context
    const answer = noAnswer(error, upstream.host, limits.headersMs)
    log.warn({ err: error, host: upstream.host, status: answer.status }, 'no answer from the upstream')
    this.#refuse(answer)
  }

  #mayRepeat(error: Error): boolean {
    const lost = 'code' in error && LOST_CONNECTION.has(String(error.code))
    return lost && this.#attempts === 1 && this.#body === null && REPEATABLE.has(this.request.method ?? '')
  }

  /** The client must see what came and then a broken answer, as it would have without us; never a clean end. */
  #breakOff(error: Error): void {
    const { upstream, log } = this.context
    log.warn({ err: error, host: upstream.host }, 'the upstream broke off in the middle of an answer')
    this.#flush()
    const { socket } = this.response
    if (socket) socket.destroySoon()
    else this.response.destroy()
  }

  #flushSoon(): void {
    if (this.#flushing) return
    this.#flushing = true
    process.nextTick(flush, this)
  }

  /** @internal for `flush` below */
  flushNow(): void {
    this.#flushing = false
    if (this.#clientGone || this.response.writableEnded) return
    this.#flush()
  }

  #flush(): void {
    const chunk = this.#gathered()
    if (!chunk) return this.response.flushHeaders()
    const text = chunk.toString('latin1')
    if (!this.response.write(this.#frame(text), 'latin1')) this.#pause()
    this.#show(chunk, text)
  }

  #gathered(): Buffer | undefined {
    const chunks = this.#chunks
    if (chunks.length === 0) return undefined
    const chunk = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
    this.#chunks = []
    return chunk
  }

  #pause(): void {
    const { request, response } = this
    this.#controller?.pause()
    if (this.#waitsForDrain) return
    this.#waitsForDrain = true
    // A client that takes nothing for this long is as gone as an upstream that sends nothing.
    request.socket.setTimeout(this.context.limits.idleMs, () => request.socket.destroy())
    response.once('drain', () => {
      this.#waitsForDrain = false
      request.socket.setTimeout(0)
      this.#controller?.resume()
    })
  }

  /** Lets the tap read along. It comes after the client, and its trouble stays its own. */
  #show(chunk: Buffer, text: string): void {
    if (!this.#tap) return
    try {
      this.#tap.push(chunk, text)
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
    this.#controller?.abort(CLIENT_GONE)
    this.#end()
  }

  #end(): void {
    if (this.#ended) return
    this.#ended = true
    this.context.onEnd()
    const call = this.#call
    if (!call || !this.context.observer.observe) return
    const tap = this.#tap
    this.context.observations.add({
      call,
      status: this.#status,
      aborted: this.#clientGone,
      startedAt: this.#startedAt,
      endedAt: Date.now(),
      streamed: isEventStream(this.#head?.contentType),
      ...(this.#head?.requestId === undefined ? {} : { requestId: this.#head.requestId }),
      contentEncoding: this.requestHead.contentEncoding,
      readAnswer: () => tap?.end(),
    })
  }
}

function flush(exchange: Exchange): void {
  exchange.flushNow()
}

/** Whatever stands before it: a base URL may have a path of its own. */
function isMessages(path: string): boolean {
  const query = path.indexOf('?')
  return (query < 0 ? path : path.slice(0, query)).endsWith('/v1/messages')
}
