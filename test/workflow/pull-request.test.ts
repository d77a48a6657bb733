import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { answer } from '../../src/workflow/commands/answer.ts'
import { approve } from '../../src/workflow/commands/approve.ts'
import { setFeatureStage, until } from '../support/feature-stage.ts'
import { startGithub } from '../support/gh-github.ts'
import { type Script, scriptedAgent, type Turn } from '../support/scripted-agent.ts'

async function put({ run }: Turn, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(run.cwd, path)), { recursive: true })
  await writeFile(join(run.cwd, path), text)
}

const stepA = { id: 'a', title: 'Write it', paths: ['src/**'] }
const stepB = { id: 'b', title: 'Mend the build', paths: ['src/**'] }

it('opens one pull request, takes failing CI back to the plan, and updates it', async ({ onTestFinished }) => {
  const github = await startGithub('stand-in')
  onTestFinished(() => github.close())
  github.checks = [
    {
      __typename: 'CheckRun',
      name: 'build',
      status: 'COMPLETED',
      conclusion: 'FAILURE',
      detailsUrl: 'http://github.localhost/team/app/actions/runs/7/job/8',
    },
  ]
  const scripts: Script[] = [
    async ({ call }) => void (await call('propose_plan', { steps: [stepA] })),
    async (turn) => {
      await put(turn, 'src/new.mjs', 'export const a = 1\n')
      await turn.call('complete_step', { stepId: 'a', summary: 'there' })
    },
    async ({ call }) => void (await call('report_pr', { title: 'Add login', body: '## Summary' })),
    async ({ call }) => void (await call('report_review', { findings: [] })),
    async ({ call, heard }) => {
      expect(heard).toContain('Fix it')
      await call('propose_plan', { steps: [stepA, stepB] })
    },
    async (turn) => {
      github.checks = [{ __typename: 'CheckRun', name: 'build', status: 'COMPLETED', conclusion: 'SUCCESS' }]
      await put(turn, 'src/new.mjs', 'export const a = 2\n')
      await turn.call('complete_step', { stepId: 'b', summary: 'mended' })
    },
    async ({ call }) => void (await call('report_pr', { title: 'Add login, mended', body: '## Summary' })),
    async ({ call }) => void (await call('report_review', { findings: [] })),
  ]
  const agent = scriptedAgent(() => scripts.shift())
  const stage = await setFeatureStage(onTestFinished, agent, {
    settings: 'ci_poll_seconds = 1\n',
    env: { ...github.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  })
  const feature = await stage.begin({
    acceptanceCriteria: [
      { text: 'All tests pass', checked: true, type: 'automated' },
      { text: 'Looks good on phones', checked: true, type: 'manual' },
    ],
    options: { recommendedReviews: 0 },
  })
  await until(feature, ({ session }) => session.currentStage === 2 && session.task === null)
  expect(await approve(stage.engine, feature, feature.session.planHash, false)).toBeUndefined()
  await until(
    feature,
    ({ session, files }) => session.hold !== null || (session.task === null && files.questions.questions.length === 1),
  )
  expect(feature.session.hold).toBeNull()
  expect(feature.files.pr).toMatchObject({ ci: 'failing', pullRequest: { prNumber: '1', status: 'open' } })
  expect(github.prs[0]).toMatchObject({
    title: 'Add login',
    body: expect.stringContaining('- [ ] Looks good on phones'),
  })

  const [question] = feature.files.questions.questions
  expect(await answer(stage.engine, feature, [{ questionId: question!.id, value: 'fix' }])).toBeUndefined()
  await until(feature, ({ session }) => session.hold !== null || (session.currentStage === 2 && session.task === null))
  expect(feature.session).toMatchObject({ hold: null, replanningCount: 1, approval: null })
  expect(await approve(stage.engine, feature, feature.session.planHash, false)).toBeUndefined()
  await until(feature, ({ session }) => session.hold !== null || session.currentStage === 6)
  expect(feature.session.hold).toBeNull()
  expect(github.prs).toHaveLength(1)
  expect(github.prs[0]!.title).toBe('Add login, mended')
  expect(feature.files.pr.ci).toBe('passing')
  const pushed = await stage.project.git('ls-remote', 'origin', feature.session.featureBranch)
  expect(pushed).toContain(feature.files.pr.pullRequest!.headCommit)
  const log = await stage.project.git('log', '--format=%s', `main..${feature.session.featureBranch}`)
  expect(log.split('\n')).toHaveLength(2)
})
