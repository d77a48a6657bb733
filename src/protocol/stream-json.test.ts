import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  allowToolLine,
  controlAnswerLine,
  controlErrorLine,
  controlRequestLine,
  denyToolLine,
  parseStreamLine,
  runResult,
  userLine,
} from './stream-json.ts'

const lines = [
  { type: 'system', subtype: 'init', session_id: 's', cwd: '/p', model: 'claude-opus-4-8', tools: ['Task', 'Bash'] },
  { type: 'system', subtype: 'api_retry', attempt: 1, retry_delay_ms: 550 },
  { type: 'assistant', message: { id: 'msg_1', content: [], usage: {} }, parent_tool_use_id: null, session_id: 's' },
  { type: 'user', message: { role: 'user', content: [] }, parent_tool_use_id: 'toolu_1', tool_use_result: { a: 1 } },
  { type: 'stream_event', event: { type: 'ping' }, parent_tool_use_id: null },
  { type: 'result', subtype: 'success', is_error: false, result: 'ok', session_id: 's' },
  { type: 'control_request', request_id: 'r', request: { subtype: 'can_use_tool', tool_name: 'Bash', input: {} } },
  { type: 'control_response', response: { subtype: 'success', request_id: 'r', response: { a: 1 } } },
  { type: 'control_cancel_request', request_id: 'r' },
]

describe('an output line', () => {
  it.each(lines)('%j keeps every field', (line) => {
    const newer = { ...line, added_later: 1 }
    expect(parseStreamLine(JSON.stringify(newer))).toEqual(newer)
  })

  it('of an unknown type is kept, and plain text too', () => {
    expect(parseStreamLine('{"type":"tea","cups":2}')).toEqual({ type: 'unknown', raw: { type: 'tea', cups: 2 } })
    expect(parseStreamLine('Update available')).toEqual({ type: 'unknown', raw: 'Update available' })
  })

  it('never throws, whatever it is', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (line) => 'type' in parseStreamLine(line)))
  })
})

describe('a result', () => {
  it('tells session, cost, text and how it ended', () => {
    const result = resultOf({
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'Done',
      session_id: 's',
      total_cost_usd: 0.25,
      num_turns: 3,
      usage: { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 3, cache_creation_input_tokens: 4 },
      terminal_reason: 'completed',
      structured_output: { a: 1 },
    })
    expect(result).toEqual({
      ok: true,
      subtype: 'success',
      text: 'Done',
      sessionId: 's',
      costUsd: 0.25,
      turns: 3,
      usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
      terminalReason: 'completed',
      structuredOutput: { a: 1 },
      errors: [],
    })
  })

  it('is understood by its older names', () => {
    const older = resultOf({ type: 'result', subtype: 'success', sessionId: 'old', costUSD: 0.5 })
    expect(older).toMatchObject({ sessionId: 'old', costUsd: 0.5, ok: true })
  })

  it.each([
    [{ subtype: 'success', is_error: true, result: 'API Error: 529' }, 'API Error: 529', []],
    [{ subtype: 'error_max_turns', errors: ['Reached the limit'] }, undefined, ['Reached the limit']],
    [{ subtype: 'error_during_execution' }, undefined, []],
  ])('%j is not a success', (fields, text, errors) => {
    const result = resultOf({ type: 'result', ...fields })
    expect([result.ok, result.text, result.errors]).toEqual([false, text, errors])
  })
})

describe('an input line', () => {
  it.each([
    [userLine('Hello'), { type: 'user', message: { role: 'user', content: 'Hello' } }],
    [
      controlRequestLine('r1', { subtype: 'set_permission_mode', mode: 'plan' }),
      { type: 'control_request', request_id: 'r1', request: { subtype: 'set_permission_mode', mode: 'plan' } },
    ],
    [
      allowToolLine('r2', { command: 'ls' }),
      response({
        subtype: 'success',
        request_id: 'r2',
        response: { behavior: 'allow', updatedInput: { command: 'ls' } },
      }),
    ],
    [
      denyToolLine('r3', 'No'),
      response({ subtype: 'success', request_id: 'r3', response: { behavior: 'deny', message: 'No' } }),
    ],
    [
      denyToolLine('r3', 'No', true),
      response({
        subtype: 'success',
        request_id: 'r3',
        response: { behavior: 'deny', message: 'No', interrupt: true },
      }),
    ],
    [
      controlAnswerLine('r4', { decision: 'block' }),
      response({ subtype: 'success', request_id: 'r4', response: { decision: 'block' } }),
    ],
    [controlErrorLine('r5', 'Unknown'), response({ subtype: 'error', request_id: 'r5', error: 'Unknown' })],
  ])('%s has the shape the client takes', (line, expected) => {
    expect(JSON.parse(line)).toEqual(expected)
  })

  it('is always exactly one line', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const line = userLine(`${text}\n\u2028\u2029`)
        expect(line.slice(0, -1)).not.toMatch(/[\n\r\u2028\u2029]/)
        expect(JSON.parse(line).message.content).toBe(`${text}\n\u2028\u2029`)
      }),
    )
  })
})

function resultOf(line: object) {
  const parsed = parseStreamLine(JSON.stringify(line))
  if (parsed.type !== 'result') throw new Error('not a result line')
  return runResult(parsed)
}

function response(response: object) {
  return { type: 'control_response', response }
}
