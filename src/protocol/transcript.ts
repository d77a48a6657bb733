import { parseJson } from './json.ts'
import { anything, flag, may, must, object, type Read, type Shape, type Shaped, shaped, text } from './shape.ts'

/** The client's own record of a session, one JSON value per line. */

const orNull: Read<string | null> = (value) => (value === null ? null : text(value))
const common = {
  uuid: may(text),
  parentUuid: may(orNull),
  isSidechain: may(flag),
  agentId: may(text),
  sessionId: may(text),
  timestamp: may(text),
  cwd: may(text),
  gitBranch: may(text),
  version: may(text),
  /** How the client was started: `cli` in a terminal, `sdk-cli` with `-p`. */
  entrypoint: may(text),
}
const message = shaped({
  id: may(text),
  model: may(text),
  content: may(anything),
  usage: may(anything),
  stop_reason: may(orNull),
})

const lines = {
  user: {
    ...common,
    message: must(message),
    promptId: may(text),
    toolUseResult: may(anything),
    isMeta: may(flag),
    isCompactSummary: may(flag),
  },
  /** One line per content block: usage must be counted once per `message.id`. */
  assistant: { ...common, message: must(message), requestId: may(text), isApiErrorMessage: may(flag) },
  attachment: { ...common, attachment: must(shaped({ type: must(text), prompt: may(anything) })) },
  system: { ...common, subtype: may(text), logicalParentUuid: may(text) },
  /** What happened to the queue of messages that were typed while a turn ran. */
  'queue-operation': { ...common, operation: must(text), content: may(text) },
} satisfies Record<string, Shape>

type LineType = keyof typeof lines

/** One line of a transcript; what no described type fits is `{ type: 'unknown', raw }`. */
export type TranscriptLine =
  | { [Type in LineType]: { type: Type } & Shaped<(typeof lines)[Type]> }[LineType]
  | { type: 'unknown'; raw: unknown }

/** Reads one parsed transcript line; lines of other types are kept as `{ type: 'unknown', raw }`. */
export function readTranscriptLine(raw: unknown): TranscriptLine {
  const type = object(raw)?.type
  const shape = typeof type === 'string' && Object.hasOwn(lines, type) ? lines[type as LineType] : undefined
  return ((shape && shaped<Shape>(shape)(raw)) ?? { type: 'unknown', raw }) as TranscriptLine
}

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
  const found: TranscriptLine[] = []
  let { broken } = reader
  let start = 0
  for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
    const line = joined([...pending.splice(0), chunk.subarray(start, end)])
    start = end + 1
    if (line.trim() === '') continue
    const json = parseJson(line)
    if (json === undefined) broken++
    else found.push(readTranscriptLine(json))
  }
  // A copy, because readers of files reuse their buffers.
  if (start < chunk.length) pending.push(chunk.slice(start))
  return { reader: { pending, broken }, lines: found }
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
