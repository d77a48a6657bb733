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
