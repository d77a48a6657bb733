import type { IncomingHttpHeaders } from 'node:http'
import type { Answer } from '#core/turn.ts'
import type { Insertion, RequestScan } from '#protocol/request-scan.ts'

/** Watches calls and may add to them. Nothing it does or fails to do can hurt a call. */
export interface ProxyObserver {
  /**
   * Runs before a Messages call goes up, while the client waits, so it must be cheap. Throwing, and taking longer than
   * the limit, count as nothing to add.
   */
  prepare?(call: MessagesCall): RequestEdit | undefined | Promise<RequestEdit | undefined>
  /** Runs after the answer is through or broke off, away from the request's path, one turn after the other. */
  observe?(turn: ObservedTurn): void | Promise<void>
  /**
   * True when nothing of a call's `body` is read or kept once `observe` has settled, not even by a `prepare` that took too
   * long. Its memory is then used again, which makes a busy proxy a good deal cheaper.
   */
  readonly returnsBodies?: boolean
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
