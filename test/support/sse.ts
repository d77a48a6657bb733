type Json = Record<string, unknown>

export interface SseEvent {
  event: string
  data: Json
}

/** Reads the events of a stream that is complete, or was cut between two events. */
export function readSse(body: Buffer | string): SseEvent[] {
  return body
    .toString()
    .split('\n\n')
    .filter((block) => block.startsWith('event: '))
    .map((block) => {
      const [first, second] = block.split('\n')
      return { event: first!.slice('event: '.length), data: JSON.parse(second!.slice('data: '.length)) as Json }
    })
}

/** Puts the message together that a stream delivered, as the documentation of the API tells a client to. */
export function assemble(events: SseEvent[]): Json {
  let message: Json = {}
  const partial = new Map<number, string>()
  for (const { event, data } of events) {
    const index = data.index as number
    const blocks = message.content as Json[]
    if (event === 'message_start') message = structuredClone(data.message) as Json
    if (event === 'content_block_start') blocks[index] = data.content_block as Json
    if (event === 'content_block_delta') applyDelta(blocks[index]!, data.delta as Json, index, partial)
    if (event === 'content_block_stop' && partial.has(index)) blocks[index]!.input = JSON.parse(partial.get(index)!)
    if (event === 'message_delta') message = { ...message, ...(data.delta as Json), usage: { ...(data.usage as Json) } }
  }
  return message
}

function applyDelta(block: Json, delta: Json, index: number, partial: Map<number, string>) {
  if (delta.type === 'text_delta') block.text = `${block.text}${delta.text}`
  if (delta.type === 'thinking_delta') block.thinking = `${block.thinking}${delta.thinking}`
  if (delta.type === 'signature_delta') block.signature = delta.signature
  if (delta.type === 'input_json_delta') partial.set(index, `${partial.get(index) ?? ''}${delta.partial_json}`)
}
