import { expect, it } from 'vitest'
import { readHookEvent } from '#protocol/hook-event.ts'
import { type HookPart, handleHook } from './handle-hook.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }
const event = readHookEvent({ hook_event_name: 'UserPromptSubmit', session_id: 's', prompt: 'Fix the total' })

function saying(...notices: string[]): HookPart[] {
  return notices.map((notice, at) => ({ name: `part ${at}`, handle: async () => ({ notice }) }))
}

it('says at most one line to the user for one event, however much was done', async () => {
  const two = await handleHook(saying('Grove recalled 1 memory (147 tokens): Round once', 'Half full.'), event, log)
  expect(two.systemMessage).toBe('Grove recalled 1 memory (147 tokens): Round once · Half full.')
  const long = 'x'.repeat(200)
  const many = await handleHook(saying('first', `${long}\n${long}`), event, log)
  expect(many.systemMessage).toBe('first · and 2 more')
})
