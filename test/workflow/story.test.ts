import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { answer } from '../../src/workflow/commands/answer.ts'
import { approve, final } from '../../src/workflow/commands/approve.ts'
import type { Feature } from '../../src/workflow/feature.ts'
import { setFeatureStage, until } from '../support/feature-stage.ts'
import { type Script, scriptedAgent, type Turn } from '../support/scripted-agent.ts'

const step = (id: string, path: string) => ({
  id,
  title: `Write ${path}`,
  description: 'As decided',
  complexity: 'low',
  criteria: ['All tests pass'],
  paths: [path],
})
const jwt = {
  question: 'Which kind of token?',
  options: [{ label: 'JWT', recommended: true }, { label: 'Opaque' }],
  priority: 1,
}

async function put({ run }: Turn, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(run.cwd, path)), { recursive: true })
  await writeFile(join(run.cwd, path), text)
}

function playing(scripts: Script[]) {
  const left = [...scripts]
  return { agent: scriptedAgent(() => left.shift()), left }
}

const waitsFor = (kind: string) => (feature: Feature) => waiting(feature) === kind
function waiting({ session, files }: Feature): string {
  if (session.hold) return session.hold.kind
  if (session.task) return 'nothing'
  if (files.questions.questions.some(({ state }) => state === 'open')) return 'questions'
  return session.currentStage === 2 ? 'approval' : session.currentStage === 6 ? 'final' : session.status
}

async function answerAll(stage: Awaited<ReturnType<typeof setFeatureStage>>, feature: Feature, value = 'A') {
  for (const { id } of feature.files.questions.questions.filter(({ state }) => state === 'open')) {
    expect(await answer(stage.engine, feature, [{ questionId: id, value }])).toBeUndefined()
  }
}

it('takes a feature from the form to its completion, without a remote', async ({ onTestFinished }) => {
  const { agent, left } = playing([
    // Discovery asks twice, then plans.
    ({ ask, heard }) => {
      expect(heard).toContain('People can log in.')
      return ask([jwt, { question: 'A name?', type: 'text', priority: 2 }])
    },
    ({ ask, heard }) => {
      expect(heard).toContain('Decision: JWT')
      return ask([{ question: 'Log out too?', type: 'confirmation', priority: 1 }])
    },
    async ({ call, heard, use }) => {
      expect(heard).toContain('Decision: yes')
      expect(await use('Write', { file_path: '/tmp/x', content: '' })).toBe(false)
      expect(await use('Read', { file_path: '/tmp/x' })).toBe(true)
      const bad = await call('propose_plan', { steps: [{ ...step('a', 'src/a.mjs'), dependsOn: ['nowhere'] }] })
      expect(bad).toMatchObject({ isError: true, text: expect.stringContaining('nowhere') })
      await call('propose_plan', { steps: [step('a', 'src/a.mjs'), step('b', 'src/b.mjs')] })
    },
    // The first review finds two things, one of which validation filters.
    async ({ call }) => {
      await call('report_review', {
        findings: [
          {
            question: 'No rate limit',
            options: [{ label: 'Add one', recommended: true }, { label: 'Accept the risk' }],
            priority: 1,
            category: 'security',
          },
          {
            question: 'No tests',
            options: [{ label: 'Add some', recommended: true }],
            priority: 2,
            category: 'plan_structure',
          },
        ],
      })
    },
    ({ answer, heard }) => {
      const ids = [...heard.matchAll(/^## (\S+)$/gm)]
        .map(([, id]) => id)
        .filter((id) => id!.includes('-') && id!.length > 30)
      answer({
        verdicts: [
          { id: ids[0], valid: true, reason: 'real' },
          { id: ids[1], valid: false, reason: 'step a has tests' },
        ],
      })
    },
    async ({ call, heard }) => {
      expect(heard).toContain('Decision: Add one')
      await call('propose_plan', {
        steps: [step('a', 'src/a.mjs'), step('b', 'src/b.mjs'), step('c', 'src/limit.mjs')],
      })
    },
    // The second review is clean, said with a marker.
    ({ say }) => say('All good.\n[PLAN_APPROVED]\n'),
    // Step a leaves a comment, which re-plans.
    async (turn) => {
      await put(
        turn,
        'src/a.mjs',
        '// TODO: decide how long a login lasts\n// Impact: security\n// Options: (A) an hour [recommended] (B) a day\n// Priority: High\nexport const login = 1\n',
      )
      await turn.call('report_status', { stepId: 'a', status: 'IN_PROGRESS', filesModified: 1, progress: 50 })
      expect(await turn.call('complete_step', { stepId: 'z', summary: 'x' })).toMatchObject({ isError: true })
      await turn.call('complete_step', { stepId: 'a', summary: 'Login is there' })
    },
    async ({ call, heard }) => {
      expect(heard).toContain('decide how long a login lasts')
      expect(heard).toContain('an hour')
      await call('keep_plan', { reason: 'covered' })
    },
    async (turn) => {
      await put(turn, 'src/b.mjs', 'export const b = 1\n')
      await turn.say('Done.\n[STEP_COMPLETE id="b"]\nb is there\n[/STEP_COMPLETE]')
    },
    // A blocker in the last step.
    ({ ask }) =>
      ask([
        {
          question: 'The limiter is not there. What now?',
          blocker: true,
          options: [{ label: 'Write it', recommended: true }, { label: 'Leave it' }],
          priority: 1,
        },
      ]),
    async ({ call, heard }) => {
      expect(heard).toContain('Decision: Write it')
      await call('keep_plan', { reason: 'as planned' })
    },
    async (turn) => {
      await put(turn, 'src/limit.mjs', 'throw new Error("broken")\n')
      await put(turn, 'test.mjs', 'import "./src/limit.mjs"\n')
      await turn.call('complete_step', { stepId: 'c', summary: 'Limit' })
    },
    // The tests fail; the second attempt fixes them.
    async () => {},
    async (turn) => {
      expect(turn.heard).toContain('attempt 2 of 3')
      await put(turn, 'src/limit.mjs', 'export const limit = 1\n')
    },
    async ({ call }) => void (await call('report_pr', { title: 'Add login', body: '## Summary\nLogin.' })),
    async ({ call }) => void (await call('report_review', { findings: [] })),
  ])
  const stage = await setFeatureStage(onTestFinished, agent)
  const feature = await stage.begin()

  await until(feature, waitsFor('questions'))
  const [first, second] = feature.files.questions.questions
  expect(await answer(stage.engine, feature, [{ questionId: second!.id, value: 'x' }])).toMatchObject({
    code: 'question_not_found',
  })
  expect(await answer(stage.engine, feature, [{ questionId: first!.id, value: 'Q' }])).toMatchObject({
    code: 'answer_not_offered',
  })
  await answerAll(stage, feature)
  await until(feature, (one) => waiting(one) === 'questions' && one.files.questions.questions.length === 3)
  await answerAll(stage, feature, 'yes')

  await until(feature, (one) => one.session.currentStage === 2 && waiting(one) === 'questions')
  expect(feature.session).toMatchObject({ currentPlanVersion: 1, reviewCount: 1 })
  expect(feature.files.questions.questions.filter(({ state }) => state === 'filtered')).toHaveLength(1)
  await answerAll(stage, feature)
  await until(feature, waitsFor('approval'))
  expect(feature.session).toMatchObject({ currentPlanVersion: 2, reviewCount: 2, isClean: true })
  expect(await approve(stage.engine, feature, 'another', false)).toMatchObject({ code: 'plan_changed' })
  expect(await approve(stage.engine, feature, feature.session.planHash, false)).toBeUndefined()

  await until(feature, (one) => one.session.replanningCount === 1 && waiting(one) === 'questions')
  expect(feature.files.todos.items).toMatchObject([{ description: 'decide how long a login lasts', status: 'pending' }])
  await answerAll(stage, feature)
  await until(
    feature,
    (one) => one.session.replanningCount === 1 && waiting(one) === 'questions' && one.session.currentStage === 3,
  )
  await answerAll(stage, feature)
  await until(feature, waitsFor('final'))

  expect(stage.trouble).toEqual([])
  expect(left).toEqual([])
  expect(feature.session).toMatchObject({ replanningCount: 2, localReview: true, fixAttempts: 2 })
  expect(feature.files.pr.pullRequest).toMatchObject({ status: 'local', title: 'Add login' })
  expect(feature.files.checks.runs.map(({ result }) => result)).toEqual(['failed', 'failed', 'passed'])
  const log = await stage.project.git('log', '--format=%s', feature.session.featureBranch)
  expect(log.split('\n')).toEqual(['Add login', 'Start'])
  const changed = await stage.project.git('show', '--name-only', '--format=', feature.session.featureBranch)
  expect(changed.split('\n').sort()).toEqual(['src/a.mjs', 'src/b.mjs', 'src/limit.mjs', 'test.mjs'])
  expect(await stage.project.git('status', '--porcelain')).toBe('')

  expect(await final(stage.engine, feature, 'merge', '')).toBeUndefined()
  expect(feature.session.status).toBe('completed')
  const numbers = feature.events.after(0, 1000).map(({ number }) => number)
  expect(numbers).toEqual(numbers.map((_, index) => index + 1))
})
