import { expect, it } from 'vitest'
import { blocksOf, readOutputLine, textOf } from './output.ts'

it.each([
  ['plain text between the lines', 'Warning: something'],
  ['a line that a crash has torn', '{"type":"result","subty'],
  ['a type of the future', '{"type":"telepathy","thought":1}'],
  ['JSON that is no object', '[1,2]'],
  ['a known type without what makes it one', '{"type":"control_request","request":{}}'],
  ['a name that every object has', '{"type":"constructor"}'],
])('keeps %s as unknown', (_, line) => {
  expect(readOutputLine(line).type).toBe('unknown')
})

it('keeps fields that it does not know, and lets odd ones go', () => {
  const line = readOutputLine(
    '{"type":"result","subtype":7,"is_error":"no","num_turns":"3","result":"ok","new":{"a":1}}',
  )
  expect(line).toMatchObject({
    type: 'result',
    subtype: '',
    is_error: false,
    num_turns: 0,
    result: 'ok',
    new: { a: 1 },
  })
})

it('takes a text as one block, and finds the words among other kinds', () => {
  expect(blocksOf('hi')).toEqual([{ type: 'text', text: 'hi' }])
  expect(blocksOf([null, 'x', { no: 'type' }, { type: 'image' }])).toEqual([{ type: 'image' }])
  expect(textOf([{ type: 'text', text: 'a' }, { type: 'image' }, { type: 'text', text: 'b' }])).toBe('a\nb')
})

it('takes the spelling of earlier clients, after that of today', () => {
  const old = '"sessionId":"s","costUSD":0.5,"isError":true,"metadata":{"session_id":"m"}'
  expect(readOutputLine(`{"type":"result",${old}}`)).toMatchObject({
    session_id: 's',
    total_cost_usd: 0.5,
    is_error: true,
  })
  expect(readOutputLine(`{"type":"result",${old},"total_cost_usd":2,"is_error":false}`)).toMatchObject({
    total_cost_usd: 2,
    is_error: false,
  })
  expect(readOutputLine('{"type":"system","metadata":{"session_id":"m"}}')).toMatchObject({ session_id: 'm' })
})
