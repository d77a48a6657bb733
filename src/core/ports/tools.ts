import type { CallPlace, ToolCall, ToolReading } from '../action/reading.ts'

/** Reads each tool call once, however many parts ask. */
export interface ToolReader {
  read(call: ToolCall, at: CallPlace): Promise<ToolReading>
  /** Grove said no: whatever is read of the call from now on tells so. */
  deny(call: ToolCall): void
}
