import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Simulator } from '../../src/simulator/upstream.ts'
import { setStage } from '../support/stage.ts'
import { differences } from '../support/traffic.ts'

// The real Claude Code works through Grove against a scripted API. It must notice nothing:
// what it sent is what arrived, what was answered is what it got.

const files = { 'notes.txt': 'remember the milk\n', 'a.txt': 'alpha\n', 'b.txt': 'beta\n', 'c.txt': 'gamma\n' }

describe.concurrent('Claude Code through Grove', () => {
  it('does a task with one tool after the other', async ({ onTestFinished }) => {
    const { simulator, grove, tap, project, run } = await setStage(onTestFinished, 'multi-tool', files)
    const outcome = await run('Write a summary of the notes')

    expect(outcome).toMatchObject({ exitCode: 0, stderr: '', result: { result: 'The summary has three lines.' } })
    expect(await readFile(join(project.dir, 'summary.md'), 'utf8')).toBe('# Summary\n\n- milk 🥛\n')
    expect(outcome.result?.usage).toMatchObject({ cache_read_input_tokens: 27_800, output_tokens: 142 })
    expect(simulator.problems).toEqual([])
    expect(simulator.unused()).toEqual([])
    expect(differences(tap, simulator)).toEqual([])

    await grove.until(() => grove.turns.length === 4)
    const [read, write, bash, end] = grove.turns.map(({ answer }) => answer)
    expect(read).toMatchObject({
      text: 'I will read the notes.',
      thinkingLength: 'The notes come first.'.length,
      toolUses: [{ name: 'Read', input: { file_path: join(project.dir, 'notes.txt') } }],
      stopReason: 'tool_use',
      complete: true,
    })
    expect(write?.toolUses).toMatchObject([{ name: 'Write', input: { content: '# Summary\n\n- milk 🥛\n' } }])
    expect(bash?.toolUses).toMatchObject([{ name: 'Bash', input: { command: 'wc -l < summary.md' } }])
    expect(end).toMatchObject({ text: 'The summary has three lines.', toolUses: [], stopReason: 'end_turn' })
    expect(new Set(grove.turns.map(({ call }) => call.sessionId))).toEqual(new Set([outcome.sessionId]))

    const sessionId = outcome.sessionId!
    const session = await grove.store.sessions.get(sessionId)
    expect(session).toMatchObject({ cwd: project.dir, attachments: ['proxy'], contextTokens: 50 + 12 + 9500 })
    const tasks = await grove.store.tasks.ofSession(sessionId)
    expect(tasks).toMatchObject([{ kind: 'main', goal: 'Write a summary of the notes', projectId: session!.projectId }])
    const steps = (await grove.store.steps.recent(sessionId, 9)).toReversed()
    expect(steps.map(({ id }) => id)).toEqual(
      [read, write, bash].flatMap((answer) => answer!.toolUses.map(({ id }) => id)),
    )
    expect(steps).toMatchObject([
      { kind: 'read', files: ['notes.txt'] },
      { kind: 'write', files: ['summary.md'] },
      { kind: 'bash', command: 'wc -l < summary.md' },
    ])
    expect(await grove.store.turns.totals(sessionId)).toEqual({
      turns: 4,
      input: 120 + 80 + 60 + 50,
      output: 40 + 60 + 30 + 12,
      cacheRead: 27_800,
      cacheWrite: 9_500,
    })
    expect(grove.warnings).toEqual([])
  })

  it('runs tools in parallel', async ({ onTestFinished }) => {
    const { simulator, grove, tap, run } = await setStage(onTestFinished, 'parallel-tools', files)
    const outcome = await run('Read all files')

    expect(outcome.result?.result).toBe('All three are read.')
    expect(simulator.problems).toEqual([])
    expect(differences(tap, simulator)).toEqual([])

    await grove.until(() => grove.turns.length === 2)
    expect(grove.turns[0]?.answer?.toolUses.map(({ input }) => input)).toEqual(
      ['a.txt', 'b.txt', 'c.txt'].map((file) => ({ file_path: expect.stringContaining(file) })),
    )
  })

  it('lets a subagent help', async ({ onTestFinished }) => {
    const { simulator, grove, tap, run, settled } = await setStage(onTestFinished, 'subagent', files)
    const outcome = await run('What should I remember?')

    expect(outcome.result?.result).toBe('The subagent says it is the milk.')
    expect(simulator.problems).toEqual([])
    expect(simulator.unused()).toEqual([])
    expect(differences(tap, simulator)).toEqual([])

    await settled()
    // A client that does not wait for its subagent asks once more.
    const askers = grove.turns.map(({ call }) => (call.agentId === undefined ? 'main' : 'subagent'))
    expect(askers.filter((asker) => asker === 'subagent')).toHaveLength(2)
    expect([2, 3]).toContain(askers.filter((asker) => asker === 'main').length)
    expect([askers[0], askers.at(-1)]).toEqual(['main', 'main'])
    // The subagent's work belongs to the task, but begins none of its own; nor does the news of its end.
    const tasks = await grove.store.tasks.ofSession(outcome.sessionId!)
    expect(tasks).toMatchObject([{ goal: 'What should I remember?' }])
    const steps = await grove.store.steps.recent(outcome.sessionId!, 9)
    // One that does wait has run its tool call after the subagent's.
    expect(steps.map(({ tool, agentId }) => `${tool} of the ${agentId ? 'subagent' : 'main thread'}`).sort()).toEqual([
      'Agent of the main thread',
      'Read of the subagent',
    ])
  })

  it('waits as long as a 429 asks, and gets its answer then', async ({ onTestFinished }) => {
    const { simulator, grove, tap, run } = await setStage(onTestFinished, 'rate-limited', files)
    const outcome = await run('Hello')

    expect(outcome).toMatchObject({ exitCode: 0, result: { result: 'Thank you for waiting.' } })
    const retry = outcome.lines.find(({ subtype }) => subtype === 'api_retry')
    expect(retry).toMatchObject({ error_status: 429 })
    // What it was asked for; from 2.1.326 on clients add a little, so that not all come back at once.
    expect(retry!.retry_delay_ms).toBeGreaterThanOrEqual(1000)
    expect(retry!.retry_delay_ms).toBeLessThan(1500)
    expect(modelCalls(simulator).map(({ status }) => status)).toEqual([429, 200])
    expect(differences(tap, simulator)).toEqual([])

    await grove.until(() => grove.turns.length === 2)
    expect(grove.turns.map(({ status, answer }) => [status, answer?.text])).toEqual([
      [429, undefined],
      [200, 'Thank you for waiting.'],
    ])
  })

  it('asks again when the line goes dead', async ({ onTestFinished }) => {
    const { simulator, grove, tap, run } = await setStage(onTestFinished, 'mid-stream-reset', files)
    const outcome = await run('Hello')

    expect(outcome).toMatchObject({ exitCode: 0, result: { result: 'Here is the whole answer.' } })
    expect(modelCalls(simulator).map(({ ended }) => ended)).toEqual(['reset', 'complete'])
    expect(simulator.problems).toEqual([])
    expect(differences(tap, simulator)).toEqual([])

    await grove.until(() => grove.turns.length === 2)
    expect(grove.turns).toMatchObject([
      { aborted: true, answer: { complete: false } },
      { aborted: false, answer: { complete: true, text: 'Here is the whole answer.' } },
    ])
  })

  it('asks again without streaming where there are no streams', async ({ onTestFinished }) => {
    const { simulator, grove, tap, run } = await setStage(onTestFinished, 'no-streaming', files)
    const outcome = await run('Hello')

    expect(outcome).toMatchObject({ exitCode: 0, result: { result: 'Here is the whole answer.' } })
    expect(simulator.problems).toEqual([])
    expect(differences(tap, simulator)).toEqual([])
    await grove.until(() => grove.turns.length === 2)
    expect(grove.turns).toMatchObject([
      { status: 404 },
      { status: 200, answer: { complete: true, text: 'Here is the whole answer.' } },
    ])
    const asksForStream = grove.turns.map(({ asked }) => JSON.parse(asked).stream === true)
    expect(asksForStream).toEqual([true, false])
    const tasks = await grove.store.tasks.ofSession(outcome.sessionId!)
    expect(tasks).toMatchObject([{ kind: 'main', goal: 'Hello' }])
  })

  it('counts tokens through it', async ({ onTestFinished }) => {
    const { simulator, grove, tap, run } = await setStage(onTestFinished, 'hello', files)
    const outcome = await run('/context')

    expect(outcome.exitCode).toBe(0)
    const paths = new Set(simulator.requests.map(({ url }) => url))
    expect(paths).toContain('/v1/messages/count_tokens?beta=true')
    expect(differences(tap, simulator)).toEqual([])
    expect(grove.turns).toEqual([])
  })

  it('reads compressed answers as they were packed', async ({ onTestFinished }) => {
    const { simulator, grove, tap, run } = await setStage(onTestFinished, 'compressed', files)
    const outcome = await run('Hello')

    expect(outcome.result?.result).toBe('Packed with gzip.')
    expect(differences(tap, simulator)).toEqual([])
    await grove.until(() => grove.turns.length === 1)
    expect(grove.turns[0]?.answer?.text).toBe('Packed with gzip.')
  })

  it.for(['SIGINT', 'SIGTERM'] as const)(
    'stops the upstream at once when it is ended by %s',
    async (signal, { onTestFinished }) => {
      const { simulator, grove, tap, start } = await setStage(onTestFinished, 'slow-drip', files)
      const { child, done } = await start('Tell me a long story')
      const answer = () => simulator.sent.find(({ body }) => body.length > 0)

      await simulator.until(() => (answer()?.body.length ?? 0) > 1000)
      child.kill(signal)
      await simulator.until(() => answer()?.ended === 'aborted')

      const ended = await done
      expect(ended.result?.subtype).not.toBe('success')
      expect(simulator.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
      expect(differences(tap, simulator)).toEqual([])

      await grove.until(() => grove.turns.length === 1)
      expect(grove.turns).toMatchObject([{ aborted: true, answer: { complete: false } }])
    },
  )
})

/** What the simulator answered to questions to the model; newer clients do not ask first whether anybody is there. */
function modelCalls({ requests, sent }: Simulator) {
  return sent.filter((_, index) => requests[index]!.method === 'POST')
}
