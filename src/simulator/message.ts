import type { Json, RequestFacts } from './facts.ts'
import type { Reply } from './schema.ts'

/** An assistant message as the API returns it without streaming. */
export interface Message {
  id: string
  type: 'message'
  role: 'assistant'
  model: string
  content: Json[]
  stop_reason: string
  stop_sequence: null
  usage: {
    input_tokens: number
    cache_creation_input_tokens: number
    cache_read_input_tokens: number
    output_tokens: number
  }
}

/** Gives out ids that no other simulator and no other request will use. */
export type NextId = (prefix: 'msg' | 'toolu' | 'req') => string

/** Turns a scripted reply into the message it stands for. */
export function messageFor(reply: Reply, request: RequestFacts, nextId: NextId): Message {
  const content: Json[] = [
    ...(reply.thinking ? [{ type: 'thinking', thinking: reply.thinking, signature: 'c2ltdWxhdGVk' }] : []),
    ...(reply.text ? [{ type: 'text', text: reply.text }] : []),
    ...(reply.content ?? []),
    ...(reply.tool_use ?? []).map(({ id, name, input }) => ({
      type: 'tool_use',
      id: id ?? nextId('toolu'),
      name,
      input,
    })),
  ]
  const callsTools = content.some(({ type }) => type === 'tool_use')
  return {
    id: reply.id ?? nextId('msg'),
    type: 'message',
    role: 'assistant',
    model: reply.model ?? (request.model || 'claude-simulated'),
    content,
    stop_reason: reply.stop_reason ?? (callsTools ? 'tool_use' : 'end_turn'),
    stop_sequence: null,
    usage: {
      input_tokens: reply.usage?.input ?? estimateTokens(request.text),
      cache_creation_input_tokens: reply.usage?.cache_write ?? 0,
      cache_read_input_tokens: reply.usage?.cache_read ?? 0,
      output_tokens: reply.usage?.output ?? estimateTokens(JSON.stringify(content)),
    },
  }
}

/** A believable number from a size alone, so that the same request always counts the same. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4)
}

/** The same message as the stream that delivers it, one string per event. */
export function streamOf(message: Message, piece = 24): string[] {
  const { content, stop_reason, stop_sequence, usage } = message
  const started = { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } }
  return [
    sse({ type: 'message_start', message: started }),
    ...content.flatMap((block, index) => blockEvents(block, index, piece)),
    sse({ type: 'message_delta', delta: { stop_reason, stop_sequence }, usage }),
    sse({ type: 'message_stop' }),
  ]
}

/** Writes one event as the wire has it; a string is taken as it is. */
export function sse(event: Json | string): string {
  return typeof event === 'string' ? event : `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}

/** Adds pings: `true` one after the first event, as the API does; a number, one after every so many events. */
export function withPings(events: string[], ping: boolean | number | undefined): string[] {
  if (!ping) return events
  const due = (i: number) => (ping === true ? i === 0 : (i + 1) % ping === 0)
  return events.flatMap((event, i) => (due(i) ? [event, sse({ type: 'ping' })] : [event]))
}

function blockEvents(block: Json, index: number, piece: number): string[] {
  const { start, deltas } = unfold(block, piece)
  return [
    sse({ type: 'content_block_start', index, content_block: start }),
    ...deltas.map((delta) => sse({ type: 'content_block_delta', index, delta })),
    sse({ type: 'content_block_stop', index }),
  ]
}

/** A block travels as an empty start and the deltas that fill it; kinds without deltas travel whole. */
function unfold(block: Json, piece: number): { start: Json; deltas: Json[] } {
  switch (block.type) {
    case 'text':
      return {
        start: { ...block, text: '' },
        deltas: cut(String(block.text), piece).map((text) => ({ type: 'text_delta', text })),
      }
    case 'thinking':
      return {
        start: { ...block, thinking: '', signature: '' },
        deltas: [
          ...cut(String(block.thinking), piece).map((thinking) => ({ type: 'thinking_delta', thinking })),
          { type: 'signature_delta', signature: block.signature },
        ],
      }
    case 'tool_use':
      return {
        start: { ...block, input: {} },
        // The API opens every tool input with an empty piece.
        deltas: ['', ...cut(JSON.stringify(block.input), piece)].map((partial_json) => ({
          type: 'input_json_delta',
          partial_json,
        })),
      }
    default:
      return { start: block, deltas: [] }
  }
}

/** Cuts between characters, never inside a surrogate pair. */
function cut(text: string, length: number): string[] {
  return text.match(new RegExp(`[\\s\\S]{1,${length}}`, 'gu')) ?? []
}
