import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseScenario } from '../../src/simulator/testing/script.ts'
import type { Simulator } from '../../src/simulator/upstream.ts'
import { judgeCost } from '../../src/supervisor/judge/budget.ts'
import { clientEnv, clientPath } from '../support/claude.ts'
import { tempHome } from '../support/home.ts'
import { type Stage, setStage } from '../support/stage.ts'
import { differences } from '../support/traffic.ts'

// A model judges the real client's work. The client must notice nothing, whatever becomes of the judge.

const files = { 'src/auth/token.ts': 'export const expiry = 3600\n' }
const goal = 'Fix the expiry in src/auth/token.ts: it must be given in milliseconds'
const client = [
  { tool_use: [{ name: 'Read', input: { file_path: '{{cwd}}/src/auth/token.ts' } }], drip: 10 },
  {
    tool_use: [
      { name: 'Edit', input: { file_path: '{{cwd}}/src/auth/token.ts', old_string: '3600', new_string: '3_600_000' } },
    ],
    drip: 10,
  },
  { text: 'The expiry can be kept as a number or as a date. Which of the two do you want?', drip: 10 },
]
const intent = {
  goal: 'Give the expiry in milliseconds',
  expectedScope: [],
  constraints: [],
  keywords: ['expiry'],
}
/** One answer that fits every question. */
const verdict = {
  ...intent,
  action: 'continue',
  reasoning: 'It goes on.',
  score: 9,
  diagnostic: 'src/auth/token.ts is what was asked for.',
  recoverySteps: [],
}
const usage = { input: 2000, output: 100 }

/** The client's replies in their order, and what the judge is answered. */
function script(...judge: { when?: object; reply: object }[]) {
  const replies = [
    ...judge.map((one) => ({ when: { header: 'x-grove-judge' }, repeat: 'forever', ...one })),
    ...client.map((reply) => ({ reply })),
    { reply: 'Nothing is left to do.', repeat: 'forever' },
  ]
  return parseScenario(JSON.stringify({ replies }), 'judged')
}

const byJudge = ({ rawHeaders }: Simulator['requests'][number]) => rawHeaders.includes('x-grove-judge')

/**
 * Notes, whenever the judge is asked, whether it could know what it is asked about: all answers but the newest are through, and the
 * first one too, unless hooks alone tell of it: the client runs a tool while the answer that calls it is still on its way.
 */
function watchOrder({ simulator }: Stage, attached = 'proxy') {
  const seen = new Set<number>()
  const early: string[] = []
  void simulator.until(() => {
    for (const { index } of simulator.requests.filter(byJudge)) {
      if (seen.has(index)) continue
      seen.add(index)
      const asked = simulator.requests.filter((one) => one.index < index && !byJudge(one) && one.method === 'POST')
      const [first, ...others] = asked.filter((one) => simulator.sent[one.index]?.ended === 'open')
      const isUnknown = first && asked.length === 1 && attached !== 'hooks'
      if (others.length > 0 || (first && first !== asked.at(-1)) || isUnknown)
        early.push(`the judge was asked (${index}) before ${first?.index} was answered`)
    }
    return false
  })
  return { seen, early }
}

const env = { GROVE_JUDGE: 'anthropic', ANTHROPIC_API_KEY: 'sk-ant-simulated', DRIFT_CHECK_INTERVAL: '1' }
const toml = (more = '') => `[judge]\ntimeout_seconds = 1\n${more}\n[gate]\nenabled = false\n`

describe.concurrent('a judge over the API', () => {
  it.for(['proxy', 'hooks', 'both'] as const)(
    'is asked when an answer is through, never before, and its verdict counts from then on (%s)',
    async (attached, { onTestFinished }) => {
      const stage = await setStage(
        onTestFinished,
        script({ reply: { text: JSON.stringify(verdict), usage } }),
        files,
        env,
        {
          attached,
          config: toml(),
          hooks: ['Stop'],
        },
      )
      const { simulator, grove, run } = stage
      const order = watchOrder(stage, attached)
      const { sessionId } = await run(goal)
      await stage.settled()
      expect(order.seen.size).toBeGreaterThan(0)
      expect(order.early).toEqual([])
      expect(simulator.problems).toEqual([])
      expect(await grove.store.tasks.current(sessionId!)).toMatchObject({ goal: intent.goal })
      const { session, today } = await judgeCost(grove.store.states, Date.now(), sessionId!)
      const each = (usage.input * 0.1 + usage.output * 0.5) / 1e6
      expect(session).toBeCloseTo(order.seen.size * each, 10)
      expect(today).toBe(session)
      expect(grove.warnings).toEqual([])
    },
  )

  it.for([
    ['down', { error: { status: 500, type: 'api_error', message: 'down' } }, ''],
    ['silent', { text: 'late', hang_after: 0 }, ''],
    ['talking nonsense', { text: 'I would rather not say.' }, ''],
    ['without money', { text: JSON.stringify(verdict) }, 'session_budget_usd = 0'],
  ] as const)('that is %s changes nothing for the client', async ([how, reply, more], { onTestFinished }) => {
    const stage = await setStage(onTestFinished, script({ reply }), files, env, { config: toml(more) })
    const { simulator, grove, tap, run } = stage
    const order = watchOrder(stage)
    const outcome = await run(goal)
    await stage.settled()

    expect(outcome).toMatchObject({ exitCode: 0, stderr: '', result: { result: client[2]!.text } })
    expect(differences(tap, { ...simulator, requests: simulator.requests.filter((one) => !byJudge(one)) })).toEqual([])
    expect(order.early).toEqual([])
    expect(order.seen.size > 0).toBe(how !== 'without money')
    expect(await grove.store.steps.recent(outcome.sessionId!, 9)).toHaveLength(2)
    expect(grove.warnings.every((line) => line.startsWith('the judge gave no answer; going by rules'))).toBe(true)
  })
})

describe('the command claude as judge', () => {
  it.for([
    ['as the user has it', {}],
    ['where the user has set headers of their own', { ANTHROPIC_CUSTOM_HEADERS: 'x-team: 7' }],
  ] as const)(
    'answers by schema, goes through the same proxy, and is never taken for an agent (%s)',
    async ([, own], { onTestFinished }) => {
      const bin = await wrappedClaude(onTestFinished, own)
      const says = (last_user: string, input: object) => ({
        when: { has_tool: 'StructuredOutput', last_user },
        reply: { tool_use: [{ name: 'StructuredOutput', input }], usage },
      })
      const scenario = script(
        says('What did the user ask', intent),
        says('How does the newest exchange', { action: 'task_complete', goal: intent.goal, reasoning: 'It is done.' }),
      )
      const env = { GROVE_JUDGE: 'claude-cli', GROVE_CLAUDE_BIN: bin.path }
      const stage = await setStage(onTestFinished, scenario, files, env)
      const { simulator, grove } = stage
      await bin.pointAt(grove.url)
      const { sessionId, exitCode } = await stage.run(goal)
      await stage.settled()

      expect(exitCode).toBe(0)
      expect(simulator.problems).toEqual([])
      const judged = simulator.requests.filter(({ body }) => body.includes('"StructuredOutput"'))
      expect(judged.filter(byJudge)).toHaveLength('ANTHROPIC_CUSTOM_HEADERS' in own ? 0 : judged.length)
      expect(judged.length).toBeGreaterThan(0)
      for (const { body } of judged) expect(body.toString()).not.toMatch(/"name":"(?:Bash|Write|Agent)"/)
      expect((await grove.store.sessions.recent(9)).map(({ id }) => id)).toEqual([sessionId])
      expect(await grove.store.turns.totals(sessionId!)).toMatchObject({ turns: client.length })
      expect(await grove.store.tasks.ofSession(sessionId!)).toMatchObject([{ goal: intent.goal, status: 'completed' }])
      expect(grove.events.filter((event) => 'sessionId' in event && event.sessionId !== sessionId)).toEqual([])
      const { session } = await judgeCost(grove.store.states, Date.now(), sessionId!)
      expect(session).toBeGreaterThan(0)
      expect(grove.warnings).toEqual([])
    },
  )
})

/** A `claude` that has nothing of this machine: a home of its own, a fake key, and the address that its user has set. */
async function wrappedClaude(whenFinished: (work: () => Promise<void>) => void, env: Record<string, string>) {
  const home = await tempHome(whenFinished)
  await mkdir(join(home, '.claude'))
  await writeFile(join(home, '.claude', 'settings.json'), JSON.stringify({ env }))
  const path = join(home, 'claude')
  return {
    path,
    async pointAt(url: string) {
      const settings = Object.entries(clientEnv(home, url)).map(([name, value]) => `${name}='${value}'`)
      const passed = 'ANTHROPIC_CUSTOM_HEADERS="$ANTHROPIC_CUSTOM_HEADERS"'
      await writeFile(path, `#!/bin/sh\nexec env -i ${settings.join(' ')} ${passed} '${clientPath()}' "$@"\n`)
      await chmod(path, 0o755)
    },
  }
}
