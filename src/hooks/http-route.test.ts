import fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import type { HookEvent } from '#protocol/hook-event.ts'
import type { Contribution, HookPart } from '#supervisor/handle-hook.ts'
import { hookAnswerer } from './answer-hook.ts'
import { hookRoute } from './http-route.ts'

describe('the route for http hooks', () => {
  it("answers with what Grove's parts say", async () => {
    const { post, events } = door(() => ({ deny: 'Not in scope.' }))
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
    const { post, events } = door(() => undefined)
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
    const { post } = door(() => undefined)
    expect(await post(event, body)).toEqual({ status: 200, body: {} })
  })

  it('lets the agent go on when a part breaks, and says so in the log', async () => {
    const { post, warnings } = door(() => {
      throw new Error('the store is gone')
    })
    expect(await post('stop', '{"session_id":"s1"}')).toEqual({ status: 200, body: {} })
    expect(warnings).toEqual(['failing open'])
  })

  it('reads five megabytes', async () => {
    const { post, events } = door(() => undefined)
    const prompt = 'ä'.repeat(2.5 * 1024 * 1024)
    await post('user-prompt-submit', JSON.stringify({ session_id: 's1', prompt }))
    expect(events).toMatchObject([{ prompt }])
  })
})

function door(say: () => Contribution | undefined) {
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
  app.register(hookRoute, { answer: hookAnswerer([part], log), log })
  async function post(event: string, body: string) {
    const headers = { 'content-type': 'application/json' }
    const { statusCode, json } = await app.inject({ method: 'POST', url: `/hooks/${event}`, headers, body })
    return { status: statusCode, body: json() as unknown }
  }
  return { post, events, warnings }
}
