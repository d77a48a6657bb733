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
  /** What `readCall` found, kept with the call: a weak map would keep it, body and all, beyond the quick garbage collections. */
  facts?: CallFacts | 'unreadable' | undefined
  /** Nothing more will be asked of it, so its bytes and what was read of them can go. */
  letGo?(): void
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
