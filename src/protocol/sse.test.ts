import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseStreamEvent } from './sse.ts'

const known = [
  { type: 'message_start', message: { id: 'msg_1', model: 'm', content: [], usage: { input_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 't', name: 'Bash', input: {} } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'a' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"a' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 's' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 5 } },
  { type: 'message_stop' },
  { type: 'ping' },
  { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
]

describe('an event of a Messages stream', () => {
  it.each(known)('%j is read with all its fields', (event) => {
    const newer = { ...event, added_later: true }
    expect(parseStreamEvent(JSON.stringify(newer))).toEqual(newer)
    expect(parseStreamEvent(newer)).toEqual(newer)
  })

  it('of an unknown type is kept', () => {
    const event = { type: 'content_block_rewind', index: 2 }
    expect(parseStreamEvent(JSON.stringify(event))).toEqual({ type: 'unknown', raw: event })
  })

  it('keeps unknown blocks and deltas inside known events', () => {
    expect(parseStreamEvent({ type: 'content_block_start', index: 0, content_block: { type: 'new' } })).toMatchObject({
      content_block: { type: 'unknown', raw: { type: 'new' } },
    })
    expect(parseStreamEvent({ type: 'content_block_delta', index: 0, delta: { type: 'new' } })).toMatchObject({
      delta: { type: 'unknown', raw: { type: 'new' } },
    })
  })

  it('that is broken keeps its text', () => {
    expect(parseStreamEvent('{"type":"pi')).toEqual({ type: 'unknown', raw: '{"type":"pi' })
  })

  it('never throws, whatever the text', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (data) => 'type' in parseStreamEvent(data)))
  })
})
