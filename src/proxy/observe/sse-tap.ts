import type { Answer } from '#core/turn.ts'
import { AnswerBuilder, escaped, utf8 } from './answer-builder.ts'

// No event of the API comes near this; a longer line is skipped, never gathered.
const MAX_LINE = 8 * 1024 * 1024

// A delta exactly as the API writes it. It has this one form only, so its parts can be found by counting.
const PREFIX = '{"type":"content_block_delta","index":'
const INFIX = ',"delta":{"type":"'
const TEXT = 'text_delta","text":"'
const TOOL_INPUT = 'input_json_delta","partial_json":"'
const THINKING = 'thinking_delta","thinking":"'
const SUFFIX = '"}}'
const CONTENT = '[^"\\\\\\n]*(?:\\\\.[^"\\\\\\n]*)*'
const literal = (text: string) => text.replace(/[{}]/g, '\\$&')
const DELTA = `${literal(PREFIX)}\\d{1,6}${literal(INFIX)}(?:${TEXT}|${TOOL_INPUT}|${THINKING})${CONTENT}${literal(SUFFIX)}`
const BEFORE = 'event: content_block_delta\ndata: '
const AFTER = '\n\n'
const WHOLE_EVENT = new RegExp(`${BEFORE}${DELTA}${AFTER}`, 'y')
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

  push(bytes: Buffer): void {
    const text = bytes.toString('latin1')
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
    // A piece keeps all of `text`; kept until the next quick garbage collections, it would grow old and stay for long.
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
    if (DATA_ALONE.test(data)) this.#takeDelta(data, 0, data.length)
    else this.#readEvent(utf8(data))
  }

  /** Takes all the deltas that stand here whole, and returns where the first other thing begins. */
  #readDeltas(text: string, start: number): number {
    if (this.#data !== undefined) return start
    let from = start
    for (;;) {
      WHOLE_EVENT.lastIndex = from
      if (!WHOLE_EVENT.test(text)) return from
      const end = WHOLE_EVENT.lastIndex
      this.#takeDelta(text, from + BEFORE.length, end - AFTER.length)
      from = end
    }
  }

  /** Takes the delta that fills this stretch. */
  #takeDelta(text: string, start: number, end: number): void {
    let at = start + PREFIX.length
    let index = 0
    for (let digit = text.charCodeAt(at) - 0x30; digit >= 0 && digit <= 9; digit = text.charCodeAt(++at) - 0x30) {
      index = index * 10 + digit
    }
    at += INFIX.length
    const rawEnd = end - SUFFIX.length
    if (text[at] === 'i') this.#answer.toolInput(index, text.slice(at + TOOL_INPUT.length, rawEnd))
    else if (text[at + 1] === 'e') this.#answer.text(index, text.slice(at + TEXT.length, rawEnd))
    else this.#answer.thinking(textLength(text, at + THINKING.length, rawEnd))
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

/** How long a JSON string's content is once read, in UTF-16 units as JavaScript counts; `raw` holds its UTF-8 bytes. */
function textLength(raw: string, start: number, end: number): number {
  let length = 0
  for (let i = start; i < end; i++) {
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
