import { appendFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { HoldKind } from '../../src/core/workflow/hold.ts'
import type { SessionForm } from '../../src/protocol/api/session-form.ts'
import { approve } from '../../src/workflow/commands/approve.ts'
import type { Feature } from '../../src/workflow/feature.ts'
import { until } from '../support/feature-stage.ts'
import { type Github, startGithub } from '../support/gh-github.ts'
import type { Project } from '../support/project.ts'
import type { Script, Turn } from '../support/scripted-agent.ts'
import { BROKEN_SETUP, lockBranch, makeBrokenSetup, unlockBranch } from './support/feature-stories.ts'
import { put, serveScripted, step } from './support/scripted-server.ts'

interface World {
  github: Github
  project: Project
}

/** A way into a state that stops a feature, what the page calls it, and the way out that is taken there. */
interface Way {
  kind: HoldKind
  title: string
  options?: SessionForm['options']
  /** What Claude does instead of its usual turns, as long as nothing was said to it by a person. */
  discovers?: Script
  implements?: Script
  before?(world: World): Promise<void>
  choose: string
  says?: string
  /** What takes the cause away before the choice is made. */
  mend?(world: World): Promise<void>
  /** Whether the choice did what it says. */
  gone(feature: Feature): boolean
}

const goesOn = ({ session }: Feature) => session.hold === null && session.status === 'active'
const isPaused = ({ session }: Feature) => session.status === 'paused'
const isAtThePlan = (feature: Feature) => goesOn(feature) && feature.session.currentStage === 2
const isAtTheEnd = (feature: Feature) => feature.session.currentStage >= 5

const nothing: Script = ({ say }) => say('Thinking about it.')
const login: Script = async (turn) => {
  await put(turn, 'src/login.mjs', 'export const login = 1\n')
  await turn.call('complete_step', { stepId: 'a', summary: 'there' })
}

const WAYS: Record<string, Way> = {
  'usage limit': {
    kind: 'usage_limit',
    title: 'Your plan’s usage limit has been reached',
    discovers: ({ end }) => end('limit', 'You have reached your limit.'),
    choose: 'Pause the session; nothing is lost',
    gone: isPaused,
  },
  'hourly limit': {
    kind: 'hourly_limit',
    title: 'The hourly limit is reached',
    options: { maxCallsPerHour: 1 },
    choose: 'Continue past the limit for this session',
    gone: isAtThePlan,
  },
  budget: {
    kind: 'budget',
    title: 'The token budget of this session is used up',
    options: { tokenBudget: 10, recommendedReviews: 1 },
    choose: 'Continue over the budget',
    gone: isAtThePlan,
  },
  'no login': {
    kind: 'agent_failed',
    title: 'Claude ended with an error',
    discovers: ({ end }) => end('auth', 'Please run /login'),
    choose: 'Pause the session; nothing is lost',
    gone: isPaused,
  },
  'too long': {
    kind: 'timed_out',
    title: 'A turn took too long',
    discovers: ({ end }) => end('timed-out'),
    choose: 'Try again with guidance',
    says: 'Look at src/a.mjs only.',
    gone: isAtThePlan,
  },
  'not understood': {
    kind: 'unparsed',
    title: 'Claude’s answer could not be read',
    discovers: nothing,
    choose: 'Answer Claude in your own words',
    says: 'Write the plan now.',
    gone: isAtThePlan,
  },
  stuck: {
    kind: 'breaker_half_open',
    title: 'Claude may be stuck',
    implements: nothing,
    choose: 'Continue with guidance',
    says: 'The file is src/login.mjs.',
    gone: isAtTheEnd,
  },
  'failing checks': {
    kind: 'checks_failed',
    title: 'The checks still fail',
    implements: async (turn) => {
      await put(turn, 'src/a.mjs', 'throw new Error("expected 2, got 1")\n')
      await turn.call('complete_step', { stepId: 'a', summary: 'there' })
    },
    choose: 'Continue as it is; the failure is recorded',
    gone: isAtTheEnd,
  },
  'conflict with the base': {
    kind: 'rebase_conflict',
    title: 'The base branch has changed, and the changes conflict',
    options: { autoPush: true },
    implements: async (turn) => {
      await put(turn, 'src/a.mjs', 'export const a = "of the feature"\n')
      await turn.call('complete_step', { stepId: 'a', summary: 'there' })
    },
    async before({ project }) {
      await appendFile(join(project.dir, 'src/a.mjs'), 'export const a = "of a teammate"\n')
      await project.git('commit', '--quiet', '-am', 'A teammate was there')
      await project.git('push', '--quiet', 'origin', 'main')
    },
    choose: 'Continue without the latest base',
    gone: isAtTheEnd,
  },
  'ready to push': {
    kind: 'push_consent',
    title: 'The branch is ready to be pushed',
    options: { autoPush: false },
    choose: 'Push the branch',
    gone: isAtTheEnd,
  },
  'logged out': {
    kind: 'gh_login',
    title: 'The GitHub CLI is not logged in',
    options: { autoPush: true },
    before: async ({ github }) => {
      github.loggedIn = false
    },
    mend: async ({ github }) => {
      github.loggedIn = true
    },
    choose: 'I have run gh auth login; try again',
    gone: isAtTheEnd,
  },
  'refused pull request': {
    kind: 'pr_failed',
    title: 'The pull request could not be made',
    options: { autoPush: true },
    before: async ({ github }) => {
      github.refuses = 'GraphQL: was submitted too quickly (createPullRequest)\n'
    },
    mend: async ({ github }) => {
      github.refuses = undefined
    },
    choose: 'Try again',
    gone: isAtTheEnd,
  },
  'cannot be installed': {
    kind: 'setup_failed',
    title: 'The project could not be set up',
    options: { baseBranch: BROKEN_SETUP },
    choose: 'Continue without the setup',
    gone: isAtThePlan,
  },
  'taken branch': {
    kind: 'branch_exists',
    title: 'The branch exists already',
    options: { branch: 'main', ifBranchExists: 'use' },
    choose: 'Work on a branch with another name',
    says: 'feature/another-name',
    gone: (feature) => isAtThePlan(feature) && feature.session.featureBranch === 'feature/another-name',
  },
  'locked branch': {
    kind: 'repository_failed',
    title: 'Git could not do it',
    before: ({ project }) => lockBranch(project, 'feature/locked-branch'),
    mend: ({ project }) => unlockBranch(project, 'feature/locked-branch'),
    choose: 'Try again',
    gone: isAtTheEnd,
  },
  'too old': {
    kind: 'expired',
    title: 'The session has expired',
    options: { expiryHours: 0.0001 },
    choose: 'Continue the old conversation',
    gone: goesOn,
  },
}

/** Claude by what it is asked; each feature is named after its way. */
function claude({ heard, run }: Turn): Script {
  const way = WAYS[basename(run.cwd).replaceAll('-', ' ')]!
  const isHelped = way.says !== undefined && heard.includes(way.says)
  if (heard.includes('Implement the step')) return isHelped ? login : (way.implements ?? login)
  if (heard.includes('Write the pull request'))
    return async ({ call }) => void (await call('report_pr', { title: 'Add login', body: '## Summary' }))
  if (heard.includes('Review this plan')) return ({ say }) => say('[PLAN_APPROVED]\n')
  if (heard.includes('fresh eyes')) return async ({ call }) => void (await call('report_review', { findings: [] }))
  if (heard.includes('checks fail')) return nothing
  if (way.discovers && !isHelped) return way.discovers
  return async ({ call, spend }) => {
    await spend(1000)
    await call('propose_plan', { steps: [step('a', 'src/**')] })
  }
}

async function choose(page: Page, { choose: label, says }: Way): Promise<void> {
  await page.getByLabel(label, { exact: false }).first().check()
  if (says !== undefined) await page.getByLabel(/What to tell Claude|The name of the branch/).fill(says)
  await page.getByRole('button', { name: label }).click()
}

it('shows what stops a feature, and goes the way out that a person chooses', { timeout: 600_000 }, async ({
  onTestFinished,
}) => {
  const github = await startGithub('stand-in')
  onTestFinished(() => github.close())
  github.checks = [{ __typename: 'CheckRun', name: 'build', status: 'COMPLETED', conclusion: 'SUCCESS' }]
  const { visit, begin, engine, project, complaints, url } = await serveScripted(onTestFinished, claude, {
    settings: 'setup = true\nci_poll_seconds = 1\n',
    env: { ...github.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  })
  await makeBrokenSetup(project)
  const page = await visit()
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  for (const [title, way] of Object.entries(WAYS)) {
    const feature = await begin({ title, options: { recommendedReviews: 0, ...way.options } })
    await until(
      feature,
      ({ session }) => session.hold !== null || (session.currentStage === 2 && session.task === null),
    )
    await way.before?.({ github, project })
    if (!feature.session.hold && way.kind !== 'expired') await approve(engine, feature, feature.session.planHash, true)
    await until(feature, ({ session }) => session.hold !== null)
    expect([title, feature.session.hold?.kind]).toEqual([title, way.kind])
    const { projectId, featureId } = feature.session
    await page.goto(`${url}/features/${projectId}/${featureId}`)
    await page.getByRole('heading', { name: way.title }).waitFor()
    await way.mend?.({ github, project })
    await choose(page, way)
    await until(feature, way.gone)
  }
  expect(complaints).toEqual([])
})
