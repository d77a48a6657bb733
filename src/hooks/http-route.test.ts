import fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { HookEvent } from '#protocol/hook-event.ts'
import type { Contribution, HookPart } from '#supervisor/handle-hook.ts'
import { hookAnswerer } from './answer-hook.ts'
import { hookRoute, quickHooks } from './http-route.ts'

describe.each([
  { which: 'the fast path', admitted: true },
  { which: 'the route behind it', admitted: false },
])('$which for http hooks', ({ admitted }) => {
  const route = (say: () => Contribution | undefined) => open(say, admitted)

  it("answers with what Grove's parts say", async () => {
    const { post, events } = await route(() => ({ deny: 'Not in scope.' }))
    const payload = { session_id: 's1', hook_event_name: 'PreToolUse', tool_name: 'Write', tool_input: {} }
    expect(await post('pre-tool-use', JSON.stringify(payload))).toEqual({
      status: 200,
      body: {
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: 'deny',
          permissionDecisionReason: 'Not in scope.',
        },
      },
    })
    expect(events).toMatchObject([{ hook_event_name: 'PreToolUse', session_id: 's1', tool_name: 'Write' }])
  })

  it('takes the event from its path when the payload does not name it', async () => {
    const { post, events } = await route(() => undefined)
    await post('user-prompt-submit', '{"session_id":"s1","prompt":"Hello"}')
    expect(events).toMatchObject([{ hook_event_name: 'UserPromptSubmit', prompt: 'Hello' }])
  })

  it.each([
    ['no JSON', 'pre-tool-use', '{"session_id":'],
    ['nothing', 'stop', ''],
    ['a list', 'stop', '[1,2]'],
    ['an event nobody knows', 'tea-time', '{"session_id":"s1","hook_event_name":"TeaTime"}'],
    ['more than it reads', 'stop', JSON.stringify({ session_id: 's1', text: 'x'.repeat(17 * 1024 * 1024) })],
  ])('lets the agent go on when it is sent %s', async (_what, event, body) => {
    const { post } = await route(() => undefined)
    expect(await post(event, body)).toEqual({ status: 200, body: {} })
  })

  it('lets the agent go on when a part breaks, and says so in the log', async () => {
    const { post, warnings } = await route(() => {
      throw new Error('the store is gone')
    })
    expect(await post('stop', '{"session_id":"s1"}')).toEqual({ status: 200, body: {} })
    expect(warnings).toEqual([expect.stringMatching(/^could not .*; the agent goes on$/)])
  })

  it('reads five megabytes', async () => {
    const { post, events } = await route(() => undefined)
    const prompt = 'ä'.repeat(2.5 * 1024 * 1024)
    await post('user-prompt-submit', JSON.stringify({ session_id: 's1', prompt }))
    expect(events).toMatchObject([{ prompt }])
  })
})

describe('the fast path', () => {
  it('leaves everything else to the web server', async () => {
    const { url } = await open(() => undefined, true)
    expect(await (await fetch(`${url}/other`)).text()).toBe('the web server')
    expect((await fetch(`${url}/hooks/stop`)).status).toBe(404)
  })
})

async function open(say: () => Contribution | undefined, admitted: boolean) {
  const events: HookEvent[] = []
  const warnings: string[] = []
  const warn = (_fields: object, message: string) => void warnings.push(message)
  const log = { debug() {}, info() {}, warn, error: warn }
  const part: HookPart = {
    name: 'listener',
    async handle(event) {
      events.push(event)
      return say()
    },
  }
  const app = fastify()
  const needs = { answer: hookAnswerer([part], log, { atHook: async () => 'working' }), log }
  app.register(hookRoute, needs)
  app.get('/other', () => 'the web server')
  quickHooks(app.server, () => admitted, needs)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  async function post(event: string, body: string) {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${url}/hooks/${event}`, { method: 'POST', headers, body })
    return { status: response.status, body: (await response.json()) as unknown }
  }
  return { url, post, events, warnings }
}
