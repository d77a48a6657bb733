import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { grove, type Place, place, withBinary } from '../cli/grove.ts'
import { runClaude } from '../support/claude.ts'
import { createProject } from '../support/project.ts'
import { agent, simulatorOf, story } from '../support/story.ts'

withBinary()

it('an agent that is asked for its goal declares it, the user sees it, and it is held to what it declared', async ({
  onTestFinished,
}) => {
  const project = await createProject({ 'src/orders/pay.ts': 'export const pay = 1\n', 'README.md': '# Shop\n' })
  onTestFinished(project.remove)
  const at: Place = { ...place(), cwd: project.dir }
  await grove(at, 'init')
  await writeFile(join(at.home, 'config.toml'), '[goal]\ndeclare = "ask"\n\n[gate]\nenabled = false\n')
  const declared = {
    name: 'mcp__grove__declare_goal',
    input: { goal: 'Orders are paid in instalments', files: ['src/orders'], limits: ['No new dependencies'] },
  }
  const simulator = await simulatorOf(
    onTestFinished,
    story(
      { tool_use: [declared] },
      agent.write('src/orders/plan.ts', 'export const instalments = 3\n'),
      agent.write('src/users/login.ts', 'export const attempts = 3\n'),
      'People can pay in instalments.',
    ),
    project.dir,
  )
  const env = { GROVE_HOME: at.home, MCP_CONNECTION_NONBLOCKING: '0' }
  const prompt = 'Let people pay in instalments'
  // Older clients print what a hook tells the user only so.
  const args = ['--include-hook-events']
  const run = await runClaude({ baseUrl: simulator.url, prompt, cwd: project.dir, home: at.env.HOME!, env, args })
  expect(run).toMatchObject({ exitCode: 0, stderr: '' })

  const requests = simulator.requests.filter(({ method }) => method === 'POST').map(({ body }) => body.toString())
  expect(requests[0]).toContain('call the tool `declare_goal`')
  const told = (words: string) => requests.findIndex((body) => body.includes(words))
  // What it named is expected; what it did not name is pointed out after it was done, and not before.
  expect(told('you declared to change src/orders')).toBe(3)
  expect(run.stdout).toContain('the agent declared its goal: Orders are paid in instalments, in src/orders')
  expect(simulator.problems).toEqual([])
})
