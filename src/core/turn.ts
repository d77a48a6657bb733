import type { TokenUsage } from './session.ts'

/** An assistant's answer, put together from a stream or a single JSON body. */
export interface Answer {
  messageId: string
  model: string
  text: string
  /** Only how much it thought, never what. */
  thinkingLength: number
  toolUses: ToolUse[]
  usage: TokenUsage
  stopReason?: string
  /** False when the stream broke off before `message_stop`; what had arrived is still here. */
  complete: boolean
}

export interface ToolUse {
  id: string
  name: string
  input: Record<string, unknown>
}

/** One request of the client to the Messages API, as the proxy saw it. */
export interface ModelCall {
  path: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** The client's own bytes; empty when they came compressed in a way we do not read. */
  body: Buffer
  sessionId?: string
  /** Set on a subagent's requests. */
  agentId?: string
}

/** A call together with what came back, handed over once the answer is through or has broken off. */
export interface ObservedTurn {
  call: ModelCall
  status: number
  answer?: Answer
  /** The client hung up before the end. */
  aborted: boolean
  streamed: boolean
  requestId?: string
  startedAt: number
  endedAt: number
}
