import { randomUUID } from 'node:crypto'
import { mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { lastRequest, setDrivingStage } from '../support/driving.ts'

it('talks with the client over several turns of one process', async () => {
  const stage = await setDrivingStage(
    onTestFinished,
    `
replies:
  - when: { last_user: first }
    reply: { text: One. }
  - when: { last_user: second }
    reply: { text: Two. }
`,
  )
  const run = stage.run({ system: 'You are driven by a test.' })
  const host = stage.host()
  const agent = await stage.start(run, host)
  const id = randomUUID()
  await agent.say({ id, text: 'first' })
  expect(await host.turn()).toMatchObject({ how: 'done', text: 'One.', turns: 1 })
  expect(host.of('started')).toMatchObject([{ claudeId: run.claude.id, tools: expect.arrayContaining(['Bash']) }])
  expect(host.of('heard')).toEqual([{ type: 'heard', messageId: id }])
  expect(
    host
      .of('text-part')
      .map(({ text }) => text)
      .join(''),
  ).toBe('One.')
  expect(host.of('usage').at(-1)).toMatchObject({ window: expect.any(Number), contextTokens: expect.any(Number) })
  expect(lastRequest(stage.simulator)).toContain('You are driven by a test.')

  await agent.say({ id: randomUUID(), text: 'second' })
  const second = await host.turn()
  expect(second).toMatchObject({ how: 'done', text: 'Two.' })
  const end = await agent.stop()
  expect(end).toMatchObject({ signal: null, costUsd: second.costUsd })
  expect(await readFile(run.logFile, 'utf8')).toContain('"type":"result"')
  expect(stage.simulator.problems).toEqual([])
})

it('lets a tool run, or tells the model in our words why not', async () => {
  const stage = await setDrivingStage(
    onTestFinished,
    `
replies:
  - when: { tool_result: Not that one }
    reply: done
  - when: { tool_result: fine }
    reply: { tool_use: { name: Bash, input: { command: rm README.md, description: Remove } } }
  - reply: { tool_use: { name: Bash, input: { command: echo fine, description: Say } } }
`,
  )
  const host = stage.host({
    decide: async ({ tool, input }) =>
      tool === 'Bash' && String(input.command).startsWith('rm')
        ? { type: 'deny', message: 'Not that one.' }
        : { type: 'allow' },
  })
  const agent = await stage.start(stage.run(), host)
  await agent.say({ id: randomUUID(), text: 'go' })
  expect(await host.turn()).toMatchObject({ how: 'done', text: 'done' })
  expect(host.of('tool-result').map(({ outcome, text }) => [outcome, text])).toEqual([
    ['ok', 'fine'],
    ['denied', 'Not that one.'],
  ])
  expect(await readFile(`${stage.project.dir}/README.md`, 'utf8')).toContain('Project')
})

it('takes odd folders, names and ids, and words of any length', async () => {
  const stage = await setDrivingStage(
    onTestFinished,
    `
replies:
  - when: { tool_result: { matches: "." } }
    reply: Seen.
  - reply: { tool_use: { name: Bash, input: { command: pwd, description: Where } } }
`,
  )
  const cwd = join(stage.project.dir, '-- ünï $(touch pwned) "q" ')
  await mkdir(cwd)
  const host = stage.host()
  const agent = await stage.start(
    stage.run({
      cwd,
      readable: [cwd],
      system: 'S'.repeat(300_000),
      tools: ['Bash'],
    }),
    host,
  )
  await agent.say({ id: 'any "id" \n', text: 'x'.repeat(10_000) })
  expect(await host.turn()).toMatchObject({ how: 'done' })
  expect(host.of('heard')).toEqual([{ type: 'heard', messageId: 'any "id" \n' }])
  expect(host.of('tool-result')[0]?.text).toContain('ünï')
  await expect(stat(join(stage.project.dir, 'pwned'))).rejects.toThrow()
  const gone = stage.run({ cwd: join(stage.project.dir, 'missing') })
  await expect(stage.driver.start(gone, host)).rejects.toMatchObject({ code: 'agent_failed' })
  for (const tools of [['Bash', '--help'], ['Read,Write'], ['WebFetch'], ['Bash(git:*)']]) {
    await expect(stage.driver.start(stage.run({ tools }), host)).rejects.toMatchObject({ code: 'agent_failed' })
  }
  await expect(stage.driver.start(stage.run({ claude: { id: '../../x', resume: false } }), host)).rejects.toMatchObject(
    { code: 'agent_failed' },
  )
})
