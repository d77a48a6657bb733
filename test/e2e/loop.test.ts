import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { beforeAll, expect, it } from 'vitest'
import type { AgentDetail } from '../../src/protocol/api/agents.ts'
import type { SessionSnapshot } from '../../src/protocol/api/sessions.ts'
import { type Scenario, ScenarioFile } from '../../src/simulator/schema.ts'
import { beginFeature, type Daemon, openHouse } from '../support/feature/house.ts'
import { shared } from '../support/run/shared.ts'

// The loop that makes the parts one product, with the real client: what one feature has taught is where the next one begins.

const run = promisify(execFile)
const LONG = 600_000

let binary: string
beforeAll(async () => {
  binary = join((await shared('binary'))!, 'grove.js')
})

const LEARNING = {
  summary: 'Compare login tokens with timingSafeEqual, never with ===',
  detail:
    'A comparison with === in src/login.mjs ends at the first wrong character, so its time tells how much was right. Use timingSafeEqual because the endpoint is public.',
}

const COMMIT = 'git commit --allow-empty --message=early'

const grove = (name: string, input: object) => ({ tool_use: { name: `mcp__grove__${name}`, input } })
const write = (path: string, content: string) => ({
  tool_use: { name: 'Write', input: { file_path: `{{cwd}}/${path}`, content } },
})
const step = (id: string, path: string) => ({
  id,
  title: `Write ${path}`,
  description: 'As decided.',
  complexity: 'low',
  criteria: ['All tests pass'],
  paths: [path],
})
const plan = (...steps: object[]) => grove('propose_plan', { summary: 'In small steps', steps })

/** What the model does; what it is told of earlier work decides how the second plan begins. */
function scenario(reflect: { command: string }): Scenario {
  const replies = [
    { when: { tool_result: 'scope_violation' }, reply: write('src/login.mjs', 'export const login = 1\n') },
    {
      when: { tool_result: 'src/login.mjs' },
      reply: grove('complete_step', { stepId: 'a', summary: 'Login is there' }),
    },
    { when: { tool_result: 'src/tokens.mjs' }, reply: { tool_use: { name: 'Bash', input: reflect } } },
    {
      when: { newest: 'how the step stands' },
      reply: grove('complete_step', { stepId: 'b', summary: 'Tokens are there' }),
    },
    {
      when: { newest: { contains: ['You plan this feature', 'Add login', LEARNING.summary] } },
      reply: plan(step('again', 'src/login.mjs')),
    },
    { when: { newest: 'You plan this feature' }, reply: plan(step('a', 'src/login.mjs'), step('b', 'src/tokens.mjs')) },
    { when: { newest: 'Review this plan' }, reply: grove('report_review', { findings: [] }) },
    { when: { newest: 'Implement the step a ' }, reply: write('elsewhere.txt', 'out of scope\n') },
    { when: { tool_result: 'early' }, reply: write('src/tokens.mjs', 'export const tokens = []\n') },
    { when: { newest: 'Implement the step b ' }, reply: { tool_use: { name: 'Bash', input: { command: COMMIT } } } },
    {
      when: { newest: 'Write the pull request' },
      reply: grove('report_pr', { title: 'Add login', body: '## Summary' }),
    },
    { when: { newest: 'fresh eyes' }, reply: grove('report_review', { findings: [] }) },
  ]
  const all = replies.map((entry) => ({ ...entry, repeat: 'forever' }))
  const parsed = ScenarioFile.parse({ default: 'Done.', replies: all })
  // Where the home is, is known only later.
  for (const use of parsed.replies.flatMap(({ reply }) => reply.tool_use ?? []))
    if (use.name === 'Bash' && !('command' in use.input && use.input.command === COMMIT)) use.input = reflect
  return { name: 'loop', ...parsed }
}

async function until(
  daemon: Daemon,
  path: string,
  holds: (seen: SessionSnapshot) => boolean,
): Promise<SessionSnapshot> {
  for (;;) {
    const { body } = await daemon.ask<{ session: SessionSnapshot }>('GET', path)
    if (holds(body.session)) return body.session
    const { hold } = body.session.session
    if (hold) {
      const { body: said } = await daemon.ask<{ lines: { text: string }[] }>('GET', `${path}/output?limit=500`)
      throw new Error(
        `${hold.kind}: ${hold.message}\n${said.lines
          .slice(-8)
          .map(({ text }) => text.slice(0, 300))
          .join('\n')}`,
      )
    }
    await sleep(100)
  }
}

const waitsFor = (kind: string) => (seen: SessionSnapshot) => seen.summary.waiting.some((one) => one.kind === kind)

it('what one feature has taught is where the next one begins', { timeout: LONG }, async ({ onTestFinished }) => {
  const words = [
    ...['--category', 'pitfall', '--tags', 'login', '--criteria', 'behavior_changing', '--files', 'src/login.mjs'],
    ...['--summary', LEARNING.summary, '--detail', LEARNING.detail],
  ]
  const reflect = [process.execPath, binary, 'reflect', ...words].map((word) => `'${word}'`).join(' ')
  const input: { command: string } = { command: '' }
  const story = scenario(input)
  const house = await openHouse({
    binary,
    files: { 'package.json': '{ "name": "app", "scripts": { "test": "node --version" } }', 'src/a.mjs': '' },
    scenario: story,
  })
  onTestFinished(() => house.close())
  input.command = `GROVE_HOME='${house.home}' ${reflect}`
  const daemon = await house.start()
  const options = { localReview: true, recommendedReviews: 1, maxCallsPerHour: 1000 }
  const criteria = [{ text: 'All tests pass', checked: true, type: 'automated' }]
  const first = await beginFeature(daemon, house.project.dir, { options, acceptanceCriteria: criteria })
  const path = `/api/sessions/${first.projectId}/${first.featureId}`

  // An approved plan becomes intents.
  const planned = await until(daemon, path, waitsFor('plan_approval'))
  await daemon.ask('POST', `${path}/plan/approve`, { planHash: planned.session.planHash, signOff: true })
  const done = await until(daemon, path, waitsFor('final_approval'))
  const { folder, featureBranch } = done.session

  // A write outside of the step was denied, and is shown.
  const { body: said } = await daemon.ask<{ lines: { text: string }[] }>('GET', `${path}/output?limit=500`)
  expect(said.lines.map(({ text }) => text).join('\n')).toContain('scope_violation')
  const changed = await house.project.git('diff', '--name-only', `main...${featureBranch}`)
  expect(changed.split('\n').filter((file) => file.startsWith('src/'))).toEqual(['src/login.mjs', 'src/tokens.mjs'])
  expect(changed).not.toContain('elsewhere.txt')

  // The trace leads from each line to its plan step.
  const wrote = new Set<string>()
  const env = { PATH: process.env.PATH, HOME: house.folder, GROVE_HOME: house.home }
  for (const [file, title] of [
    ['src/login.mjs', 'Write src/login.mjs'],
    ['src/tokens.mjs', 'Write src/tokens.mjs'],
  ] as const) {
    const { metadata } = done.plan!.steps.find((one) => one.title === title)!
    const { stdout } = await run(process.execPath, [binary, 'trace', 'blame', file, '--json'], { cwd: folder, env })
    const { lines } = JSON.parse(stdout) as {
      lines: { text: string; origin: { intent?: string; session?: string } | null }[]
    }
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.map(({ origin }) => origin?.intent)).toEqual(lines.map(() => metadata.intentId))
    const { stdout: intent } = await run(process.execPath, [binary, 'intent', 'show', metadata.intentId!, '--json'], {
      cwd: folder,
      env,
    })
    expect(intent).toContain(file)
    wrote.add(lines[0]!.origin!.session!)
  }

  // What goes against the plan's own words is noticed as drift.
  const told = await Promise.all([...wrote].map((id) => daemon.ask<AgentDetail>('GET', `/api/agents/${id}`)))
  expect(told.flatMap(({ body }) => body.driftEvents)).toEqual([
    expect.objectContaining({ level: 'intervene', reason: expect.stringContaining(COMMIT), recovered: true }),
  ])
  expect(told.flatMap(({ body }) => body.injections).map(({ kind }) => kind)).toContain('correction')

  await daemon.ask('POST', `${path}/final-approval`, { action: 'merge' })
  await until(daemon, path, ({ session }) => session.status === 'completed')
  const { body: learned } = await daemon.ask<{ learnings: { summary: string }[] }>('GET', '/api/learnings')
  expect(JSON.stringify(learned)).toContain(LEARNING.summary)

  // Both are before the next feature's plan, and the plan is another one for that.
  const next = await beginFeature(daemon, house.project.dir, {
    title: 'Remember a login for a week',
    description: 'Who has logged in with src/login.mjs stays logged in; compare the tokens of a login.',
    affectedFiles: ['src/login.mjs'],
    options,
    acceptanceCriteria: criteria,
  })
  const replanned = await until(daemon, `/api/sessions/${next.projectId}/${next.featureId}`, waitsFor('plan_approval'))
  expect(replanned.plan!.steps.map(({ id }) => id)).toContain('again')
  expect(house.simulator.problems).toEqual([])
})
