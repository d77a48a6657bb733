import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type { Log } from '#core/ports.ts'
import type { Answer } from '#core/turn.ts'
import type { Insertion, RequestScan } from '#protocol/request-scan.ts'
import type { Call } from './call.ts'

/** Watches calls and may add to them. Nothing it does or fails to do can hurt a call. */
export interface ProxyObserver {
  /**
   * Runs before a Messages call goes up, while the client waits, so it must be cheap. Throwing, and taking longer than
   * the limit, count as nothing to add.
   */
  prepare?(call: MessagesCall): RequestEdit | undefined | Promise<RequestEdit | undefined>
  /** Runs after the answer is through or broke off, away from the request's path, one turn after the other. */
  observe?(turn: ObservedTurn): void | Promise<void>
}

/**
 * What becomes of a request: bytes to put in, a whole other body, or a body whose maker is told, by `commit`, that it
 * really goes up.
 */
export type RequestEdit = readonly Insertion[] | Buffer | { body: Buffer; commit(): void }

/** A call of `/v1/messages`. */
export interface MessagesCall {
  /** As the client sent it, query included. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The client's own bytes; decoded only when the client had compressed them. */
  readonly body: Buffer
  /** Where the parts of the body lie, scanned on first use; undefined when it is no JSON object. */
  readonly scan: RequestScan | undefined
  readonly sessionId?: string
  readonly agentId?: string
}

/** A call and what became of it. */
export interface ObservedTurn {
  call: MessagesCall
  /** The status the client got; 0 when it was gone before there was one. */
  status: number
  answer?: Answer
  /** The client hung up or the upstream broke off before the end. */
  aborted: boolean
  startedAt: number
  endedAt: number
  /** The answer was an event stream. */
  streamed: boolean
  requestId?: string
}

/** A turn whose parts may still have to be read. */
export interface RawTurn extends Omit<ObservedTurn, 'answer'> {
  call: Call
  contentEncoding: string | undefined
  readAnswer: () => Promise<Answer | undefined> | Answer | undefined
}

// A store that hangs must not make Grove hold every body it ever saw.
const MAX_WAITING_BYTES = 64 * 1024 * 1024
const MAX_WAITING_TURNS = 1000
const MAX_DECODED_BYTES = 64 * 1024 * 1024

/** Hands turns to the observer in the order they ended, one at a time, between other work. */
export class ObservationQueue {
  readonly #turns: RawTurn[] = []
  #bytes = 0
  #running: Promise<void> | undefined

  constructor(
    private readonly observer: ProxyObserver,
    private readonly log: Log,
  ) {}

  add(turn: RawTurn): void {
    if (this.#turns.length >= MAX_WAITING_TURNS || this.#bytes + turn.call.body.length > MAX_WAITING_BYTES) {
      this.log.warn({ waiting: this.#turns.length }, 'recording cannot keep up; a turn was not recorded')
      return
    }
    this.#turns.push(turn)
    this.#bytes += turn.call.body.length
    this.#running ??= this.#run()
  }

  /** Resolves when everything added so far is through. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running
  }

  /** Everything that waits is taken in one go: taking less per turn of the loop than arrives would never catch up. */
  async #run(): Promise<void> {
    await immediate()
    for (let turn = this.#turns.shift(); turn; turn = this.#turns.shift()) {
      this.#bytes -= turn.call.body.length
      try {
        const work = this.#observe(turn)
        if (work) await work
      } catch (err) {
        this.log.warn({ err }, 'a turn was not recorded')
      }
    }
    this.#running = undefined
  }

  #observe({ contentEncoding, readAnswer, ...turn }: RawTurn): void | Promise<void> {
    const answer = readAnswer()
    if (contentEncoding === undefined && !(answer instanceof Promise))
      return this.observer.observe?.(seen(turn, answer))
    return this.#observeLater(turn, contentEncoding, answer)
  }

  async #observeLater(
    turn: Omit<RawTurn, 'contentEncoding' | 'readAnswer'>,
    contentEncoding: string | undefined,
    answer: ReturnType<RawTurn['readAnswer']>,
  ): Promise<void> {
    const call = contentEncoding ? await withDecodedBody(turn.call, contentEncoding) : turn.call
    await this.observer.observe?.(seen({ ...turn, call }, await answer))
  }
}

function seen(turn: Omit<ObservedTurn, 'answer'>, answer: Answer | undefined): ObservedTurn {
  return answer ? { ...turn, answer } : turn
}

async function withDecodedBody(call: Call, encoding: string): Promise<Call> {
  const decode = { gzip: promisify(gunzip), deflate: promisify(inflate), br: promisify(brotliDecompress) }[encoding]
  if (!decode) return call
  return call.withBody(await decode(call.body, { maxOutputLength: MAX_DECODED_BYTES }))
}

function immediate(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
