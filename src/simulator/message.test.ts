import fc from 'fast-check'
import { expect, it } from 'vitest'
import { assemble, readSse } from '../../test/support/sse.ts'
import { factsOf } from './facts.ts'
import { messageFor, streamOf, withPings } from './message.ts'
import type { Reply } from './schema.ts'

const text = fc.string({ unit: 'grapheme', minLength: 1 })
const toolUse = fc.record({
  name: fc.constantFrom('Read', 'Bash'),
  input: fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ noUnicodeString: false }), { maxKeys: 4 }),
})

it('streams exactly the message it would have sent in one piece, wherever it is cut', () => {
  const reply = fc.record(
    { thinking: text, text, tool_use: fc.array(toolUse, { minLength: 1, maxLength: 3 }) },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(reply, fc.integer({ min: 1, max: 40 }), (content, piece) => {
      const message = messageFor(content as Reply, request(), ids())
      expect(assemble(readSse(streamOf(message, piece).join('')))).toEqual(JSON.parse(JSON.stringify(message)))
    }),
  )
})

it('sends the events of the Messages API in their order', () => {
  const reply: Reply = { text: 'Looking.', tool_use: [{ name: 'Read', input: { file_path: '/a' }, id: 'toolu_1' }] }
  const events = readSse(streamOf(messageFor(reply, request(), ids()), 100).join(''))
  expect(events.map(({ event }) => event)).toEqual([
    'message_start',
    'content_block_start',
    'content_block_delta',
    'content_block_stop',
    'content_block_start',
    'content_block_delta',
    'content_block_delta',
    'content_block_stop',
    'message_delta',
    'message_stop',
  ])
  expect(events[5]?.data.delta).toEqual({ type: 'input_json_delta', partial_json: '' })
  expect(events[8]?.data).toMatchObject({ delta: { stop_reason: 'tool_use', stop_sequence: null } })
})

it('says end_turn after text alone, and what the script says over both', () => {
  expect(messageFor({ text: 'Done.' }, request(), ids()).stop_reason).toBe('end_turn')
  expect(messageFor({ text: 'Done.', stop_reason: 'max_tokens' }, request(), ids()).stop_reason).toBe('max_tokens')
})

it('puts a ping after the first event, or after every so many', () => {
  const names = (events: string[]) => readSse(events.join('')).map(({ event }) => event)
  const events = streamOf(messageFor({ text: 'Hi' }, request(), ids()))
  expect(names(withPings(events, true)).slice(0, 3)).toEqual(['message_start', 'ping', 'content_block_start'])
  expect(names(withPings(events, 2)).filter((name) => name === 'ping')).toHaveLength(3)
})

function request() {
  return factsOf({ index: 0, method: 'POST', url: '/v1/messages', rawHeaders: [], body: Buffer.from('{"model":"m"}') })
}

function ids() {
  let count = 0
  return (prefix: string) => `${prefix}_${++count}`
}
