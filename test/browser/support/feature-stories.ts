import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { SessionForm } from '../../../src/protocol/api/session-form.ts'
import { final } from '../../../src/workflow/commands/approve.ts'
import { rollback } from '../../../src/workflow/commands/rollback.ts'
import { mark, pause } from '../../../src/workflow/commands/run.ts'
import type { Engine } from '../../../src/workflow/engine.ts'
import type { Feature } from '../../../src/workflow/feature.ts'
import type { Github } from '../../support/gh-github.ts'
import type { Project } from '../../support/project.ts'
import type { Script, Turn } from '../../support/scripted-agent.ts'
import { ARABIC, LONG_TITLE } from './scene.ts'
import { CI_LOG, FOUR_KINDS, finding, REVIEWS, TODO } from './told-plan.ts'

/** How a feature session comes into each of its states: what Claude does, and what people and the world do. */

export interface Story {
  title: string
  options?: SessionForm['options']
  /** The short plan is one step; the long one has parents, Arabic and a title of 200 characters. */
  plan?: 'short' | 'long'
  discovers?: Script
  reviews?: object[][]
  implements?: Script
  prReview?: object[]
  /** What people and the world do, up to where it is left. */
  lead(scene: Lead): Promise<void>
}

interface Lead {
  engine: Engine
  feature: Feature
  project: Project
  github: Github
  /** Waits for something that stays as it is, since everything behind it waits for a person. */
  until(holds: (feature: Feature) => boolean): Promise<void>
  /** Answers what is asked, with what is recommended. */
  answerAll(): Promise<void>
  approve(): Promise<void>
}

const held = ({ session }: Feature) => session.hold !== null
const rests = ({ session }: Feature) => session.task === null && session.hold === null
const planned = (feature: Feature) => rests(feature) && feature.session.currentStage === 2
const atTheEnd = (feature: Feature) => feature.session.currentStage === 6
const untilHeld = ({ until }: Lead) => until(held)
const approved = async (lead: Lead) => {
  await lead.until(planned)
  await lead.approve()
}
const approvedUntilHeld = async (lead: Lead) => {
  await approved(lead)
  await lead.until(held)
}

async function put({ run }: Turn, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(run.cwd, path)), { recursive: true })
  await writeFile(join(run.cwd, path), text)
}

const stepAt = (heard: string) => /Implement the step (\S+)/.exec(heard)?.[1] ?? '1'

/** Does a step the way it should be done. */
export const works =
  (path: string, text: string): Script =>
  async (turn) => {
    const { heard, call, say, use, run, spend } = turn
    const stepId = stepAt(heard)
    await spend(61_000)
    await say(`I begin with \`${path}\`: what it exports is used in two places.`)
    await use('Read', { file_path: join(run.cwd, path) })
    await call('report_status', { stepId, filesModified: 1, progress: 60, message: `Writing ${path}` })
    await put(turn, path, text)
    await call('complete_step', { stepId, summary: `${path} does what the step says` })
  }
export const nothing: Script = ({ say }) =>
  say('I looked at the code and I think we should talk about the time zones first …')
const never: Script = () => new Promise<void>(() => {})

/** A branch whose lock file nothing can be installed from. */
export const BROKEN_SETUP = 'vendor-drivers'

export async function makeBrokenSetup({ dir, git }: Project): Promise<void> {
  const worktree = `${dir}-setup`
  await git('worktree', 'add', '--quiet', '-b', BROKEN_SETUP, worktree)
  const manifest = { type: 'module', scripts: { test: 'node test.mjs' }, dependencies: { 'vendor-drivers': '1.0.0' } }
  await writeFile(join(worktree, 'package.json'), JSON.stringify(manifest))
  await writeFile(join(worktree, 'package-lock.json'), '{ "name": ')
  await git('-C', worktree, 'add', '.')
  await git('-C', worktree, 'commit', '--quiet', '-m', 'Lock what is installed')
  await git('worktree', 'remove', '--force', worktree)
}

const lockOf = ({ dir }: Project, branch: string) => join(dir, '.git', 'refs', 'heads', `${branch}.lock`)

/** As another git leaves it that was killed. */
export const lockBranch = (project: Project, branch: string) => writeFile(lockOf(project, branch), '')
export const unlockBranch = (project: Project, branch: string) => rm(lockOf(project, branch))

/** The name is the one that tests and pictures use for the state. */
export const STORIES = {
  discovery: {
    title: 'Split shipments by customs zone',
    discovers: async ({ ask, say, spend }) => {
      await spend(18_000)
      await say('I have read `src/stock` and `src/invoice`. Six things are for you to decide.')
      await ask(FOUR_KINDS)
    },
    lead: ({ until }) => until(({ files }) => files.questions.questions.length === FOUR_KINDS.length),
  },
  review: {
    title: 'Rotate refresh tokens on every use',
    options: { recommendedReviews: 10 },
    plan: 'long',
    reviews: REVIEWS,
    async lead({ until, answerAll }) {
      const asked = (round: number) => (feature: Feature) => rests(feature) && feature.session.reviewCount === round
      for (const round of [1, 2]) {
        await until(asked(round))
        await answerAll()
      }
      await until(asked(3))
    },
  },
  clean: {
    title: 'VAT reverse charge for business customers',
    options: { recommendedReviews: 10 },
    plan: 'long',
    reviews: [],
    lead: ({ until }) => until(planned),
  },
  blocker: {
    title: 'Weigh parcels on the way out',
    // In a conversation that has become long.
    implements: async ({ ask, spend }) => {
      await spend(172_000)
      await ask([
        {
          question: 'The scales speak two protocols. Which one is in use?',
          options: [{ label: 'OPOS', recommended: true }, { label: 'A plain serial line' }],
          priority: 1,
          blocker: true,
        },
      ])
    },
    async lead(lead) {
      await approved(lead)
      await lead.until(({ files }) => files.questions.questions.some(({ state }) => state === 'open'))
    },
  },
  todos: {
    title: 'Dock schedule over server-sent events',
    plan: 'long',
    implements: works('src/dock/stream.ts', `${TODO}export const stream = 1\n`),
    async lead(lead) {
      await approved(lead)
      await lead.until(({ session }) => session.replanningCount === 1)
    },
  },
  usageLimit: {
    title: 'Per-carrier limits on the quote endpoint',
    discovers: ({ end }) => end('limit', 'You have reached your limit.'),
    lead: untilHeld,
  },
  hourlyLimit: {
    title: 'Hourly exchange rates',
    options: { maxCallsPerHour: 1 },
    lead: untilHeld,
  },
  budget: {
    title: 'Search shipments by reference',
    options: { tokenBudget: 10, recommendedReviews: 1 },
    lead: untilHeld,
  },
  agentFailed: {
    title: 'Nightly stock report',
    discovers: ({ end }) => end('auth', 'Please run /login'),
    lead: untilHeld,
  },
  timedOut: {
    title: 'Replace moment with Temporal',
    discovers: ({ end }) => end('timed-out'),
    lead: untilHeld,
  },
  setupFailed: {
    title: 'Print drivers from the vendor',
    options: { baseBranch: BROKEN_SETUP },
    lead: untilHeld,
  },
  branchExists: {
    title: 'Round prices to whole cents',
    options: { branch: 'main', ifBranchExists: 'use' },
    lead: untilHeld,
  },
  repositoryFailed: {
    title: 'Merge double customers',
    implements: works('src/customers.ts', 'export const merged = 1\n'),
    async lead(lead) {
      await lead.until(planned)
      await lockBranch(lead.project, lead.feature.session.featureBranch)
      await approvedUntilHeld(lead)
    },
  },
  unparsed: { title: 'Temporal instead of moment', discovers: nothing, lead: untilHeld },
  stuck: { title: 'Tariff table by customs code', implements: nothing, lead: approvedUntilHeld },
  breaker: {
    title: 'Backfill carrier codes',
    plan: 'long',
    implements: async (turn) => {
      const stepId = stepAt(turn.heard)
      await put(turn, `src/carriers/part-${stepId}.ts`, `export const part = '${stepId}'\n`)
      await turn.say(`Error: src/carriers/backfill.ts:61 'number' is not assignable to 'CarrierCode'`)
      await turn.call('complete_step', { stepId, summary: 'Written' })
    },
    lead: approvedUntilHeld,
  },
  checksFailed: {
    title: 'Label printer driver',
    implements: works('src/stock/count.mjs', 'throw new Error("expected 2 labels, got 1")\n'),
    lead: approvedUntilHeld,
  },
  rebase: {
    title: 'Offline scan queue',
    options: { autoPush: true },
    implements: works('src/stock/scan.ts', 'export const queue = "of the feature"\n'),
    async lead(lead) {
      const { project } = lead
      await lead.until(planned)
      await writeFile(join(project.dir, 'src/stock/scan.ts'), 'export const queue = "of a teammate"\n')
      await project.git('commit', '--quiet', '-am', 'A teammate was there')
      await project.git('push', '--quiet', 'origin', 'main')
      await approvedUntilHeld(lead)
    },
  },
  pushConsent: {
    title: 'Print labels in batches',
    options: { autoPush: false },
    implements: works('src/print/batch.ts', 'export const batch = 1\n'),
    lead: approvedUntilHeld,
  },
  paused: {
    title: 'Weigh parcels at the dock',
    plan: 'long',
    async lead({ engine, feature, until }) {
      await until(planned)
      await pause(engine, feature)
    },
  },
  rolledBack: {
    title: 'Driver chat, first try',
    implements: ({ end }) => end('failed', 'The connection was lost'),
    async lead(lead) {
      await approvedUntilHeld(lead)
      await rollback(lead.engine, lead.feature)
    },
  },
  archived: {
    title: 'Metrics by user',
    async lead({ engine, feature, until }) {
      await until(planned)
      await mark(engine, feature, 'archivedAt', true)
    },
  },
  expired: {
    title: LONG_TITLE,
    options: { expiryHours: 0.0001 },
    lead: untilHeld,
  },
  // These two are taken further by `seedFeatures`, once nothing runs any more.
  interrupted: {
    title: ARABIC,
    plan: 'long',
    implements: never,
    async lead(lead) {
      await approved(lead)
      await lead.until(({ files }) => files.plan?.steps.some(({ status }) => status === 'in_progress') === true)
      await lead.until(({ files }) => files.status.status === 'executing' && files.status.spawnId !== null)
    },
  },
  corrupted: { title: 'Damaged session', lead: ({ until }) => until(planned) },
  // The next ones need GitHub in a state of its own, one after the other.
  prReview: {
    title: 'Invoices as PDF/A with embedded XML',
    options: { autoPush: true },
    implements: works('src/invoice/pdf/render.ts', 'export const render = 1\n'),
    prReview: [
      finding('The family is read outside of the transaction', 'security', { file: 'src/invoice/tax.ts', line: 3 }),
      finding('The changelog does not name the new answer', 'wording', { priority: 3 }),
    ],
    async lead(lead) {
      lead.github.checks = [
        { __typename: 'CheckRun', name: 'build', status: 'COMPLETED', conclusion: 'SUCCESS' },
        {
          ...{ __typename: 'CheckRun', name: 'test (node 20)', status: 'COMPLETED', conclusion: 'FAILURE' },
          detailsUrl: 'http://github.localhost/team/app/actions/runs/12/job/34',
        },
        { __typename: 'CheckRun', name: 'deploy preview', status: 'COMPLETED', conclusion: 'SKIPPED' },
      ]
      lead.github.log = CI_LOG
      await approved(lead)
      await lead.until(({ files }) => files.pr.ci === 'failing')
      lead.github.checks = [{ __typename: 'CheckRun', name: 'build', status: 'COMPLETED', conclusion: 'SUCCESS' }]
    },
  },
  final: {
    title: 'Archive shipments older than 400 days',
    options: { autoPush: true },
    implements: works('src/stock/archive.ts', 'export const days = 400\n'),
    async lead(lead) {
      await approved(lead)
      await lead.until(atTheEnd)
    },
  },
  completed: {
    title: 'Metrics without user ids',
    options: { autoPush: true },
    implements: works('src/metrics.ts', 'export const metrics = []\n'),
    async lead(lead) {
      await approved(lead)
      await lead.until(atTheEnd)
      await final(lead.engine, lead.feature, 'merge', '')
    },
  },
  ghLogin: {
    title: 'Driver chat in the handheld app',
    options: { autoPush: true },
    implements: works('src/chat.ts', 'export const chat = 1\n'),
    async lead(lead) {
      lead.github.loggedIn = false
      await approvedUntilHeld(lead)
      lead.github.loggedIn = true
    },
  },
  prFailed: {
    title: 'Stock counts by voice',
    options: { autoPush: true },
    implements: works('src/stock/voice.ts', 'export const voice = 1\n'),
    async lead(lead) {
      lead.github.refuses = 'GraphQL: was submitted too quickly (createPullRequest)\n'
      await approvedUntilHeld(lead)
      lead.github.refuses = undefined
    },
  },
} satisfies Record<string, Story>

export type StateName = keyof typeof STORIES

/** What the page of each says, so that nobody looks at another state by mistake. */
export const SAID: Record<StateName, string> = {
  discovery: 'What happens when a refresh token is used twice?',
  review: 'Reuse of a token within the same second is not told apart from theft',
  clean: 'Approve the plan',
  blocker: 'The scales speak two protocols. Which one is in use?',
  todos: 'The load balancer closes idle connections after 60 s',
  usageLimit: 'Your plan’s usage limit has been reached',
  // The hour may come to its end while it is looked at, and then it goes on by itself.
  hourlyLimit: 'Hourly exchange rates',
  budget: 'The token budget of this session is used up',
  agentFailed: 'Claude ended with an error',
  timedOut: 'A turn took too long',
  setupFailed: 'The project could not be set up',
  branchExists: 'The branch exists already',
  repositoryFailed: 'Git could not do it',
  unparsed: 'Claude’s answer could not be read',
  stuck: 'Claude may be stuck',
  breaker: 'Claude is stuck',
  checksFailed: 'The checks still fail',
  rebase: 'The base branch has changed, and the changes conflict',
  pushConsent: 'The branch is ready to be pushed',
  paused: 'Paused. Changes and the conversation are kept',
  rolledBack: 'Rolled back. A new session can begin from the form.',
  archived: 'Metrics by user',
  expired: 'The session has expired',
  interrupted: 'The session was interrupted',
  corrupted: 'is damaged.',
  prReview: 'The family is read outside of the transaction',
  final: 'Complete this feature',
  completed: 'This feature is complete.',
  ghLogin: 'The GitHub CLI is not logged in',
  prFailed: 'The pull request could not be made',
}
