import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseScenario } from '../../src/simulator/script.ts'
import { setStage } from '../support/stage.ts'
import { brokenPrefixes } from '../support/traffic.ts'

// The real client works; Grove knows its goal, notices when it leaves it, and says so once, at the right place.

const files = {
  'src/auth/token.ts': 'export function refreshToken(expiry: number) {\n  return expiry < Date.now() / 1000\n}\n',
  'src/auth/session.ts':
    "import { refreshToken } from './token'\nexport const alive = (e: number) => !refreshToken(e)\n",
  'src/styles/theme.css': ':root { --accent: red }\n',
  'src/styles/buttons.css': '.button { color: red }\n',
  'src/billing/invoice.ts': 'export const invoice = (total: number) => ({ total })\n',
}
const goal = 'Fix the token refresh in src/auth/token.ts: the expiry is compared in seconds instead of milliseconds'

const read = (file: string) => `{ tool_use: [{ name: Read, input: { file_path: "{{cwd}}/${file}" } }] }`
const edit = (file: string, from: string, to: string) =>
  `{ tool_use: [{ name: Edit, input: { file_path: "{{cwd}}/${file}", old_string: ${JSON.stringify(from)}, new_string: ${JSON.stringify(to)} } }] }`
const write = (file: string, content: string) =>
  `{ tool_use: [{ name: Write, input: { file_path: "{{cwd}}/${file}", content: ${JSON.stringify(content)} } }] }`
const script = (...replies: string[]) =>
  parseScenario(`replies:\n${replies.map((reply) => `  - reply: ${reply}`).join('\n')}`, 'story')

const onGoal = [
  read('src/auth/token.ts'),
  edit('src/auth/token.ts', 'Date.now() / 1000', 'Date.now()'),
  read('src/auth/session.ts'),
]
const strays = [
  read('src/styles/theme.css'),
  edit('src/styles/theme.css', '--accent: red', '--accent: blue'),
  read('src/styles/buttons.css'),
  edit('src/styles/buttons.css', 'color: red', 'color: blue'),
  read('src/billing/invoice.ts'),
  edit('src/billing/invoice.ts', '({ total })', '({ total, currency: "EUR" })'),
]

function corrections(requests: { body: Buffer }[]) {
  const marks = /A reminder:|You may be leaving the goal|You have left the goal|Stop\. Several actions/g
  return requests.map(({ body }) => body.toString('utf8').match(marks)?.length ?? 0)
}

describe.concurrent('Claude Code under supervision', () => {
  it('on goal: every action is a step, nothing is injected, and the finished work becomes a memory', async ({
    onTestFinished,
  }) => {
    const stage = await setStage(
      onTestFinished,
      script(...onGoal, JSON.stringify("I've fixed the token refresh: the expiry is in milliseconds now.")),
      files,
    )
    const { grove, simulator, tap, run, project } = stage
    const outcome = await run(goal)

    await grove.until(() => grove.turns.length === 4)
    expect(simulator.problems).toEqual([])
    expect(brokenPrefixes(tap, simulator)).toEqual([])
    expect(corrections(simulator.requests).every((count) => count === 0)).toBe(true)
    const { sessionId } = outcome
    const session = await grove.store.sessions.get(sessionId!)
    expect(session).toMatchObject({ cwd: project.dir, attachments: ['proxy'] })
    const [task] = await grove.store.tasks.ofSession(sessionId!)
    expect(task).toMatchObject({ kind: 'main', status: 'completed', expectedScope: ['src/auth/token.ts'] })
    const [memory] = await grove.store.memories.list(session!.projectId!, { limit: 5 })
    expect(memory).toMatchObject({ status: 'complete', files: ['src/auth/token.ts'], tags: [] })
    expect(grove.events.filter(({ type }) => type === 'step')).toHaveLength(3)
    expect(grove.warnings).toEqual([])
  })

  it('drifting: the agent is corrected within a few actions, once per correction, and recovers', async ({
    onTestFinished,
  }) => {
    const back = edit('src/auth/token.ts', 'return expiry', 'return  expiry')
    const stage = await setStage(onTestFinished, script(...onGoal, ...strays, back, 'The refresh is fixed now.'), files)
    const { grove, simulator, tap, run } = stage
    const outcome = await run(goal)

    await grove.until(() => grove.turns.length === 11)
    expect(simulator.problems).toEqual([])
    expect(brokenPrefixes(tap, simulator)).toEqual([])
    const drift = grove.events.filter(({ type }) => type === 'drift')
    expect(drift.length).toBeGreaterThan(0)
    const [first] = drift
    expect(first).toMatchObject({ reason: expect.stringMatching(/src\/(styles|billing)/) })
    // Each correction reaches the model, and stays where it was said.
    const seen = corrections(simulator.requests)
    expect(Math.max(...seen)).toBeGreaterThan(0)
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    expect(
      grove.events.some(({ type }) => type === 'recovered') ||
        drift.every((event) => event.type === 'drift' && event.mode === 'normal'),
    ).toBe(true)
    const injections = await grove.store.injections.ofSession(outcome.sessionId!, 20)
    expect(injections.length).toBe(Math.max(...seen))
    expect(grove.warnings).toEqual([])
  })

  it('drifting on and on: with hooks attached the agent is really stopped, and let go when it returns', async ({
    onTestFinished,
  }) => {
    const strays = Array.from({ length: 6 }, (_, i) => write(`src/styles/new${i}.css`, `.a${i} { color: red }`))
    const stage = await setStage(
      onTestFinished,
      script(
        read('src/auth/token.ts'),
        ...strays,
        ...onGoal.slice(1, 2),
        write('src/auth/notes.md', 'seconds'),
        'The refresh works.',
      ),
      files,
    )
    const { grove, simulator, tap, run, project } = stage
    await run(`${goal}. Do not touch src/styles.`, { settings: grove.hookSettings })

    await grove.until(() => grove.turns.length === 10)
    expect(simulator.problems).toEqual([])
    expect(brokenPrefixes(tap, simulator)).toEqual([])
    const denied = simulator.requests.filter(({ body }) => body.includes('recovery_required'))
    expect(denied.length).toBeGreaterThan(0)
    // Whether the fourth is still written depends on who sees it first, proxy or hook; what comes after it never is.
    const written = readdirSync(join(project.dir, 'src/styles'))
    expect(written).toEqual(expect.arrayContaining(['new0.css', 'new1.css', 'new2.css']))
    expect(written).not.toContain('new4.css')
    expect(written).not.toContain('new5.css')
    expect(readFileSync(join(project.dir, 'src/auth/notes.md'), 'utf8')).toBe('seconds')
    expect(grove.events.some(({ type }) => type === 'recovered')).toBe(true)
    expect(grove.warnings).toEqual([])
  })

  it('the user changes the goal: what was drift before is the work now', async ({ onTestFinished }) => {
    const restyle = [
      write('src/styles/new.css', '.a { color: red }'),
      write('src/styles/other.css', '.b { color: red }'),
    ]
    const stage = await setStage(
      onTestFinished,
      script(...onGoal, 'The cause is clear.', ...restyle, 'Both are there.'),
      files,
    )
    const { grove, simulator, tap, run } = stage
    const { sessionId } = await run(`${goal}. Do not touch src/styles.`, { settings: grove.hookSettings })
    await run('Forget that. Write two new stylesheets in src/styles', {
      settings: grove.hookSettings,
      args: ['--resume', sessionId!],
    })

    await grove.until(() => grove.turns.length === 7)
    expect(simulator.problems).toEqual([])
    expect(brokenPrefixes(tap, simulator)).toEqual([])
    expect(grove.events.filter(({ type }) => type === 'drift')).toEqual([])
    expect((await grove.store.tasks.ofSession(sessionId!)).map(({ goal }) => goal).toSorted()).toEqual(
      [expect.stringContaining('token refresh'), expect.stringContaining('stylesheets')].toSorted((a, b) =>
        String(b).localeCompare(String(a)),
      ),
    )
    expect(grove.warnings).toEqual([])
  })

  it('eight agents at once on one project are kept apart', { timeout: 180_000 }, async ({ onTestFinished }) => {
    const parts = Array.from({ length: 8 }, (_, i) => `src/part${i}.ts`)
    const replies = parts.map(
      (part, i) =>
        `  - when: { last_user: '${part}', messages: 2 }\n    reply: { tool_use: [{ name: Write, input: { file_path: "{{cwd}}/${part}", content: "export const n = ${i}" } }] }`,
    )
    const scenario = parseScenario(`replies:\n${replies.join('\n')}\n  - reply: Written.\n    repeat: forever`, 'eight')
    const { grove, simulator, tap, run } = await setStage(onTestFinished, scenario, files)
    const runs = await Promise.all(
      parts.map((part) => run(`Create ${part} with one number`, { settings: grove.hookSettings })),
    )

    await grove.until(() => grove.turns.length >= 16)
    expect(simulator.problems).toEqual([])
    expect(brokenPrefixes(tap, simulator)).toEqual([])
    for (const [i, { sessionId }] of runs.entries()) {
      expect(await grove.store.tasks.ofSession(sessionId!)).toMatchObject([
        { goal: expect.stringContaining(parts[i]!) },
      ])
      const steps = grove.events.filter((event) => event.type === 'step' && event.sessionId === sessionId)
      expect(steps).toMatchObject([{ files: [parts[i]] }])
    }
    const sessions = await grove.store.sessions.recent(20)
    expect(new Set(sessions.map(({ projectId }) => projectId)).size).toBe(1)
    expect(grove.warnings).toEqual([])
  })
})
