import type { CallPlace, ToolCall, ToolEffect, ToolReading } from '../action/reading.ts'

/** Reads each tool call once, however many parts ask. */
export interface ToolReader {
  read(call: ToolCall, at: CallPlace): Promise<ToolReading>
  /** The effect alone. The rest of a reading is made fit to be kept, which takes longer than to decide by it. */
  effect(call: ToolCall, at: CallPlace): Promise<ToolEffect>
  /** Grove has denied the call: later readings of it have the outcome `denied`. */
  deny(call: ToolCall): void
}
