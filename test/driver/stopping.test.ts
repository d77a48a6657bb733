import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import type { ToolDecision } from '../../src/core/ports/agent-driver.ts'
import { processesOf, runningProcesses } from '../../src/exec/claude/run-processes.ts'
import { setDrivingStage } from '../support/driving.ts'

const bash = (command: string) => `{ name: Bash, input: { command: "${command}", description: Run } }`

async function alive(spawnId: string): Promise<number[]> {
  return processesOf(spawnId, await runningProcesses()).map(({ pid }) => pid)
}

/** Resolves when these commands of the run are under way. */
async function until(spawnId: string, commands: string[]): Promise<void> {
  const lines = async () =>
    (await alive(spawnId)).map((pid) => spawnSync('ps', ['-o', 'args=', '-p', `${pid}`]).stdout.toString())
  for (;;) {
    const running = await lines()
    if (commands.every((command) => running.some((line) => line.trim() === command))) return
    await sleep(50)
  }
}

it('an interrupt ends the turn, withdraws what is asked, and leaves a process that goes on', async () => {
  const stage = await setDrivingStage(
    onTestFinished,
    `
replies:
  - when: { last_user: again }
    reply: Here I am.
  - reply: { tool_use: ${bash('echo hi')} }
`,
  )
  let withdrawn = false
  const host = stage.host({
    decide: ({ signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          withdrawn = true
          resolve({ type: 'deny', message: 'too late' })
        })
        void agent.interrupt()
      }),
  })
  const agent = await stage.start(stage.run(), host)
  await agent.say({ id: randomUUID(), text: 'go' })
  expect(await host.turn()).toMatchObject({ how: 'interrupted' })
  expect(withdrawn).toBe(true)
  await agent.say({ id: randomUUID(), text: 'again' })
  expect(await host.turn()).toMatchObject({ how: 'done', text: 'Here I am.' })
})

it('an interrupt that overtakes its message still ends the turn', async () => {
  const stage = await setDrivingStage(onTestFinished, 'default: { text: a long answer, drip: 200 }')
  const host = stage.host()
  const agent = await stage.start(stage.run(), host)
  await agent.say({ id: randomUUID(), text: 'go' })
  await agent.interrupt()
  expect(await host.turn()).toMatchObject({ how: 'interrupted' })
})

it('a stop leaves nothing behind: neither a running command nor what an earlier one has left', async () => {
  const stage = await setDrivingStage(
    onTestFinished,
    `
replies:
  - when: { tool_result: left behind }
    reply: { tool_use: ${bash('sleep 301; echo over')} }
  - reply: { tool_use: ${bash('(setsid sleep 302 </dev/null >/dev/null 2>&1 &) ; echo left behind')} }
`,
  )
  const run = stage.run()
  const host = stage.host()
  const agent = await stage.start(run, host)
  await agent.say({ id: randomUUID(), text: 'go' })
  await until(run.spawnId, ['sleep 301', 'sleep 302'])
  await agent.stop()
  expect(await alive(run.spawnId)).toEqual([])
  expect(await host.turn()).toMatchObject({ how: 'interrupted' })
})

it('a client that answers nothing is ended all the same, with what it has started', async () => {
  const stage = await setDrivingStage(onTestFinished, `default: { tool_use: ${bash('sleep 303')} }`)
  const run = stage.run()
  const host = stage.host()
  const agent = await stage.another({ patience: { interrupt: 200, endSession: 200, term: 200 } }).start(run, host)
  await agent.say({ id: randomUUID(), text: 'go' })
  await until(run.spawnId, ['sleep 303'])
  process.kill(agent.pid, 'SIGSTOP')
  const end = await agent.stop()
  expect(end).toMatchObject({ signal: 'SIGKILL' })
  expect(await alive(run.spawnId)).toEqual([])
})

it('a client that is killed takes its commands along, and its turn has an end', async () => {
  const stage = await setDrivingStage(onTestFinished, `default: { tool_use: ${bash('sleep 304')} }`)
  const run = stage.run()
  const host = stage.host()
  const agent = await stage.start(run, host)
  await agent.say({ id: randomUUID(), text: 'go' })
  await until(run.spawnId, ['sleep 304'])
  process.kill(agent.pid, 'SIGKILL')
  expect(await agent.ended).toMatchObject({ code: null, signal: 'SIGKILL' })
  expect(await alive(run.spawnId)).toEqual([])
  expect(await host.turn()).toMatchObject({ how: 'failed' })
  await expect(agent.say({ id: randomUUID(), text: 'hello?' })).rejects.toMatchObject({ code: 'agent_failed' })
})

it('a turn that takes too long is ended, and the time the host takes does not count', async () => {
  const stage = await setDrivingStage(
    onTestFinished,
    `
replies:
  - when: { tool_result: ok }
    reply: In time.
  - when: { last_user: slowly }
    reply: { text: never, hang_after: 0 }
  - reply: { tool_use: ${bash('echo ok')} }
`,
  )
  const host = stage.host({
    decide: async () => {
      await sleep(4_500)
      return { type: 'allow' }
    },
  })
  const agent = await stage.start(stage.run({ limitMs: 4_000 }), host)
  await agent.say({ id: randomUUID(), text: 'go' })
  expect(await host.turn()).toMatchObject({ how: 'done', text: 'In time.' })
  await agent.say({ id: randomUUID(), text: 'slowly' })
  expect(await host.turn()).toMatchObject({ how: 'timed-out' })
})

it('a subagent that takes too long is stopped, and the agent goes on without it', async () => {
  const stage = await setDrivingStage(
    onTestFinished,
    `
replies:
  - when: { agent: true, tool_result: { matches: "." } }
    reply: { text: never, hang_after: 0 }
  - when: { agent: true }
    reply: { tool_use: ${bash('echo from a helper')} }
  - when: { tool_result: { matches: "." } }
    reply: I go on alone.
  - reply: { tool_use: { name: Agent, input: { description: Look, prompt: Look around, subagent_type: scout } } }
`,
  )
  const asked: (string | undefined)[] = []
  const host = stage.host({
    decide: async ({ subagent }) => {
      asked.push(subagent)
      return { type: 'allow' }
    },
  })
  const subagents = { scout: { description: 'Looks around.', prompt: 'You look around.', tools: ['Bash', 'Read'] } }
  const run = stage.run({ tools: ['Bash', 'Read', 'Task'], subagents, subagentLimitMs: 1_500 })
  const agent = await stage.start(run, host)
  await agent.say({ id: randomUUID(), text: 'go' })
  expect(await host.turn()).toMatchObject({ how: 'done', text: 'I go on alone.' })
  const [started, ended] = host.of('subagent')
  expect(started).toMatchObject({ state: 'started', name: 'scout' })
  expect(ended).toEqual({ type: 'subagent', taskId: started!.taskId, state: 'stopped' })
  expect(asked).toEqual([undefined, started!.taskId])
  expect(host.of('tool-result').find(({ subagent }) => subagent === started!.taskId)?.text).toBe('from a helper')
})

it('a host that stops the client while it is told something is not waited for', async () => {
  const stage = await setDrivingStage(onTestFinished, `default: { tool_use: ${bash('sleep 306')} }`)
  const run = stage.run()
  const host = stage.host({
    on: async ({ type }) => {
      if (type === 'tool') await agent.stop()
    },
  })
  const agent = await stage.another({ patience: { interrupt: 200 } }).start(run, host)
  await agent.say({ id: randomUUID(), text: 'go' })
  await agent.ended
  expect(await alive(run.spawnId)).toEqual([])
})

it('a host that cannot take an event ends the process', async () => {
  const stage = await setDrivingStage(onTestFinished, 'default: Hello.')
  const host = stage.host({
    on: async ({ type }) => {
      if (type === 'text') throw new Error('The disk is full.')
    },
  })
  const agent = await stage.start(stage.run(), host)
  await agent.say({ id: randomUUID(), text: 'go' })
  expect((await agent.ended).complaint).toContain('The disk is full.')
})

it('a host that never decides does not keep the process', async () => {
  const stage = await setDrivingStage(onTestFinished, `default: { tool_use: ${bash('echo hi')} }`)
  const run = stage.run()
  let asked = 0
  const host = stage.host({
    decide: () => {
      asked += 1
      return new Promise<ToolDecision>(() => {})
    },
  })
  const agent = await stage.start(run, host)
  await agent.say({ id: randomUUID(), text: 'go' })
  while (asked === 0) await sleep(20)
  await agent.stop()
  expect(await alive(run.spawnId)).toEqual([])
  expect(await host.turn()).toMatchObject({ how: 'interrupted' })
})

it('orders at odd times do nothing, and a second stop is the first', async () => {
  const stage = await setDrivingStage(onTestFinished, 'default: Hello.')
  const host = stage.host()
  const agent = await stage.start(stage.run(), host)
  await agent.interrupt()
  await agent.stopSubagent('nobody')
  await agent.say({ id: randomUUID(), text: 'go' })
  expect(await host.turn()).toMatchObject({ how: 'done' })
  const ends = await Promise.all([agent.stop(), agent.stop()])
  expect(ends[0]).toEqual(ends[1])
  await agent.interrupt()
  await expect(agent.say({ id: randomUUID(), text: 'x' })).rejects.toMatchObject({ code: 'agent_failed' })
  await expect(agent.compact('x')).rejects.toMatchObject({ code: 'agent_failed' })
  expect(await agent.stop()).toEqual(ends[0])
})
