import { expect, it } from 'vitest'
import type { OutputLineOf } from './output.ts'
import { readOutputLine } from './output.ts'
import { turnEnd } from './turn-end.ts'

const result = (fields: object) =>
  readOutputLine(JSON.stringify({ type: 'result', subtype: 'success', ...fields })) as OutputLineOf<'result'>

it.each([
  ['done', {}, {}],
  ['done', {}, { stopped: 'interrupted' as const }],
  ['interrupted', { subtype: 'error_during_execution', is_error: true }, { stopped: 'interrupted' as const }],
  ['timed-out', { terminal_reason: 'aborted_streaming' }, { stopped: 'timed-out' as const }],
  ['interrupted', { terminal_reason: 'aborted_tools' }, {}],
  ['failed', { subtype: 'error_during_execution', is_error: true }, {}],
  ['failed', { is_error: true, stop_reason: 'tool_deferred_unavailable' }, {}],
  ['limit', { is_error: true, api_error_status: 429 }, {}],
  ['limit', { is_error: true }, { apiError: 'rate_limit' }],
  ['billing', { is_error: true, api_error_status: 400 }, { apiError: 'billing_error' }],
  ['auth', { is_error: true, api_error_status: 403 }, {}],
  ['failed', { is_error: true, api_error_status: 500 }, { apiError: 'server_error' }],
])('is %s after %j with %j', (how, fields, facts) => {
  expect(turnEnd(result(fields), { costUsd: 0, ...facts }).how).toBe(how)
})

it('names the parked call, and the errors where there is no text', () => {
  const deferred_tool_use = { id: 't', name: 'AskUserQuestion', input: { a: 1 } }
  expect(turnEnd(result({ stop_reason: 'tool_deferred', deferred_tool_use }), { costUsd: 1 })).toMatchObject({
    how: 'deferred',
    deferred: { toolUseId: 't', tool: 'AskUserQuestion', input: { a: 1 } },
    costUsd: 1,
  })
  const failed = result({ subtype: 'error_during_execution', is_error: true, errors: ['No conversation found'] })
  expect(turnEnd(failed, { costUsd: 0 }).text).toBe('No conversation found')
})
