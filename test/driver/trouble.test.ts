import { randomUUID } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { setDrivingStage } from '../support/driving.ts'

describe('how a turn ends', () => {
  it.each([
    ['limit', 429, 'rate_limit_error', 'This request would exceed the rate limit.'],
    ['billing', 400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'],
    ['auth', 401, 'authentication_error', 'invalid x-api-key'],
  ])('%s after an answer with status %i', async (how, status, type, message) => {
    const stage = await setDrivingStage(
      onTestFinished,
      `
replies:
  - when: { last_user: again }
    reply: Better.
  - repeat: forever
    reply: { error: { status: ${status}, type: ${type}, message: "${message}" }, headers: { retry-after: 3600, x-should-retry: "false" } }
`,
    )
    const host = stage.host()
    const agent = await stage.start(stage.run(), host)
    await agent.say({ id: randomUUID(), text: 'go' })
    expect(await host.turn()).toMatchObject({ how, status })
    await agent.say({ id: randomUUID(), text: 'again' })
    expect(await host.turn()).toMatchObject({ how: 'done', text: 'Better.' })
  })

  it('is told while the client tries again', async () => {
    const stage = await setDrivingStage(
      onTestFinished,
      `
replies:
  - reply: { error: { status: 529, type: overloaded_error, message: Overloaded } }
  - reply: Here.
`,
    )
    const host = stage.host()
    const agent = await stage.start(stage.run(), host)
    await agent.say({ id: randomUUID(), text: 'go' })
    expect(await host.turn()).toMatchObject({ how: 'done', text: 'Here.' })
    expect(host.of('retrying')).toMatchObject([{ attempt: 1, status: 529 }])
  })
})

it('a conversation is held by one process', async () => {
  const stage = await setDrivingStage(onTestFinished, 'default: Hello.')
  const run = stage.run()
  const agent = await stage.start(run, stage.host())
  const second = stage.another().start(stage.run({ claude: run.claude }), stage.host())
  await expect(second).rejects.toMatchObject({ code: 'agent_busy' })
  await agent.stop()
  const third = await stage.start(stage.run({ claude: run.claude }), stage.host())
  await third.stop()
})

it('says why the client did not come up, and keeps nothing', async () => {
  const stage = await setDrivingStage(onTestFinished, 'default: Hello.')
  const unknown = stage.run({ claude: { id: randomUUID(), resume: true } })
  const host = stage.host()
  const outcome = await stage.driver.start(unknown, host).then(
    async (agent) => (await agent.ended).complaint,
    (error) => `${error.code}: ${error.message}`,
  )
  expect(outcome).toMatch(/No conversation found/)
  const nowhere = stage.another({ bin: '/no/such/claude' })
  await expect(nowhere.start(stage.run(), host)).rejects.toMatchObject({ code: 'agent_failed' })
  expect(await nowhere.client()).toBeUndefined()
  expect(await stage.driver.client()).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    supported: true,
  })
})
