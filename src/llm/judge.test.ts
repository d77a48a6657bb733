import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Log } from '#core/ports/runtime.ts'
import { run } from '#exec/spawn.ts'
import { parseScenario } from '#simulator/testing/script.ts'
import { type Simulator, startSimulator } from '#simulator/upstream.ts'
import { chooseJudge, type JudgeSettings } from './choose.ts'
import { limiter } from './limit.ts'

const quiet: Log & { warnings: string[] } = {
  warnings: [],
  debug() {},
  info() {},
  warn: (_fields, message) => void quiet.warnings.push(message),
  error() {},
}

class JudgeBudget {
  total = 0
  constructor(private readonly most = 1) {}
  async allows() {
    return this.total < this.most
  }
  async spent(cost: number) {
    this.total += cost
  }
}

let simulator: Simulator | undefined
afterEach(async () => {
  await simulator?.close()
  simulator = undefined
  quiet.warnings = []
})

async function judgeOn(scenario: string, budget = new JudgeBudget(), more: Partial<JudgeSettings> = {}) {
  simulator = await startSimulator({ scenario: parseScenario(scenario, 'judge') })
  const settings: JudgeSettings = {
    kind: 'anthropic',
    model: 'claude-haiku-5-5',
    apiKey: 'sk-ant-simulated',
    timeoutMs: 5_000,
    concurrency: 2,
    baseUrl: simulator.url,
    claudeBin: 'claude',
    run,
    env: { PATH: process.env.PATH },
    ...more,
  }
  return chooseJudge(settings, quiet)(budget)
}

const drift = {
  goal: 'Fix the token refresh',
  instruction: 'Fix the token refresh',
  constraints: [],
  scope: [],
  actions: ['edit src/theme.css'],
  relevant: [],
}
const verdict =
  '{"score":3,"diagnostic":"src/theme.css has nothing to do with tokens.","recoverySteps":["Return to src/auth.ts"]}'

describe('the model judge', () => {
  it('asks with our mark, takes the answer and counts the cost', async () => {
    const budget = new JudgeBudget()
    const judge = await judgeOn(
      `replies:\n  - reply: { text: '${verdict}', usage: { input: 1000, output: 100 } }\n    expect: { headers: { x-grove-judge: '1' } }`,
      budget,
    )
    expect(await judge.checkDrift(drift)).toMatchObject({ score: 3 })
    expect(simulator!.problems).toEqual([])
    const { format } = JSON.parse(simulator!.requests[0]!.body.toString()).output_config
    expect(format.schema.properties.score).toMatchObject({ type: 'integer' })
    expect(JSON.stringify(format)).not.toMatch(/"(?:\$schema|maxLength|maxItems|minimum|maximum)":/)
    expect(budget.total).toBeCloseTo((1000 * 0.1 + 100 * 0.5) / 1e6, 10)
  })

  it('reads what a run meant that reported nothing, and never that a step is done', async () => {
    const asks =
      '{"kind":"questions","steps":[],"questions":[{"text":"Which store?","priority":1,"options":[{"label":"SQLite","recommended":true}]}]}'
    const plans = '{"kind":"plan","questions":[],"steps":[{"title":"Write it","description":""}]}'
    const judge = await judgeOn(`replies:\n  - reply: '${asks}'\n  - reply: '${plans}'\n  - reply: '${plans}'`)
    const said = { text: 'Well, SQLite I guess, unless you mind.', unclosed: [] }
    expect(await judge.readReport({ wanted: 'plan', ...said })).toMatchObject({
      type: 'questions',
      questions: [{ text: 'Which store?', priority: 1, options: [{ value: 'A', recommended: true }] }],
    })
    expect(await judge.readReport({ wanted: 'plan', ...said })).toMatchObject({
      type: 'plan',
      steps: [{ id: 'step-1' }],
    })
    expect(await judge.readReport({ wanted: 'step', ...said })).toBeUndefined()
  })

  it('reads a comment that asks for a decision', async () => {
    const said =
      '{"isReal":true,"description":"Decide how long a token lives","impact":"A stolen one works that long","category":"security","priority":"high","options":[{"label":"An hour","recommended":true}]}'
    const judge = await judgeOn(`replies:\n  - reply: '${said}'`)
    const block = { type: 'TODO', file: 'src/a.ts', line: 3, text: 'TODO: how long?' } as const
    expect(await judge.readTodo(block)).toMatchObject({
      type: 'todo',
      isReal: true,
      category: 'security',
      priority: 'high',
    })
    const { messages } = JSON.parse(simulator!.requests[0]!.body.toString())
    const asked = JSON.stringify(messages)
    for (const needed of ['src/a.ts:3', 'how long?', 'category', 'priority', 'options', 'in doubt'])
      expect(asked).toContain(needed)
  })

  it('hears no emoji', async () => {
    const happy = verdict.replace('src/theme.css has', '🎉 src/theme.css ✅ has')
    const judge = await judgeOn(`replies:\n  - reply: '${happy}'`)
    expect((await judge.checkDrift(drift)).diagnostic).toBe('src/theme.css has nothing to do with tokens.')
  })

  it('lets a wrong answer be mended once', async () => {
    const judge = await judgeOn(`replies:\n  - reply: 'The score is three.'\n  - reply: '${verdict}'`)
    expect(await judge.checkDrift(drift)).toMatchObject({ score: 3 })
    expect(simulator!.requests).toHaveLength(2)
    expect(quiet.warnings).toEqual([])
  })

  it.each([
    ['twice wrong', `replies:\n  - reply: 'no'\n    repeat: forever`],
    ['out of range', `replies:\n  - reply: '{"score":42,"diagnostic":"","recoverySteps":[]}'\n    repeat: forever`],
    ['down', `replies:\n  - reply: { error: { status: 500, type: api_error, message: down } }\n    repeat: forever`],
  ])('goes by rules when the model is %s', async (_, scenario) => {
    const judge = await judgeOn(scenario)
    expect((await judge.checkDrift(drift)).score).toBe(8)
    expect(quiet.warnings).toHaveLength(1)
  })

  it('goes by rules when the model does not answer in time, and counts what that may have cost', async () => {
    const budget = new JudgeBudget()
    const late = `replies:\n  - reply: { text: 'late', hang_after: 0 }\n    repeat: forever`
    const judge = await judgeOn(late, budget, { timeoutMs: 50 })
    const { expectedScope } = await judge.extractIntent({ instruction: 'Fix src/a.ts', earlier: [] })
    expect(expectedScope).toEqual(['src/a.ts'])
    expect(budget.total).toBeGreaterThan(0)
  })

  it('counts an answer that says nothing', async () => {
    const budget = new JudgeBudget()
    const judge = await judgeOn(`replies:\n  - reply: { thinking: 'Hm.' }\n    repeat: forever`, budget)
    expect((await judge.checkDrift(drift)).score).toBe(8)
    expect(budget.total).toBeGreaterThan(0)
  })

  it('asks nobody once the budget is used up', async () => {
    const judge = await judgeOn(`replies:\n  - reply: '${verdict}'\n    repeat: forever`, new JudgeBudget(0))
    expect((await judge.checkDrift(drift)).score).toBe(8)
    expect(simulator!.requests).toHaveLength(0)
  })

  it('is not there without a key', () => {
    const settings = {
      kind: 'anthropic',
      model: 'm',
      timeoutMs: 1,
      concurrency: 1,
      baseUrl: '',
      claudeBin: '',
      run,
      env: {},
    } as const
    expect(chooseJudge(settings, quiet)(new JudgeBudget()).name).toBe('heuristic')
  })
})

describe('the claude command as judge', () => {
  it('is asked for JSON by schema, with no tools and no hooks', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'grove-judge-'))
    try {
      const bin = join(folder, 'claude')
      const answer = JSON.stringify({
        is_error: false,
        result: '',
        structured_output: JSON.parse(verdict),
        total_cost_usd: 0.25,
      })
      writeFileSync(
        bin,
        `#!/bin/sh\nprintf '%s\\n' "$@" > "${folder}/args"\ncat > "${folder}/stdin"\necho '${answer}'\n`,
        { mode: 0o755 },
      )
      const budget = new JudgeBudget()
      const judge = await judgeOn('replies: []', budget, { kind: 'claude-cli', claudeBin: bin })
      expect(await judge.checkDrift(drift)).toMatchObject({ score: 3 })
      expect(budget.total).toBe(0.25)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('goes by rules when there is no such command', async () => {
    const judge = await judgeOn('replies: []', new JudgeBudget(), { kind: 'claude-cli', claudeBin: '/nowhere/claude' })
    expect((await judge.checkDrift(drift)).score).toBe(8)
  })
})

describe('a limiter', () => {
  it('never runs more at once than allowed, and runs everything', async () => {
    const limit = limiter(2)
    let running = 0
    let most = 0
    let done = 0
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        limit(async () => {
          most = Math.max(most, ++running)
          await new Promise((resolve) => setImmediate(resolve))
          running--
          done++
          if (index % 3 === 0) throw new Error('broken')
        }).catch(() => undefined),
      ),
    )
    expect({ most, done }).toEqual({ most: 2, done: 20 })
  })
})
