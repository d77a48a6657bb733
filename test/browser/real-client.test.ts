import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { parseScenario } from '../../src/simulator/testing/script.ts'
import { startSimulator } from '../../src/simulator/upstream.ts'
import { clientPath, fakeKey } from '../support/claude.ts'
import { shared } from '../support/run/shared.ts'
import { launchChromium } from './support/chromium.ts'
import { openScene } from './support/daemon.ts'
import { tabTo } from './support/keyboard.ts'

const step = (id: string, path: string) =>
  `{ id: ${id}, title: Write ${path}, description: As decided, complexity: low, criteria: [All tests pass], paths: [${path}] }`
const write = (path: string) =>
  `{ tool_use: { name: Write, input: { file_path: "{{cwd}}/${path}", content: "export const x = 1\\n" } } }`
const complete = (id: string) =>
  `{ tool_use: { name: mcp__grove__complete_step, input: { stepId: ${id}, summary: ${id} is there } } }`
const options = '[{ label: JWT, recommended: true }, { label: Opaque }]'

/**
 * What the model does at each prompt. The first attempt at step a, at the pull request and at its review never ends: the
 * machine goes down in its middle.
 */
const SCENARIO = `
default: "A summary of what was said."
replies:
  - when: { tool_result: "Decision: Opaque" }
    reply: { tool_use: { name: mcp__grove__propose_plan, input: { steps: [${step('a', 'src/login.mjs')}, ${step('b', 'src/b.mjs')}] } } }
  - when: { tool_result: "src/login.mjs" }
    reply: ${complete('a')}
  - when: { tool_result: "src/b.mjs" }
    reply: ${complete('b')}
  - when: { tool_result: "Recorded." }
    repeat: forever
    reply: Done.
  - when: { last_user: "You plan this feature" }
    reply: { tool_use: { name: mcp__grove__ask_decision, input: { questions: [{ question: Which token?, options: ${options}, priority: 1 }] } } }
  - when: { last_user: "Review this plan" }
    reply: { tool_use: { name: mcp__grove__report_review, input: { findings: [{ question: No rate limit, options: ${options}, priority: 1, category: security }] } } }
  - when: { last_user: "Check each concern" }
    reply: "I cannot tell."
    repeat: 3
  - when: { last_user: "Bring the plan up to date" }
    reply: { tool_use: { name: mcp__grove__keep_plan, input: { reason: It is in the plan } } }
  - when: { last_user: "Review this plan" }
    repeat: forever
    reply: "Nothing left.\\n\\n[PLAN_APPROVED]"
  - when: { newest: "Implement the step a" }
    reply: { hang_after: 0 }
  - when: { newest: "Implement the step a" }
    repeat: forever
    reply: ${write('src/login.mjs')}
  - when: { newest: "Implement the step b" }
    repeat: forever
    reply: ${write('src/b.mjs')}
  - when: { newest: "Write the pull request" }
    reply: { hang_after: 0 }
  - when: { last_user: "Write the pull request" }
    repeat: forever
    reply: { tool_use: { name: mcp__grove__report_pr, input: { title: Add login, body: "## Summary" } } }
  - when: { newest: "fresh eyes" }
    reply: { hang_after: 0 }
  - when: { last_user: "fresh eyes" }
    repeat: forever
    reply: { tool_use: { name: mcp__grove__report_review, input: { findings: [] } } }
`

async function setStage(whenFinished: (work: () => Promise<void> | void) => void) {
  const simulator = await startSimulator({ scenario: parseScenario(SCENARIO, 'feature.yaml') })
  whenFinished(simulator.close)
  const scene = await openScene((await shared('binary'))!, {
    isEmpty: true,
    files: {
      'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node test.mjs' } }),
      'test.mjs': 'import "./src/a.mjs"\n',
      'src/a.mjs': '',
    },
    settings: '[workflow]\nsetup = false\nrecommended_reviews = 2\n',
    env: {
      GROVE_CLAUDE_BIN: clientPath(),
      ANTHROPIC_API_KEY: fakeKey,
      ANTHROPIC_TARGET: simulator.url,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
      DISABLE_AUTOUPDATER: '1',
    },
  })
  whenFinished(scene.close)
  const browser = await launchChromium()
  whenFinished(() => browser.close())
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  context.setDefaultTimeout(180_000)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(scene.link)
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  const asked = (words: string) => simulator.requests.filter(({ body }) => body.toString().includes(words))
  return { scene, context, page, complaints, asked }
}

/** The only way in which this test touches the page: keys, and looking. */
async function press(page: Page, ...keys: string[]) {
  for (const key of keys) await page.keyboard.press(key)
}

interface Shown {
  session: { summary: { executing: boolean } }
}

const isConnected = (page: Page) => page.getByText('Connected', { exact: true }).waitFor()
const kept = (page: Page) => page.evaluate<string>("localStorage.getItem('grove.outbox') ?? '[]'")

it('goes from the form to the last word by keyboard with the real client, and loses nothing on the way', async ({
  onTestFinished,
}) => {
  const { scene, context, page, complaints, asked } = await setStage(onTestFinished)
  await press(page, 'c', 'f')
  await page.getByLabel('Title').waitFor()
  await tabTo(page, page.getByLabel('Title'))
  await page.keyboard.type('Add login')
  await press(page, 'Tab')
  await page.keyboard.type(scene.dir)
  await press(page, 'Tab')
  await page.keyboard.type('People can log in.')
  // Network drop before anything is sent: the form stays.
  await context.setOffline(true)
  await page.reload().catch(() => {})
  await context.setOffline(false)
  await page.goto(`${scene.url}/features/new`)
  expect(await page.getByLabel('Title').inputValue()).toBe('Add login')
  await page.getByText('main').first().waitFor()
  await press(page, 'Control+Enter')
  await page.waitForURL(/\/features\/[^/]+\/add-login$/)
  const second = await context.newPage()
  await second.goto(page.url())

  /** A question stands on the page before the turn that asked it has ended; a machine that goes down then interrupts the turn. */
  const path = new URL(page.url()).pathname.replace('/features', '/api/sessions')
  const isAtRest = () =>
    expect
      .poll(async () => ((await scene.get(path)) as Shown).session.summary.executing, { timeout: 120_000 })
      .toBe(false)

  /** In the middle of every stage: the machine goes down and comes back, the page is read anew, and another tab agrees. */
  const goDown = async (stands: (tab: Page) => Promise<unknown>) => {
    await scene.restart()
    await stands(page)
    await page.reload()
    for (const tab of [page, second]) await stands(tab)
    await isConnected(page)
  }
  /** What is pressed while the network is away is kept, and sent once when it is back. */
  const withoutNetwork = async (press: () => Promise<unknown>, address: string) => {
    await context.setOffline(true)
    await press()
    await expect.poll(() => kept(page), { timeout: 60_000 }).toContain(address)
    expect(JSON.parse(await kept(page))).toHaveLength(1)
    await context.setOffline(false)
    await expect.poll(() => kept(page), { timeout: 60_000 }).toBe('[]')
  }

  // Discovery: the draft of an answer is still there, in both tabs.
  // The output names the question before it can be answered.
  await page.getByLabel('Opaque').waitFor()
  await press(page, '2')
  const isOpaque = (tab: Page) =>
    expect.poll(() => tab.getByLabel('Opaque').isChecked(), { timeout: 60_000 }).toBe(true)
  await isOpaque(page)
  await isAtRest()
  await goDown(isOpaque)
  await withoutNetwork(() => press(page, 'Control+Enter'), '/questions')

  // Plan review: a finding is answered, and the plan is approved.
  const refine = (tab: Page) => tab.getByRole('button', { name: /Send 1 answer and refine/ }).waitFor()
  await refine(page)
  await isAtRest()
  await goDown(refine)
  await press(page, '1')
  await withoutNetwork(() => press(page, 'Control+Enter'), '/questions')
  for (const tab of [page, second]) await tab.getByRole('heading', { name: 'Approve the plan' }).waitFor()
  expect(asked('Bring the plan up to date')).not.toHaveLength(0)
  await page.reload()
  const approve = page.getByRole('button', { name: 'Approve plan v1 and start implementing' })
  const signature = page.getByLabel(/I approve plan v1/)
  await approve.waitFor()
  await isConnected(page)
  // A signature is asked for unless both recommended reviews were through by then.
  await expect
    .poll(
      async () => {
        if ((await approve.count()) === 0) return 'sent'
        if ((await signature.count()) > 0 && !(await signature.isChecked())) {
          if (await tabTo(page, signature)) await press(page, 'Space')
        }
        if ((await approve.count()) > 0 && (await approve.isEnabled())) {
          if (await tabTo(page, approve)) await press(page, 'Enter')
        }
        return 'waits'
      },
      { timeout: 120_000, interval: 1000 },
    )
    .toBe('sent')

  // Implementation, the pull request and its review: the page says how to go on.
  const goOn = (tab: Page) => tab.getByRole('button', { name: /Continue where it stopped/ })
  for (const prompt of ['Implement the step a', 'Write the pull request', 'fresh eyes']) {
    await expect.poll(() => asked(prompt).length, { timeout: 180_000 }).toBeGreaterThan(0)
    await goDown((tab) => goOn(tab).waitFor())
    await withoutNetwork(() => press(page, '1', 'Control+Enter'), '/choice')
    await goOn(page).waitFor({ state: 'detached' })
  }

  // The last word is said in one tab and seen in the other.
  const done = (tab: Page) => tab.getByRole('button', { name: 'Complete this feature' })
  await done(page).waitFor()
  await isAtRest()
  await goDown((tab) => done(tab).waitFor())
  await tabTo(page, done(page))
  await withoutNetwork(() => press(page, 'Enter'), '/final-approval')
  for (const tab of [page, second]) await tab.getByText('This feature is complete.').waitFor()
  expect(complaints).toEqual([])
}, 900_000)
