import { NO_TOKENS, type TokenUsage } from '#core/session.ts'
import type { Answer, ToolUse } from '#core/turn.ts'

/** How much of an answer is kept; the stream itself is never cut. */
export const KEPT = { text: 64 * 1024, toolInput: 4 * 1024 * 1024, blocks: 1000 }

/** Stands for a tool's input that was larger than we keep. */
const TRUNCATED_INPUT = '__truncated'
/** Stands for a tool's input that was no JSON object. */
const UNPARSED_INPUT = '__unparsed'

const NOT_ASCII = /[\x80-\xff]/

type Json = Record<string, unknown>

/** `text` is what a finished block said. */
type TextBlock = { kind: 'text'; raw: RawText; text?: string }

type Block =
  | TextBlock
  | { kind: 'tool'; id: string; name: string; input: unknown; json: RawText; done: boolean }
  | { kind: 'thinking' | 'other' }

/**
 * Puts an answer together from what a stream brings. Text and tool inputs come as raw pieces: the bytes they have inside
 * JSON quotes, as a Latin-1 string. They are read once, at the end.
 */
export class AnswerBuilder {
  #message: Json | undefined
  #usage: TokenUsage = NO_TOKENS
  #stopReason: string | undefined
  #complete = false
  #thinkingLength = 0
  #textRoom = KEPT.text
  /** Where the last piece went. */
  #growing: RawText | undefined
  readonly #blocks = new Map<number, Block>()

  messageStart(message: unknown): void {
    if (!isJson(message)) return
    this.#message = message
    this.#usage = mergeUsage(this.#usage, message.usage)
  }

  blockStart(index: number, block: unknown): void {
    if (!isJson(block) || this.#blocks.size >= KEPT.blocks) return
    if (block.type === 'tool_use') {
      const [id, name] = [String(block.id ?? ''), String(block.name ?? '')]
      this.#blocks.set(index, { kind: 'tool', id, name, input: block.input, json: new RawText(), done: false })
    } else if (block.type === 'text') {
      this.#blocks.set(index, { kind: 'text', raw: new RawText() })
      if (typeof block.text === 'string' && block.text !== '') this.text(index, escaped(block.text))
    } else {
      this.#blocks.set(index, { kind: block.type === 'thinking' ? 'thinking' : 'other' })
      if (typeof block.thinking === 'string') this.#thinkingLength += block.thinking.length
    }
  }

  text(index: number, raw: string): void {
    const block = this.#blocks.get(index)
    if (block?.kind !== 'text') return
    // Once a piece did not fit, no shorter one may follow the gap.
    this.#textRoom = raw.length > this.#textRoom ? 0 : this.#textRoom - raw.length
    if (this.#textRoom > 0) this.#append(block.raw, raw)
  }

  toolInput(index: number, raw: string): void {
    const block = this.#blocks.get(index)
    if (block?.kind !== 'tool' || block.json.full) return
    if (block.json.length + raw.length > KEPT.toolInput) block.json.drop()
    else this.#append(block.json, raw)
  }

  #append(text: RawText, raw: string): void {
    if (this.#growing !== text) this.settle()
    this.#growing = text
    text.append(raw)
  }

  /** Lets go of the chunk that the last pieces were cut from. */
  settle(): void {
    this.#growing?.settle()
    this.#growing = undefined
  }

  thinking(length: number): void {
    this.#thinkingLength += length
  }

  blockStop(index: number): void {
    const block = this.#blocks.get(index)
    if (block?.kind === 'text') {
      block.text = textOf(block)
      this.#letGo(block.raw)
      block.raw = new RawText()
    } else if (block?.kind === 'tool' && !block.done) {
      block.input = readInput(block.json, block.input)
      this.#letGo(block.json)
      block.json = new RawText()
      block.done = true
    }
  }

  #letGo(text: RawText): void {
    if (this.#growing === text) this.#growing = undefined
  }

  messageDelta(delta: unknown, usage: unknown): void {
    this.#usage = mergeUsage(this.#usage, usage)
    if (isJson(delta) && typeof delta.stop_reason === 'string') this.#stopReason = delta.stop_reason
  }

  messageStop(): void {
    this.#complete = true
  }

  /** What arrived, also when the stream broke off; undefined when not even a message began. */
  build(): Answer | undefined {
    const message = this.#message
    if (!message || typeof message.id !== 'string') return undefined
    const blocks = [...this.#blocks].sort(([a], [b]) => a - b).map(([, block]) => block)
    return {
      messageId: message.id,
      model: typeof message.model === 'string' ? message.model : '',
      text: blocks.map((block) => (block.kind === 'text' ? textOf(block) : '')).join(''),
      thinkingLength: this.#thinkingLength,
      // The client runs a tool only when its block is finished, so an unfinished one was not used.
      toolUses: blocks.flatMap((block) => (block.kind === 'tool' && block.done ? [toolUse(block)] : [])),
      usage: this.#usage,
      ...(this.#stopReason === undefined ? {} : { stopReason: this.#stopReason }),
      complete: this.#complete,
    }
  }
}

/** The answer in a whole message; undefined when it is no message. */
export function answerOf(message: unknown): Answer | undefined {
  if (!isJson(message) || message.type !== 'message' || typeof message.id !== 'string') return undefined
  const answer: Answer = {
    messageId: message.id,
    model: typeof message.model === 'string' ? message.model : '',
    text: '',
    thinkingLength: 0,
    toolUses: [],
    usage: mergeUsage(NO_TOKENS, message.usage),
    ...(typeof message.stop_reason === 'string' ? { stopReason: message.stop_reason } : {}),
    complete: true,
  }
  for (const block of Array.isArray(message.content) ? message.content : []) {
    if (!isJson(block)) continue
    if (typeof block.text === 'string') answer.text += block.text
    else if (typeof block.thinking === 'string') answer.thinkingLength += block.thinking.length
    else if (block.type === 'tool_use') {
      answer.toolUses.push(toolUse({ id: String(block.id ?? ''), name: String(block.name ?? ''), input: block.input }))
    }
  }
  answer.text = answer.text.slice(0, KEPT.text)
  return answer
}

/** What bytes, given as a Latin-1 string, say in UTF-8. */
export function utf8(latin1: string): string {
  return NOT_ASCII.test(latin1) ? Buffer.from(latin1, 'latin1').toString() : latin1
}

/** A string as a raw piece. */
export function escaped(text: string): string {
  return Buffer.from(JSON.stringify(text).slice(1, -1)).toString('latin1')
}

function textOf({ raw, text = '' }: TextBlock): string {
  return text + (raw.read() ?? '')
}

function toolUse({ id, name, input }: { id: string; name: string; input: unknown }): ToolUse {
  return { id, name, input: isJson(input) ? input : {} }
}

function readInput(raw: RawText, initial: unknown): unknown {
  if (raw.full) return { [TRUNCATED_INPUT]: true }
  const text = raw.read()
  if (text === '') return initial
  const input = text === undefined ? undefined : parse(text)
  return isJson(input) ? input : { [UNPARSED_INPUT]: text ?? '' }
}

/** Later counters replace earlier ones: the stream repeats them as running totals. */
function mergeUsage(before: TokenUsage, usage: unknown): TokenUsage {
  if (!isJson(usage)) return before
  return {
    input: count(usage.input_tokens, before.input),
    output: count(usage.output_tokens, before.output),
    cacheRead: count(usage.cache_read_input_tokens, before.cacheRead),
    cacheWrite: count(usage.cache_creation_input_tokens, before.cacheWrite),
  }
}

function count(value: unknown, before: number): number {
  return typeof value === 'number' ? value : before
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // a stream may carry anything; what cannot be read is not recorded
  }
}

/** Content of a JSON string, gathered raw and read once. */
class RawText {
  #bytes: Buffer | undefined
  #settled = 0
  /** Pieces of the current chunk: joining strings is cheaper than copying each. */
  #pieces = ''
  full = false

  get length(): number {
    return this.#settled + this.#pieces.length
  }

  append(raw: string): void {
    this.#pieces += raw
  }

  settle(): void {
    const length = this.length
    if (!this.#bytes || length > this.#bytes.length) this.#grow(length)
    this.#bytes!.write(this.#pieces, this.#settled, 'latin1')
    this.#pieces = ''
    this.#settled = length
  }

  /** Lets go of what is here and takes no more. */
  drop(): void {
    this.#bytes = undefined
    this.#settled = 0
    this.#pieces = ''
    this.full = true
  }

  read(): string | undefined {
    if (!this.#bytes) return parse(`"${utf8(this.#pieces)}"`) as string | undefined
    if (this.#pieces !== '') this.settle()
    return parse(`"${this.#bytes.toString('utf8', 0, this.#settled)}"`) as string | undefined
  }

  #grow(length: number): void {
    const grown = Buffer.allocUnsafe(Math.max(256, length * 2))
    this.#bytes?.copy(grown, 0, 0, this.#settled)
    this.#bytes = grown
  }
}
