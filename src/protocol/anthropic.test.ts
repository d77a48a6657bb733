import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  apiErrorBody,
  blocksOf,
  lastUserMessage,
  metadataSessionId,
  readAnswer,
  readApiError,
  readBlock,
  readMessagesRequest,
} from './anthropic.ts'
import { contextWindow, textsOf, tokenUsage } from './turn-facts.ts'

const session = '5f0c2a52-1f5e-4a53-9a0b-0c4f6d0e7b11'
const request = {
  model: 'claude-opus-4-8',
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'Fix the login' }] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'ls' } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt' }] },
    { role: 'system', content: 'A reminder in the middle of the conversation' },
  ],
  system: [{ type: 'text', text: 'billing' }],
  tools: [{ name: 'Bash' }, { type: 'web_search_20250305', name: 'web_search' }, { type: 'future_tool' }],
  metadata: { user_id: JSON.stringify({ device_id: 'd', account_uuid: '', session_id: session }) },
  thinking: { type: 'adaptive' },
  output_config: { effort: 'high' },
  stream: true,
}

describe('a Messages request', () => {
  it('keeps every field, also those nobody described', () => {
    const newer = { ...request, from_the_future: { a: [1, 2] } }
    expect(readMessagesRequest(newer)).toEqual(newer)
  })

  it('is read although optional parts have odd shapes', () => {
    const odd = readMessagesRequest({ ...request, thinking: 'hard', tools: 7, metadata: null, stream: 'yes' })
    expect(odd).toMatchObject({ model: 'claude-opus-4-8', thinking: undefined, tools: undefined })
    expect(odd?.messages).toHaveLength(4)
  })

  it('keeps a message it cannot read, so that positions still match', () => {
    const { messages } = readMessagesRequest({ model: 'm', messages: [42, { role: 'user', content: 'hi' }] })!
    expect(messages).toEqual([
      { role: 'unknown', content: [], raw: 42 },
      { role: 'user', content: 'hi' },
    ])
  })

  it.each([[null], ['text'], [[]], [{ model: 'm' }], [{ messages: [] }]])('is not seen in %j', (json) => {
    expect(readMessagesRequest(json)).toBeUndefined()
  })

  it('has its newest user message before trailing system messages', () => {
    expect(lastUserMessage(readMessagesRequest(request)!)?.content).toEqual(request.messages[2]!.content)
  })

  it.each([
    [JSON.stringify({ session_id: session }), session],
    [`user_0a1b_account__session_${session}`, session],
    [JSON.stringify({ device_id: 'd' }), undefined],
    ['somebody', undefined],
    [17, undefined],
  ])('with the user id %s belongs to session %s', (user_id, expected) => {
    expect(metadataSessionId(readMessagesRequest({ ...request, metadata: { user_id } })!)).toBe(expected)
  })
})

describe('a content block', () => {
  it('of an unknown type is kept whole', () => {
    const block = { type: 'hologram', data: 'x' }
    expect(readBlock(block)).toEqual({ type: 'unknown', raw: block })
  })

  it('of a known type without what makes it useful is kept whole', () => {
    expect(readBlock({ type: 'tool_use', name: 'Bash' })).toEqual({
      type: 'unknown',
      raw: { type: 'tool_use', name: 'Bash' },
    })
  })

  it('can be a plain string', () => {
    expect(blocksOf('hello')).toEqual([{ type: 'text', text: 'hello' }])
    expect(textsOf([{ type: 'image' }, { type: 'text', text: 'a' }, 3])).toEqual(['a'])
  })

  it('never throws, whatever it is', () => {
    fc.assert(fc.property(fc.jsonValue(), (json) => 'type' in readBlock(json)))
  })
})

describe('a non-streaming answer', () => {
  const body = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-opus-4-8',
    content: [
      { type: 'thinking', thinking: 'Hmm.', signature: 's' },
      { type: 'text', text: 'Let me look.' },
      { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { file_path: '/p/a.ts' } },
      { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: {} },
    ],
    stop_reason: 'tool_use',
    usage: { input_tokens: 10, output_tokens: 20, cache_read_input_tokens: 30, cache_creation_input_tokens: 40 },
  }

  it('becomes text, tool uses and tokens', () => {
    expect(readAnswer(body)).toEqual({
      messageId: 'msg_1',
      model: 'claude-opus-4-8',
      text: 'Let me look.',
      thinkingLength: 4,
      toolUses: [{ id: 'toolu_1', name: 'Read', input: { file_path: '/p/a.ts' } }],
      usage: { input: 10, output: 20, cacheRead: 30, cacheWrite: 40 },
      stopReason: 'tool_use',
      complete: true,
    })
  })

  it('is not made of an error', () => {
    const error = JSON.parse(apiErrorBody('overloaded_error', 'Overloaded'))
    expect(readAnswer(error)).toBeUndefined()
    expect(readApiError(error)).toEqual({ type: 'overloaded_error', message: 'Overloaded' })
    expect(readApiError({ ...error, request_id: 'req_1' })?.requestId).toBe('req_1')
    expect(readApiError(body)).toBeUndefined()
  })

  it('counts missing and odd token counters as nothing', () => {
    expect(tokenUsage({ input_tokens: 3, output_tokens: 'many' })).toEqual({
      input: 3,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
    })
    expect(tokenUsage(null)).toEqual({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 })
  })
})

it.each([
  ['claude-sonnet-5', 1_000_000],
  ['claude-opus-4-7', 1_000_000],
  ['claude-opus-4-8', 1_000_000],
  ['claude-sonnet-4-6', 200_000],
  ['claude-sonnet-4-6[1m]', 1_000_000],
  ['claude-haiku-4-5-20251001', 200_000],
])('%s without a proxy has a window of %i tokens', (model, tokens) => {
  expect(contextWindow(model)).toBe(tokens)
})

it.each([
  ['claude-opus-4-8', '', 1_000_000],
  ['claude-opus-4-8-20260601', '', 1_000_000],
  ['claude-sonnet-4-5[1m]', '', 1_000_000],
  ['claude-sonnet-4-5', 'claude-code-20250219,context-1m-2025-08-07', 1_000_000],
  ['claude-sonnet-5', 'effort-2025-11-24', 1_000_000],
  ['claude-haiku-5-5', '', 1_000_000],
  ['claude-haiku-4-5', '', 200_000],
  ['claude-opus-4-80', '', 200_000],
])('%s with betas "%s" has a window of %i tokens', (model, beta, tokens) => {
  expect(contextWindow(model, beta)).toBe(tokens)
})
