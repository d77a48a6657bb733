import { describe, expect, it } from 'vitest'
import { violations } from './validate.ts'

const call = (...ids: string[]) => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'tool_use', id, name: 'Read', input: {} })),
})
const result = (...ids: string[]) => ({
  role: 'user',
  content: ids.map((tool_use_id) => ({ type: 'tool_result', tool_use_id, content: 'ok' })),
})
const user = (content: unknown = 'Hello') => ({ role: 'user', content })
const check = (messages: unknown[], betas?: string) => violations({ model: 'm', messages }, betas)

describe('a request the API would take', () => {
  it('may be a whole conversation with parallel tools answered in any order', () => {
    expect(check([user(), call('a', 'b'), result('b', 'a'), { role: 'assistant', content: 'Done.' }, user()])).toEqual(
      [],
    )
  })

  it('may answer parallel tools in two neighbouring user messages', () => {
    expect(check([user(), call('a', 'b'), result('a'), result('b')])).toEqual([])
  })

  it('may have system messages in the middle when it says so in its betas', () => {
    const messages = [user(), { role: 'system', content: 'Note.' }]
    expect(check(messages, 'claude-code-20250219,mid-conversation-system-2026-04-07')).toEqual([])
    expect(check(messages)).toEqual(['messages[1] has role "system"; allowed: user, assistant'])
  })

  it('may end with an empty assistant message, and may have empty tool results', () => {
    const empty = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: '' }] }
    expect(check([user(), call('a'), empty, { role: 'assistant', content: [] }])).toEqual([])
  })
})

describe('a request the API would refuse', () => {
  it('starts with another role than user', () => {
    expect(check([{ role: 'assistant', content: 'Hi' }])).toEqual(['messages[0] must have role user'])
  })

  it('has no messages or no model', () => {
    expect(violations({})).toEqual(['messages must be a list with at least one message'])
    expect(violations({ messages: [user()] })).toEqual(['model must be given'])
  })

  it('answers a call that is not in the message before', () => {
    expect(check([user(), result('gone')])).toEqual([
      'messages[1]: tool_result gone has no tool_use in the previous message',
    ])
    const late = [user(), call('a'), result('a'), { role: 'assistant', content: 'x' }, result('a')]
    expect(check(late)).toEqual(['messages[4]: tool_result a has no tool_use in the previous message'])
  })

  it('leaves a call without its answer, also behind a system message', () => {
    expect(check([user(), call('a', 'b'), result('a')])).toEqual([
      'messages[1]: tool_use b has no tool_result in the next message',
    ])
    const parted = [user(), call('a'), { role: 'system', content: 'Note.' }, result('a')]
    expect(check(parted, 'mid-conversation-system-2026-04-07')).toEqual([
      'messages[1]: tool_use a has no tool_result in the next message',
      'messages[3]: tool_result a has no tool_use in the previous message',
    ])
  })

  it('answers twice or calls twice with one id', () => {
    expect(check([user(), call('a', 'a'), result('a', 'a')])).toEqual([
      'messages[1]: tool_use a is used more than once',
      'messages[2]: tool_use a is answered more than once',
    ])
  })

  it('lets the wrong side call or answer', () => {
    const swapped = [user(), { ...call('a'), role: 'user' }, { ...result('a'), role: 'assistant' }]
    expect(check(swapped)).toEqual([
      'messages[1]: user must not send tool_use',
      'messages[2]: assistant must not send tool_result',
    ])
  })

  it('puts text before a tool result', () => {
    const mixed = user([{ type: 'text', text: 'Hm' }, ...result('a').content])
    expect(check([user(), call('a'), mixed])).toEqual([
      'messages[2]: tool_result blocks must come before everything else',
    ])
  })

  it('has empty text, wherever it stands', () => {
    expect(check([user('')])).toEqual(['messages[0] is empty'])
    expect(check([user([{ type: 'text', text: ' \n' }])])).toEqual(['messages[0].content[0]: text must not be empty'])
    expect(violations({ model: 'm', messages: [user()], system: [{ type: 'text', text: '' }] })).toEqual([
      'system[0]: text must not be empty',
    ])
    const nested = user([{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: '' }] }])
    expect(check([user(), call('a'), nested])).toEqual(['messages[2].content[0].content[0]: text must not be empty'])
  })

  it('carries more than four cache markers, counting those inside tool results but not those inside tool inputs', () => {
    const cache_control = { type: 'ephemeral' }
    const marked = { type: 'text', text: 'x', cache_control }
    const inResult = { type: 'tool_result', tool_use_id: 'a', content: [marked] }
    const input = { content: [{ cache_control }] }
    const body = {
      model: 'm',
      system: [marked, marked],
      tools: [{ name: 'T', cache_control }],
      messages: [
        user([marked]),
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'T', input }] },
        user([inResult]),
      ],
    }
    expect(violations(body)).toEqual(['5 blocks carry cache_control; at most 4 may'])
    expect(violations({ ...body, tools: [] })).toEqual([])
  })
})
