import type { Answer } from '#core/turn.ts'
import { AnswerBuilder, escaped } from './answer-builder.ts'

// No event of the API comes near this; a longer line is skipped, never gathered.
const MAX_LINE = 8 * 1024 * 1024

const TEXT = 'text_delta","text'
const TOOL_INPUT = 'input_json_delta","partial_json'
const THINKING = 'thinking_delta","thinking'
// A delta exactly as the API writes it: index, kind, and the raw content of its one string.
const DELTA = `\\{"type":"content_block_delta","index":(\\d{1,6}),"delta":\\{"type":"(${TEXT}|${TOOL_INPUT}|${THINKING})":"([^"\\\\\\n]*(?:\\\\.[^"\\\\\\n]*)*)"\\}\\}`
const WHOLE_EVENT = new RegExp(`event: content_block_delta\\ndata: ${DELTA}\\n\\n`, 'y')
const DATA_ALONE = new RegExp(`^${DELTA}$`)

/**
 * Reads a Messages stream along as it passes. It works on the bytes as a Latin-1 string, one character per byte, which
 * costs one copy and makes every search a native one. The many small deltas are cut straight out of it; only the few
 * other events are parsed. An event counts once its empty line is there, as it does for the client, so how the
 * stream was cut into chunks makes no difference.
 */
export class SseTap {
  readonly #answer = new AnswerBuilder()
  /** A line whose end has not arrived. */
  #line = ''
  /** The data of the event being read. */
  #data: string | undefined

  push(text: string): void {
    let from = 0
    if (this.#line !== '') {
      const end = text.indexOf('\n')
      this.#hold(end < 0 ? text : text.slice(0, end))
      if (end < 0) return
      const line = this.#line
      this.#line = ''
      this.#readLine(line, 0, line.length)
      from = end + 1
    }
    for (;;) {
      from = this.#readDeltas(text, from)
      const end = text.indexOf('\n', from)
      if (end < 0) break
      this.#readLine(text, from, end)
      from = end + 1
    }
    if (from < text.length) this.#hold(text.slice(from))
    if (this.#data !== undefined) this.#data = detached(this.#data)
    this.#answer.settle()
  }

  /** What the stream said, complete or not; undefined when no message began. */
  end(): Answer | undefined {
    return this.#answer.build()
  }

  #hold(piece: string): void {
    // A line that is too long is kept only as far as it takes to know that.
    if (this.#line.length <= MAX_LINE) this.#line += detached(piece)
  }

  #readLine(text: string, start: number, lineEnd: number): void {
    const end = lineEnd > start && text[lineEnd - 1] === '\r' ? lineEnd - 1 : lineEnd
    if (end === start) this.#dispatch()
    else if (text[start] === 'd' && end - start <= MAX_LINE) this.#readData(text.slice(start, end))
    // The event's name is repeated as `type` in its data; ids, comments and retry times are not ours.
  }

  #readData(line: string): void {
    if (!line.startsWith('data')) return
    if (line.length > 4 && line[4] !== ':') return
    const data = line.slice(line[5] === ' ' ? 6 : 5)
    // Several data lines make one text; the API never does this, the standard allows it.
    const joined = this.#data === undefined ? data : `${this.#data}\n${data}`
    this.#data = joined.length <= MAX_LINE ? joined : ''
  }

  #dispatch(): void {
    const data = this.#data
    if (data === undefined) return
    this.#data = undefined
    const delta = DATA_ALONE.exec(data)
    if (delta) this.#takeDelta(delta)
    else this.#readEvent(utf8(data))
  }

  /** Takes all the deltas that stand here whole, and returns where the first other thing begins. */
  #readDeltas(text: string, start: number): number {
    if (this.#data !== undefined) return start
    let from = start
    for (;;) {
      WHOLE_EVENT.lastIndex = from
      const delta = WHOLE_EVENT.exec(text)
      if (!delta) return from
      this.#takeDelta(delta)
      from = WHOLE_EVENT.lastIndex
    }
  }

  #takeDelta(delta: RegExpExecArray): void {
    // By position, not by destructuring: this runs for every few characters of an answer.
    const index = Number(delta[1])
    const raw = delta[3]!
    if (delta[2]!.length === TEXT.length) this.#answer.text(index, raw)
    else if (delta[2]!.length === TOOL_INPUT.length) this.#answer.toolInput(index, raw)
    else this.#answer.thinking(textLength(raw))
  }

  #readEvent(data: string): void {
    const event = parse(data)
    switch (event?.type) {
      case 'message_start':
        this.#answer.messageStart(event.message)
        break
      case 'content_block_start':
        this.#answer.blockStart(Number(event.index), event.content_block)
        break
      case 'content_block_delta':
        this.#readParsedDelta(Number(event.index), event.delta as Record<string, unknown> | undefined)
        break
      case 'content_block_stop':
        this.#answer.blockStop(Number(event.index))
        break
      case 'message_delta':
        this.#answer.messageDelta(event.delta, event.usage)
        break
      case 'message_stop':
        this.#answer.messageStop()
        break
      // An `error` event ends the stream before its `message_stop`, which is how it shows in the answer.
    }
  }

  #readParsedDelta(index: number, delta: Record<string, unknown> | undefined): void {
    if (typeof delta?.text === 'string') this.#answer.text(index, escaped(delta.text))
    else if (typeof delta?.partial_json === 'string') this.#answer.toolInput(index, escaped(delta.partial_json))
    else if (typeof delta?.thinking === 'string') this.#answer.thinking(delta.thinking.length)
  }
}

/** A piece of a large string keeps all of it in memory; this one stands alone. */
function detached(piece: string): string {
  return Buffer.from(piece, 'latin1').toString('latin1')
}

function utf8(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('utf8')
}

/** How long a JSON string's content is once read, in UTF-16 units as JavaScript counts; `raw` holds its UTF-8 bytes. */
function textLength(raw: string): number {
  let length = 0
  for (let i = 0; i < raw.length; i++) {
    const byte = raw.charCodeAt(i)
    if (byte === 0x5c) {
      i += raw[i + 1] === 'u' ? 5 : 1
      length++
    } else if ((byte & 0xc0) !== 0x80) length += byte >= 0xf0 ? 2 : 1
  }
  return length
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined // not an event of the API; the client will judge it for itself
  }
}
