import { randomUUID } from 'node:crypto'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ToolDecision, ToolRequest } from '../../src/core/ports/agent-driver.ts'
import { lastRequest, setDrivingStage } from '../support/driving.ts'

const question = (text: string) =>
  `{ name: AskUserQuestion, input: { questions: [{ question: "${text}", header: Way, multiSelect: false, options: [{ label: A, description: a }, { label: B, description: b }] }] } }`

/** The first turn makes these calls; whatever the tools answer, the model is then done. */
const calls = (...uses: string[]) => `
replies:
  - when: { tool_result: { matches: "." } }
    reply: Thank you.
  - reply: { text: Before I begin. , tool_use: [${uses.join(', ')}] }
`

const hostTool = {
  name: 'ask_decision',
  description: 'Asks the user.',
  inputSchema: { type: 'object', properties: { about: { type: 'string' } } },
}

const parkQuestions = async ({ tool }: ToolRequest): Promise<ToolDecision> =>
  /AskUser|ask_decision|ExitPlan/.test(tool) ? { type: 'defer' } : { type: 'allow' }

describe('a question', () => {
  it('is answered while the client waits', async () => {
    const stage = await setDrivingStage(onTestFinished, calls(question('Which?')))
    const host = stage.host({
      decide: async ({ input }) => ({ type: 'allow', input: { ...input, answers: { 'Which?': 'B, surely' } } }),
    })
    const agent = await stage.start(stage.run(), host)
    await agent.say({ id: randomUUID(), text: 'go' })
    expect(await host.turn()).toMatchObject({ how: 'done', text: 'Thank you.' })
    expect(lastRequest(stage.simulator)).toContain('B, surely')
  })

  it('is parked, and asked again in the next process, which a killed one does not hinder', async () => {
    const stage = await setDrivingStage(onTestFinished, calls(question('Which?')))
    const run = stage.run()
    const first = stage.host({ decide: parkQuestions })
    const agent = await stage.start(run, first)
    await agent.say({ id: randomUUID(), text: 'go' })
    const parked = await first.turn()
    expect(parked).toMatchObject({ how: 'deferred', deferred: { tool: 'AskUserQuestion' } })
    process.kill(agent.pid, 'SIGKILL')
    await agent.ended

    const asked: ToolRequest[] = []
    const second = stage.host({
      decide: async (call) => {
        asked.push(call)
        return { type: 'allow', input: { ...call.input, answers: { 'Which?': 'B, surely' } } }
      },
    })
    await stage.start(stage.run({ claude: { id: run.claude.id, resume: true } }), second)
    const end = await second.turn()
    expect(end).toMatchObject({ how: 'done', text: 'Thank you.' })
    expect(asked.map(({ toolUseId }) => toolUseId)).toEqual([parked.deferred!.toolUseId])
    expect(lastRequest(stage.simulator)).toContain('B, surely')
    // Newer clients go on counting where the conversation stood; a process costs what it costs.
    expect(end.costUsd).toBeLessThan(parked.costUsd * 1.3)
  })

  it('that comes by our own tool is parked beside another call, and answered after a resume', async () => {
    const stage = await setDrivingStage(
      onTestFinished,
      calls(
        '{ name: Bash, input: { command: echo first, description: Say } }',
        '{ name: mcp__grove__ask_decision, input: { about: the way } }',
      ),
    )
    const run = stage.run()
    const first = stage.host({ tools: [hostTool], decide: parkQuestions })
    const agent = await stage.start(run, first)
    await agent.say({ id: randomUUID(), text: 'go' })
    expect(await first.turn()).toMatchObject({
      how: 'deferred',
      deferred: { tool: 'mcp__grove__ask_decision', input: { about: 'the way' } },
    })
    await agent.stop()
    const called: object[] = []
    const second = stage.host({
      tools: [hostTool],
      callTool: async ({ name, input, toolUseId }) => {
        called.push({ name, input, toolUseId })
        return { text: 'The user wants the scenic way.' }
      },
    })
    await stage.start(stage.run({ claude: { id: run.claude.id, resume: true } }), second)
    expect(await second.turn()).toMatchObject({ how: 'done', text: 'Thank you.' })
    expect(called).toEqual([
      { name: 'ask_decision', input: { about: 'the way' }, toolUseId: expect.stringContaining('toolu_') },
    ])
    expect(lastRequest(stage.simulator)).toContain('the scenic way')
    expect(lastRequest(stage.simulator)).toContain('first')
  })

  it('is not parked beside a second one: the first is sent back, the last one waits', async () => {
    const stage = await setDrivingStage(onTestFinished, calls(question('Which?'), question('And how?')))
    const run = stage.run()
    const first = stage.host({ decide: parkQuestions })
    const agent = await stage.start(run, first)
    await agent.say({ id: randomUUID(), text: 'go' })
    const parked = await first.turn()
    expect(JSON.stringify(parked.deferred?.input)).toContain('And how?')
    expect(first.of('tool-result')).toMatchObject([{ outcome: 'denied', text: expect.stringContaining('single call') }])
    await agent.stop()
    const second = stage.host({
      decide: async ({ input }) => ({ type: 'allow', input: { ...input, answers: { 'And how?': 'On foot' } } }),
    })
    await stage.start(stage.run({ claude: { id: run.claude.id, resume: true } }), second)
    expect(await second.turn()).toMatchObject({ how: 'done' })
    expect(lastRequest(stage.simulator)).toContain('On foot')
    expect(lastRequest(stage.simulator)).toContain('single call')
  })
})

it('our own tool is answered at once, and its trouble is an error for the model', async () => {
  const stage = await setDrivingStage(
    onTestFinished,
    `
replies:
  - when: { tool_result: out of paper }
    reply: I see.
  - when: { tool_result: You said }
    reply: { tool_use: { name: mcp__grove__ask_decision, input: { about: trouble } } }
  - reply: { tool_use: { name: mcp__grove__ask_decision, input: { about: tea } } }
`,
  )
  const host = stage.host({
    tools: [hostTool],
    callTool: async ({ input }) => {
      if (input.about === 'trouble') throw new Error('We are out of paper.')
      return { text: `You said ${String(input.about)}.` }
    },
  })
  const agent = await stage.start(stage.run({ tools: [] }), host)
  await agent.say({ id: randomUUID(), text: 'go' })
  expect(await host.turn()).toMatchObject({ how: 'done', text: 'I see.' })
  expect(host.of('started')[0]?.tools).toEqual(['mcp__grove__ask_decision'])
  expect(host.of('tool-result').map(({ outcome, text }) => [outcome, text])).toEqual([
    ['ok', 'You said tea.'],
    ['error', 'We are out of paper.'],
  ])
})

it('the plan is shown before plan mode ends, can be sent back, and is left when it is allowed', async () => {
  const stage = await setDrivingStage(
    onTestFinished,
    `
replies:
  - when: { tool_result: "approved" }
    reply: Off I go.
  - when: { tool_result: Shorter }
    reply: { tool_use: { name: ExitPlanMode, input: {} } }
  - reply: { delay: 500, tool_use: { name: ExitPlanMode, input: {} } }
`,
  )
  const shown: unknown[] = []
  const host = stage.host({
    decide: async ({ tool, input }) => {
      shown.push(tool === 'ExitPlanMode' ? input.plan : tool)
      return shown.length === 1 ? { type: 'deny', message: 'Shorter, please.' } : { type: 'allow' }
    },
  })
  const agent = await stage.start(stage.run({ mode: 'plan', tools: ['Read', 'ExitPlanMode'] }), host)
  await agent.say({ id: randomUUID(), text: 'go' })
  // The model would write the file that the client has named to it.
  const planFile = () => /create your plan at (\S+?\.md)/.exec(lastRequest(stage.simulator))?.[1]
  await stage.simulator.until(() => planFile() !== undefined)
  await mkdir(dirname(planFile()!), { recursive: true })
  await writeFile(planFile()!, '# The plan\n')
  expect(await host.turn()).toMatchObject({ how: 'done', text: 'Off I go.' })
  expect(shown).toEqual(['# The plan\n', '# The plan\n'])
  expect(host.of('tool-result').map(({ outcome }) => outcome)).toEqual(['denied', 'ok'])
})

it('a command can be parked for approval and runs after the resume, with the input that was approved', async () => {
  const stage = await setDrivingStage(
    onTestFinished,
    calls('{ name: Bash, input: { command: echo original > out.txt, description: Write } }'),
  )
  const run = stage.run()
  const first = stage.host({ decide: async () => ({ type: 'defer' }) })
  const agent = await stage.start(run, first)
  await agent.say({ id: randomUUID(), text: 'go' })
  expect(await first.turn()).toMatchObject({ how: 'deferred', deferred: { tool: 'Bash' } })
  await agent.stop()
  await expect(stat(join(stage.project.dir, 'out.txt'))).rejects.toThrow()
  const again = stage.host({ decide: async () => ({ type: 'defer' }) })
  const second = await stage.start(stage.run({ claude: { id: run.claude.id, resume: true } }), again)
  expect(await again.turn()).toMatchObject({ how: 'deferred', deferred: { tool: 'Bash' } })
  await second.stop()
  const last = stage.host({
    decide: async ({ input }) => ({ type: 'allow', input: { ...input, command: 'echo approved > out.txt' } }),
  })
  await stage.start(stage.run({ claude: { id: run.claude.id, resume: true } }), last)
  expect(await last.turn()).toMatchObject({ how: 'done', text: 'Thank you.' })
  expect(await readFile(join(stage.project.dir, 'out.txt'), 'utf8')).toBe('approved\n')
})
