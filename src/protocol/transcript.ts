import { z } from 'zod'
import { anything, maybe, parseJson, readerByKind } from './tolerant.ts'

/** The client's own record of a session, one JSON value per line. Client contract, §7. */

const text = maybe(z.string())
const flag = maybe(z.boolean())
const common = {
  uuid: text,
  parentUuid: maybe(z.string().nullable()),
  isSidechain: flag,
  agentId: text,
  sessionId: text,
  timestamp: text,
  cwd: text,
  gitBranch: text,
  version: text,
}
const message = z.looseObject({
  id: text,
  model: text,
  content: anything,
  usage: anything,
  stop_reason: maybe(z.string().nullable()),
})

/** Reads one parsed transcript line; lines of other types are kept as `{ type: 'unknown', raw }`. */
export const readTranscriptLine = readerByKind('type', {
  user: z.looseObject({
    type: z.literal('user'),
    ...common,
    message,
    promptId: text,
    toolUseResult: anything,
    isMeta: flag,
    isCompactSummary: flag,
  }),
  /** One line per content block: usage must be counted once per `message.id`. */
  assistant: z.looseObject({
    type: z.literal('assistant'),
    ...common,
    message,
    requestId: text,
    isApiErrorMessage: flag,
  }),
  attachment: z.looseObject({
    type: z.literal('attachment'),
    ...common,
    attachment: z.looseObject({ type: z.string() }),
  }),
  system: z.looseObject({ type: z.literal('system'), ...common, subtype: text, logicalParentUuid: text }),
})
export type TranscriptLine = ReturnType<typeof readTranscriptLine>

/** Where a reader stands in a growing file. */
export interface TranscriptReader {
  /** The beginning of a line whose end has not been written yet, in pieces, so that a long line is not copied again and again. */
  pending: readonly Uint8Array[]
  /** Lines that were no JSON: torn by a crash, or not the client's. */
  broken: number
}

export const newTranscriptReader: TranscriptReader = { pending: [], broken: 0 }

/** Takes the next bytes of the file, cut anywhere, and gives the lines that are complete now. */
export function feed(
  reader: TranscriptReader,
  chunk: Uint8Array,
): { reader: TranscriptReader; lines: TranscriptLine[] } {
  const pending = [...reader.pending]
  const lines: TranscriptLine[] = []
  let { broken } = reader
  let start = 0
  for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
    const line = joined([...pending.splice(0), chunk.subarray(start, end)])
    start = end + 1
    if (line.trim() === '') continue
    const json = parseJson(line)
    if (json === undefined) broken++
    else lines.push(readTranscriptLine(json))
  }
  // A copy, because readers of files reuse their buffers.
  if (start < chunk.length) pending.push(chunk.slice(start))
  return { reader: { pending, broken }, lines }
}

const NEWLINE = 0x0a
const utf8 = new TextDecoder()

function joined(parts: Uint8Array[]): string {
  if (parts.length === 1) return utf8.decode(parts[0])
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return utf8.decode(whole)
}
