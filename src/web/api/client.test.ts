import { describe, expect, it } from 'vitest'
import { waitBefore } from './backoff.ts'
import { addressOf, Refused, requestOf, searchOf } from './client.ts'
import { Outbox, type Waiting } from './outbox.ts'
import { touched } from './touched.ts'

describe('a call', () => {
  it('goes to the address that the route declares, with its names filled in', () => {
    expect(requestOf('agents', 'show', { params: { sessionId: 'a/b c' } })).toEqual({
      method: 'GET',
      url: '/api/agents/a%2Fb%20c',
    })
    expect(addressOf('/api/sessions/:projectId/:featureId/plan', { projectId: 'p', featureId: 'f' })).toBe(
      '/api/sessions/p/f/plan',
    )
  })

  it('gives a list once for each value, and leaves out what is not there', () => {
    expect(searchOf({ q: ['a', 'b&c'], limit: 5, project: undefined })).toBe('?q=a&q=b%26c&limit=5')
    expect(searchOf({})).toBe('')
  })
})

it('says of a refusal what a person can use', () => {
  const words = (message: string, suggestion: string) =>
    new Refused({ status: 'error', code: 'bad_request', message, suggestion }, 400).words
  expect(words('There is no intent 7.', 'GET /api/intents lists them.')).toBe('There is no intent 7.')
  expect(words('It is taken.', 'Choose another name.')).toBe('It is taken. Choose another name.')
  expect(words('✖ Too big: expected string to have <=10000 characters\n  → at body.text', 'Send {}.')).toBe(
    'A text is too long: at most 10,000 characters. It is kept here; shorten it.',
  )
})

it('waits longer each time, and never more than half a minute', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 20].map(waitBefore)).toEqual([1, 2, 4, 8, 16, 30, 30, 30])
})

describe('actions that wait', () => {
  const action = (key: string, more: Partial<Waiting> = {}): Waiting => ({
    method: 'POST',
    url: '/x',
    key,
    label: key,
    wasClicked: true,
    queuedAt: 1,
    ...more,
  })

  it('stay in the order in which they were made, over a reload', () => {
    const storage = memoryStorage()
    new Outbox(storage).add(action('a'))
    new Outbox(storage).add(action('b'))
    expect(new Outbox(storage).all().map(({ key }) => key)).toEqual(['a', 'b'])
  })

  it('that can still be undone do not hold up the others', () => {
    const outbox = new Outbox(memoryStorage())
    outbox.add(action('later', { notBefore: 500 }))
    outbox.add(action('now'))
    expect(outbox.due(100).map(({ key }) => key)).toEqual(['now'])
    expect(outbox.remove('later')).toBe(true)
    expect(outbox.remove('later')).toBe(false)
    expect(outbox.due(1_000).map(({ key }) => key)).toEqual(['now'])
  })

  it('are the same when only the id of the sending differs', () => {
    const outbox = new Outbox(memoryStorage())
    outbox.add(action('a', { body: { answers: [1], requestId: 'one' } }))
    expect(outbox.has({ method: 'POST', url: '/x', body: { answers: [1], requestId: 'two' } })).toBe(true)
    expect(outbox.has({ method: 'POST', url: '/x', body: { answers: [2], requestId: 'one' } })).toBe(false)
  })

  it('are none where something else has written', () => {
    const storage = memoryStorage()
    storage.setItem('grove.outbox', '{"not": "ours"')
    expect(new Outbox(storage).all()).toEqual([])
  })
})

describe('what an event makes stale', () => {
  it('is the inbox, the agent and the list of agents when an approval is asked for', () => {
    const event = { type: 'approval:asked', sessionId: 's', approvalId: 'a', what: 'x' } as const
    const agent = ['agents', 'show', { params: { sessionId: 's' } }]
    expect(touched(event)).toEqual([['approvals'], ['agents', 'list'], agent])
  })

  it('is nothing when the event says it all', () => {
    expect(touched({ type: 'tokens', sessionId: 's', contextTokens: 1, window: 2 })).toEqual([])
  })

  it('is the feature, its lists and its records when something happens in it', () => {
    const event = {
      type: 'plan.approved',
      sessionId: 's',
      projectId: 'p',
      featureId: 'f',
      number: 1,
      planId: 'x',
      hash: 'h',
      signedOff: true,
    } as const
    const params = { projectId: 'p', featureId: 'f' }
    expect(touched(event)).toEqual(expect.arrayContaining([['inbox'], ['sessions', 'show', { params }]]))
  })
})

function memoryStorage() {
  const kept = new Map<string, string>()
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
  }
}
