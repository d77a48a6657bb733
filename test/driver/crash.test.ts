import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { build } from 'esbuild'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import type { AgentEvent, AgentRun } from '../../src/core/ports/agent-driver.ts'
import { processesOf, runningProcesses } from '../../src/exec/claude/run-processes.ts'
import { killWithUs } from '../support/claude.ts'
import { type DrivingStage, setDrivingStage } from '../support/driving.ts'
import { tempDir } from '../support/project.ts'

const bash = (command: string) => `{ name: Bash, input: { command: "${command}", description: Run } }`
let program: string

beforeAll(async () => {
  program = join(await tempDir('host'), 'host.mjs')
  const entryPoints = [join(import.meta.dirname, '..', 'support', 'driving-host.ts')]
  await build({ entryPoints, outfile: program, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' })
})

/** Another Grove, which works on the run until a Bash call of its is under way. */
async function startHost(stage: DrivingStage, run: AgentRun): Promise<ChildProcess> {
  const task = { options: stage.options, run, text: 'go' }
  const host = spawn(process.execPath, [program, JSON.stringify(task)], { detached: true })
  onTestFinished(killWithUs(host))
  for await (const line of createInterface({ input: host.stdout! })) {
    if ((JSON.parse(line) as AgentEvent).type === 'tool') break
  }
  while ((await alive(run.spawnId)).length < 2) await sleep(50)
  return host
}

async function alive(spawnId: string): Promise<number[]> {
  return processesOf(spawnId, await runningProcesses()).map(({ pid }) => pid)
}

it.each([
  ['twice', []],
  ['once', ['Bash', 'Write']],
])('a client whose Grove was killed does nothing further, and ends: asked %s', async (_, askedOnce) => {
  const stage = await setDrivingStage(
    onTestFinished,
    `
replies:
  - when: { tool_result: one }
    reply: { tool_use: ${bash('touch two')} }
  - when: { tool_result: { matches: "." } }
    reply: Over.
  - reply: { tool_use: ${bash('sleep 2; touch one; echo one')} }
`,
  )
  const run = stage.run({ askedOnce })
  const host = await startHost(stage, run)
  host.kill('SIGKILL')
  await once(host, 'exit')
  while ((await alive(run.spawnId)).length > 0) await sleep(100)
  await expect(stat(join(stage.project.dir, 'two'))).rejects.toThrow()
  expect(await stage.driver.endOrphans()).toEqual([])
})

it('a client ends with a Grove that ends at once, whatever it waits for', async () => {
  const stage = await setDrivingStage(
    onTestFinished,
    `
replies:
  - when: { tool_result: { matches: "." } }
    reply: { hang_after: 0 }
  - reply: { tool_use: ${bash('sleep 1; echo one')} }
`,
  )
  const run = stage.run()
  const host = await startHost(stage, run)
  // It waits for the model now, and would for a long time.
  while ((await alive(run.spawnId)).length > 1) await sleep(50)
  host.kill('SIGTERM')
  await once(host, 'exit')
  while ((await alive(run.spawnId)).length > 0) await sleep(100)
  expect(await stage.driver.endOrphans()).toEqual([])
})

it('what a killed Grove has left running is ended by the next one, which can then go on', async () => {
  const stage = await setDrivingStage(
    onTestFinished,
    `
replies:
  - when: { last_user: again }
    reply: On we go.
  - reply: { tool_use: ${bash('sleep 305')} }
default: Over.
`,
  )
  const run = stage.run()
  const host = await startHost(stage, run)
  const next = stage.another()
  await expect(next.start(stage.run({ claude: run.claude }), stage.host())).rejects.toMatchObject({
    code: 'agent_busy',
  })
  expect(await next.endOrphans()).toEqual([])
  host.kill('SIGKILL')
  await once(host, 'exit')
  expect((await alive(run.spawnId)).length).toBeGreaterThan(1)
  expect(await next.endOrphans()).toEqual([run.spawnId])
  expect(await alive(run.spawnId)).toEqual([])

  const talk = stage.host()
  const agent = await stage.start(stage.run({ claude: { id: run.claude.id, resume: true } }), talk)
  await agent.say({ id: randomUUID(), text: 'again' })
  expect(await talk.turn()).toMatchObject({ how: 'done', text: 'On we go.' })
})
