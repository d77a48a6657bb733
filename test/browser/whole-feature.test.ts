import { mkdir, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { loadConfig } from '../../src/config/load.ts'
import { openWorld } from '../../src/daemon/compose/world.ts'
import { agentsIn } from '../../src/server/agents.ts'
import { keysOf } from '../../src/server/keys.ts'
import { LiveFeed } from '../../src/server/live.ts'
import { buildServer } from '../../src/server/server.ts'
import { explainedFindings } from '../../src/supervisor/canary/findings.ts'
import { person } from '../support/checked-api.ts'
import { setFeatureStage } from '../support/feature-stage.ts'
import { shared } from '../support/run/shared.ts'
import { type Script, scriptedAgent, type Turn } from '../support/scripted-agent.ts'
import { launchChromium } from './support/chromium.ts'

type WhenFinished = (work: () => Promise<void> | void) => void
const silent = { debug() {}, info() {}, warn() {}, error() {} }

const step = (id: string, path: string) => ({
  id,
  title: `Write ${path}`,
  description: 'As decided',
  complexity: 'low',
  criteria: ['All tests pass'],
  paths: [path],
})

async function put({ run }: Turn, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(run.cwd, path)), { recursive: true })
  await writeFile(join(run.cwd, path), text)
}

/** The real server and the real engine on a real repository; only Claude's turns are written down. */
async function setStage(whenFinished: WhenFinished, scripts: Script[]) {
  const dist = (await shared('binary'))!
  const stage = await setFeatureStage(
    whenFinished,
    scriptedAgent(() => scripts.shift()),
  )
  const config = loadConfig({ env: { GROVE_HOME: stage.home }, cwd: stage.home })
  const live = new LiveFeed(Date.now)
  stage.events.push = (...events) => {
    for (const event of events) live.publish(event)
    return 0
  }
  const world = openWorld({ config, log: silent })
  whenFinished(() => world.close())
  const [store, memory, learning, guard, trace, pauses] = await Promise.all([
    world.store(),
    world.memory(),
    world.learning(),
    world.guard(),
    world.trace(),
    world.pauses(),
  ])
  const keys = keysOf('a-token-of-this-test')
  const app = buildServer({
    config,
    version: '1.2.3',
    keys,
    peers: person,
    webFolder: join(dist, 'web'),
    live,
    log: silent,
    agents: agentsIn(store, Date.now),
    projects: () => store.projects.list(),
    findings: () => explainedFindings(store.states),
    memory,
    learning,
    guard,
    trace,
    pauses,
    features: stage.engine,
    self: { settings: () => ({ settings: [], problems: [] }), doctor: async () => [], fix: async () => 'done' },
  })
  whenFinished(() => app.close())
  await app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const browser = await launchChromium()
  whenFinished(() => browser.close())
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  context.setDefaultTimeout(30_000)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(`${url}/?token=${keys.link}`)
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  return { page, complaints, project: stage.project }
}

it('goes from the form to the final approval by keyboard, with reloads in between', async ({ onTestFinished }) => {
  const heard: string[] = []
  const { page, complaints, project } = await setStage(onTestFinished, [
    ({ ask }) =>
      ask([
        {
          question: 'Which kind of token?',
          options: [{ label: 'JWT', recommended: true }, { label: 'Opaque' }],
          priority: 1,
        },
        { question: 'Log out too?', type: 'confirmation', priority: 1 },
      ]),
    async (turn) => {
      heard.push(turn.heard)
      await turn.call('propose_plan', { steps: [step('a', 'src/a.mjs'), step('b', 'src/b.mjs')] })
    },
    ({ say }) => say('All good.\n[PLAN_APPROVED]\n'),
    async (turn) => {
      heard.push(turn.heard)
      await turn.call('propose_plan', {
        steps: [step('a', 'src/a.mjs'), step('b', 'src/b.mjs'), step('c', 'src/c.mjs')],
      })
    },
    ({ say }) => say('All good.\n[PLAN_APPROVED]\n'),
    ...['a', 'b', 'c'].map(
      (id): Script =>
        async (turn) => {
          await put(turn, `src/${id}.mjs`, `export const ${id} = 1\n`)
          await turn.call('complete_step', { stepId: id, summary: `${id} is there` })
        },
    ),
    async ({ call }) => void (await call('report_pr', { title: 'Add login', body: '## Summary\nLogin.' })),
    async ({ call }) => void (await call('report_review', { findings: [] })),
  ])

  await page.keyboard.press('c')
  await page.keyboard.press('f')
  await page.getByLabel('Title').focus()
  await page.keyboard.type('Add login')
  await page.keyboard.press('Tab')
  await page.keyboard.type(project.dir)
  await page.keyboard.press('Tab')
  await page.keyboard.type('People can log in.')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('heading', { name: 'Add login' }).waitFor()

  // Discovery asks; the second option, then yes.
  await page.getByText('Which kind of token?').waitFor()
  await page.keyboard.press('2')
  await page.keyboard.press('j')
  await page.keyboard.press('1')
  await page.reload()
  await page.getByRole('button', { name: /Send 2 answers/ }).waitFor()
  await page.keyboard.press('Control+Enter')

  // The first plan is reviewed; a comment makes a second one.
  const comment = page.getByRole('button', { name: 'Comment on: Write src/b.mjs' })
  await comment.waitFor()
  await page.getByRole('heading', { name: 'Approve the plan' }).waitFor()
  expect(heard[0]).toContain('Opaque')
  await comment.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.type('A step for c as well')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('button', { name: /Send 1 comment/ }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Plan v2').first().waitFor()
  await page.getByRole('heading', { name: 'Approve the plan' }).waitFor()
  expect(heard[1]).toContain('A step for c as well')
  await page.reload()

  const approve = page.getByRole('button', { name: 'Approve plan v2 and start implementing' })
  await approve.waitFor()
  if (await approve.isDisabled()) {
    await page.getByLabel(/I approve plan v2/).focus()
    await page.keyboard.press('Space')
  }
  await approve.focus()
  await page.keyboard.press('Enter')

  // Steps, checks, commit and the local review go by themselves.
  const complete = page.getByRole('button', { name: 'Complete this feature' })
  await complete.waitFor({ timeout: 90_000 })
  await page.getByText('All tests pass').first().waitFor()
  await complete.focus()
  await page.keyboard.press('Enter')
  await page.getByText('This feature is complete.').waitFor()
  expect(await project.git('log', '--format=%s', 'feature/add-login')).toContain('Add login')
  expect(complaints).toEqual([])
})
