import { describe, expect, it } from 'vitest'
import { factsOf } from './facts.ts'
import { captured, matches, unmet, valueAt } from './match.ts'

const body = {
  model: 'claude-opus-4-8',
  stream: true,
  system: [{ type: 'text', text: 'Primary working directory: /home/dev/shop\nMore' }],
  tools: [{ name: 'Read' }, { name: 'Agent' }],
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: '<system-reminder>today</system-reminder>' },
        { type: 'text', text: 'Fix the login' },
      ],
    },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'Read', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'line "one"\nline two' }] },
    { role: 'system', content: 'A note on the way' },
  ],
}

const request = factsOf({
  index: 0,
  method: 'POST',
  url: '/v1/messages?beta=true',
  rawHeaders: ['X-Api-Key', 'secret', 'x-claude-code-agent-id', 'a1'],
  body: Buffer.from(JSON.stringify(body)),
})

describe('a condition', () => {
  it.each([
    ['no condition', {}],
    ['the path', { path: '/v1/messages' }],
    ['the model', { model: { matches: '^claude-opus' } }],
    ['a subagent', { agent: true }],
    ['what the user last wrote, not what the client reminds of', { last_user: { matches: '^Fix the login$' } }],
    ['the system prompt', { system: { contains: ['working directory'] } }],
    ['a system message in the middle', { system: { contains: ['on the way'] } }],
    ['the newest tool results', { tool_result: { contains: ['line two'] } }],
    ['everything since the newest answer', { newest: { matches: '^line "one"\\nline two\\nA note on the way$' } }],
    ['an offered tool', { has_tool: ['Agent', 'Read'] }],
    ['the number of the call', { nth: 2 }],
    ['streaming', { stream: true }],
    ['the number of messages', { messages: 4 }],
    ['a header, whatever its case', { header: ['x-api-key'] }],
  ])('can ask for %s', (_, when) => {
    expect(matches(when, request, 2)).toBe(true)
  })

  it.each([
    ['another path', { path: '/v1/models' }],
    ['another model', { model: { contains: ['haiku'] } }],
    ['the main thread', { agent: false }],
    ['other words', { last_user: { contains: ['Fix', 'logout'] } }],
    ['words from before the newest answer', { newest: { contains: ['Fix the login'] } }],
    ['another tool', { has_tool: ['Read', 'Write'] }],
    ['another call', { nth: 1 }],
    ['no stream', { stream: false }],
    ['an absent header', { header: ['authorization'] }],
  ])('does not hold for %s', (_, when) => {
    expect(matches(when, request, 2)).toBe(false)
  })
})

describe('an expectation', () => {
  it('is met by what is there', () => {
    expect(
      unmet(
        {
          contains: ['line "one"\nline two', '"stream":true'],
          not_contains: ['password'],
          headers: { 'x-api-key': 'secret', authorization: null },
          json: { 'messages[-1].role': 'system', 'tools[1]': { name: 'Agent' }, temperature: null },
        },
        request,
      ),
    ).toEqual([])
  })

  it('says what is wrong', () => {
    expect(
      unmet(
        {
          contains: ['Fix the logout'],
          not_contains: ['login'],
          headers: { 'x-api-key': 'other', 'x-none': 'a' },
          json: { 'messages[0].role': 'assistant', max_tokens: 5 },
        },
        request,
      ),
    ).toEqual([
      'the request should contain "Fix the logout"',
      'the request should not contain "login"',
      'header x-api-key should be "other" and is "secret"',
      'header x-none should be "a" and is absent',
      'messages[0].role should be "assistant" and is "user"',
      'max_tokens should be 5 and is absent',
    ])
  })
})

it('finds the working directory of the client', () => {
  expect(request.cwd).toBe('/home/dev/shop')
})

it('reads a value by its path, from the end too', () => {
  expect(valueAt(body, 'messages[0].content[-1].text')).toBe('Fix the login')
  expect(valueAt(body, 'messages[9].content.text')).toBeUndefined()
})

describe('named groups of a condition', () => {
  it('are what they found in the request', () => {
    const when = { tool_result: { matches: 'line (?<which>\\w+)$' }, body: { matches: '"name":"(?<tool>Re\\w+)"' } }
    expect(matches(when, request, 1)).toBe(true)
    expect(captured(when, request)).toEqual({ which: 'two', tool: 'Read' })
  })
})
