import { describe, expect, it } from 'vitest'
import { headersByName, loggable, readRequestHead } from './headers.ts'

describe('headers in a log', () => {
  it('show what is harmless and mask everything else', () => {
    const raw = [
      'X-Api-Key',
      'sk-ant-1',
      'Authorization',
      'Bearer t',
      'Cookie',
      'c=1',
      'x-new-token',
      'n',
      'Content-Type',
      'a/b',
    ]
    const shown = loggable([...raw, 'x-claude-code-session-id', 's-1', 'x-stainless-os', 'Linux', '__proto__', 'p'])
    expect({ ...shown }).toEqual({
      'x-api-key': '[masked]',
      authorization: '[masked]',
      cookie: '[masked]',
      'x-new-token': '[masked]',
      'content-type': 'a/b',
      'x-claude-code-session-id': 's-1',
      'x-stainless-os': 'Linux',
      ['__proto__']: '[masked]',
    })
  })
})

describe('the head of a request', () => {
  it('takes a name that Connection lists for one of this hop, whatever the order and case', () => {
    const raw = ['X-Hop', '1', 'CONNECTION', 'x-hop , close', 'x-stays', '2', 'Connection', 'X-Other', 'x-other', '3']
    expect(readRequestHead(raw).forward).toEqual(['x-stays', '2'])
  })

  it('notes what the proxy needs, the first value of each', () => {
    const raw = ['Host', 'localhost', 'X-Claude-Code-Session-Id', 's-1', 'x-claude-code-session-id', 's-2']
    expect(readRequestHead(raw)).toMatchObject({ host: 'localhost', sessionId: 's-1' })
  })

  it('notes all of what says where a request comes from, so that no second line hides behind the first', () => {
    const raw = ['Host', 'localhost', 'host', 'evil.example', 'Sec-Fetch-Site', 'none', 'sec-fetch-site', 'cross-site']
    expect(readRequestHead(raw)).toMatchObject({ host: 'localhost, evil.example', fetchSite: 'none, cross-site' })
  })
})

it('headers are found by name, however they were spelled and on however many lines', () => {
  const raw = ['Anthropic-Beta', 'one', 'X-App', 'cli', 'anthropic-beta', 'two', '__proto__', 'p']
  expect(Object.entries(headersByName(raw))).toEqual([
    ['anthropic-beta', 'one, two'],
    ['x-app', 'cli'],
    ['__proto__', 'p'],
  ])
})
