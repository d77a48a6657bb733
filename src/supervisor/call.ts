import type { Answer } from '#core/turn.ts'
import type { RequestScan } from '#protocol/request-scan.ts'

/** One request of the client to the Messages API, as the proxy saw it. */
export interface ModelCall {
  path: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** The client's own bytes. */
  body: Buffer
  /** Where the parts of the body lie, if it has been scanned already. */
  scan?: RequestScan | undefined
  sessionId?: string
  /** Set on a subagent's requests. */
  agentId?: string
}

/** A call together with what came back, handed over once the answer is through or has broken off. */
export interface ObservedTurn {
  call: ModelCall
  answer?: Answer
  endedAt: number
}
