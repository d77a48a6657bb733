import type { Answer } from '#core/turn.ts'
import type { RequestScan } from '#protocol/request-scan.ts'
import type { CallFacts } from './inject/read-call.ts'

/** One request of the client to the Messages API, as the proxy saw it. */
export interface ModelCall {
  /** As the client sent it, query included. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The client's own bytes; decoded only when the client had compressed them. */
  readonly body: Buffer
  /** Where the parts of the body lie; undefined when it is no JSON object. */
  readonly scan?: RequestScan | undefined
  readonly sessionId?: string
  /** Set on a subagent's requests. */
  readonly agentId?: string
  /** What `readCall` found: it is asked before the request goes up and again when its answer is through. */
  facts?: CallFacts | 'unreadable' | undefined
  /** Nothing of the body will be read any more; its memory serves another request. */
  done?(): void
}

/** A call together with what came back, handed over once the answer is through or has broken off. */
export interface ObservedTurn {
  call: ModelCall
  /** The status the client got; 0 when it was gone before there was one. */
  status: number
  answer?: Answer
  /** The client hung up or the upstream broke off before the end. */
  aborted: boolean
  endedAt: number
}
