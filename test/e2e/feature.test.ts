import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { ClaudeDriver } from '../../src/exec/claude/driver.ts'
import { parseScenario } from '../../src/simulator/script.ts'
import { startSimulator } from '../../src/simulator/upstream.ts'
import * as commands from '../../src/workflow/commands.ts'
import type { Feature } from '../../src/workflow/feature.ts'
import { clientEnv, clientPath } from '../support/claude.ts'
import { setFeatureStage, until } from '../support/feature-stage.ts'
import { tempDir } from '../support/project.ts'

const run = promisify(execFile)

const step = (id: string, path: string) =>
  `{ id: ${id}, title: Write ${path}, description: As decided, complexity: low, criteria: [All tests pass], paths: [${path}] }`
const options = '[{ label: JWT, recommended: true }, { label: Opaque }]'

/** What the model does at each prompt; prompts of the stages are told by their words. */
const SCENARIO = `
default: "A summary of what was said."
replies:
  - when: { tool_result: "scope_violation" }
    reply: { tool_use: { name: Write, input: { file_path: "{{cwd}}/src/login.mjs", content: "export const login = 1\\n" } } }
  - when: { tool_result: "Nothing is changed in this stage" }
    reply: { tool_use: { name: mcp__grove__propose_plan, input: { steps: [${step('a', 'src/login.mjs')}, ${step('b', 'src/b.mjs')}] } } }
  - when: { tool_result: "Decision: JWT" }
    reply: { tool_use: { name: Write, input: { file_path: "{{cwd}}/early.txt", content: too early } } }
  - when: { tool_result: "src/login.mjs" }
    reply: { tool_use: { name: mcp__grove__complete_step, input: { stepId: a, summary: Login is there } } }
  - when: { tool_result: "src/b.mjs" }
    reply: { tool_use: { name: mcp__grove__complete_step, input: { stepId: b, summary: b is there } } }
  - when: { tool_result: "Recorded." }
    repeat: forever
    reply: Done.
  - when: { last_user: "You plan this feature" }
    reply:
      text: I have looked around.
      tool_use: { name: mcp__grove__ask_decision, input: { questions: [{ question: Which token?, options: ${options}, priority: 1 }] } }
  - when: { last_user: "Review this plan" }
    reply: { tool_use: { name: mcp__grove__report_review, input: { findings: [{ question: No rate limit, options: ${options}, priority: 1, category: security }] } } }
  - when: { last_user: "Check each concern" }
    reply: "I cannot tell."
    repeat: 3
  - when: { last_user: "Bring the plan up to date" }
    reply: { tool_use: { name: mcp__grove__keep_plan, input: { reason: It is in the plan } } }
  - when: { last_user: "Review this plan" }
    reply: "Nothing left.\\n\\n[PLAN_APPROVED]"
  - when: { newest: "Implement the step a" }
    reply: { tool_use: { name: Write, input: { file_path: "{{cwd}}/other.txt", content: out of scope } } }
  - when: { newest: "Implement the step b" }
    reply: { tool_use: { name: Write, input: { file_path: "{{cwd}}/src/b.mjs", content: "export const b = 1\\n" } } }
  - when: { last_user: "Write the pull request" }
    reply: { tool_use: { name: mcp__grove__report_pr, input: { title: Add login, body: "## Summary" } } }
  - when: { last_user: "fresh eyes" }
    reply: { tool_use: { name: mcp__grove__report_review, input: { findings: [] } } }
`

function waiting({ session, files }: Feature): string {
  if (session.hold) return `${session.hold.kind}: ${session.hold.message} ${session.hold.detail}`
  if (session.task) return 'nothing'
  if (files.questions.questions.some(({ state }) => state === 'open')) return 'questions'
  return session.currentStage === 2 ? 'approval' : session.currentStage === 6 ? 'final' : session.status
}

/** Resolves to what a person is wanted for next. */
async function nextWait(feature: Feature): Promise<string> {
  await until(feature, (one) => waiting(one) !== 'nothing')
  return waiting(feature)
}

it('the real client is taken from a form to a reviewed branch', async ({ onTestFinished }) => {
  const home = await tempDir('home')
  onTestFinished(() => rm(home, { recursive: true, force: true, maxRetries: 5 }))
  const simulator = await startSimulator({ scenario: parseScenario(SCENARIO, 'feature.yaml') })
  onTestFinished(simulator.close)
  const driver = new ClaudeDriver({
    bin: clientPath(),
    env: clientEnv(home, 'http://127.0.0.1:9'),
    baseUrl: simulator.url,
    recordsDir: join(home, 'spawns'),
  })
  const stage = await setFeatureStage(onTestFinished, driver)
  const feature = await stage.begin()
  const answerAll = async (value: string) => {
    for (const { id } of feature.files.questions.questions.filter(({ state }) => state === 'open')) {
      expect(await commands.answer(stage.engine, feature, [{ questionId: id, value }])).toBeUndefined()
    }
  }

  expect(await nextWait(feature)).toBe('questions')
  await answerAll('A')
  expect(await nextWait(feature)).toBe('questions')
  expect(feature.session).toMatchObject({ currentStage: 2, reviewCount: 1 })
  await answerAll('A')
  expect(await nextWait(feature)).toBe('approval')
  expect(await commands.approve(stage.engine, feature, feature.session.planHash, true)).toBeUndefined()
  expect(await nextWait(feature)).toBe('final')

  expect(stage.trouble).toEqual([])
  const denials = feature.output.page({ after: 0, limit: 1000, wanted: ({ outcome }) => outcome === 'denied' })
  expect(denials.map(({ text }) => text).join('\n')).toMatch(/Nothing is changed in this stage[\s\S]*scope_violation/)
  const changed = await stage.project.git('show', '--name-only', '--format=', feature.session.featureBranch)
  expect(changed.split('\n').sort()).toEqual(['src/login.mjs', 'src/b.mjs'])
  expect(feature.session.usage.costUsd).toBeGreaterThan(0)
  const left = await run('ps', ['-eo', 'args']).then(({ stdout }) =>
    stdout.split('\n').filter((line) => line.includes(home)),
  )
  expect(left).toEqual([])
})
