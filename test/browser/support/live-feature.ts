import type { Page } from 'playwright-core'
import { type Scenario, ScenarioFile } from '../../../src/simulator/schema.ts'
import { startSimulator } from '../../../src/simulator/upstream.ts'
import { clientPath, fakeKey } from '../../support/claude.ts'
import type { Scene } from './daemon.ts'
import { planAfter } from './told-plan.ts'

/** The real client on the simulator, for a feature session that is at work while it is looked at. */

const DONE = ['1', '1.1', '1.2']
const LIVE = '2'
const fileOf = (stepId: string) => `src/alarm/part-${stepId}.ts`

/** The client takes its time on a busy machine. */
const PATIENTLY = { timeout: 240_000 }

const grove = (name: string, input: object) => ({ tool_use: { name: `mcp__grove__${name}`, input } })
const write = (stepId: string) => ({
  text: `I write \`${fileOf(stepId)}\` now.`,
  tool_use: {
    name: 'Write',
    input: { file_path: `{{cwd}}/${fileOf(stepId)}`, content: `export const step = '${stepId}'\n` },
  },
})

/** Three steps are done; the fourth has written its file and thinks about it for as long as anybody looks. */
const SCENARIO: Scenario = {
  ...ScenarioFile.parse({
    default: 'A summary of what was said.',
    replies: [
      { when: { tool_result: fileOf(LIVE) }, reply: { hang_after: 0 } },
      ...DONE.map((stepId) => ({
        when: { tool_result: fileOf(stepId) },
        reply: grove('complete_step', { stepId, summary: `${fileOf(stepId)} is there` }),
      })),
      { when: { tool_result: 'Recorded.' }, reply: 'Done.' },
      { when: { last_user: 'Review this plan' }, reply: 'Nothing is left.\n\n[PLAN_APPROVED]' },
      { when: { last_user: 'You plan this feature' }, reply: grove('propose_plan', planAfter(0)) },
      ...[...DONE, LIVE].map((stepId) => ({
        when: { newest: `Implement the step ${stepId} of` },
        reply: write(stepId),
      })),
    ].map((entry) => ({ ...entry, repeat: 'forever' })),
  }),
  name: 'live-feature',
}

export async function startModel() {
  const simulator = await startSimulator({ scenario: SCENARIO })
  return {
    close: simulator.close,
    env: {
      GROVE_CLAUDE_BIN: clientPath(),
      ANTHROPIC_API_KEY: fakeKey,
      ANTHROPIC_TARGET: simulator.url,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
      DISABLE_AUTOUPDATER: '1',
    },
  }
}

/** Begins a feature in the form and approves its plan; resolves to its address once the last step is at work. */
export async function beginLive(page: Page, scene: Scene): Promise<string> {
  await page.goto(`${scene.url}/features/new`)
  await page.getByLabel('Title').fill('Debounce cold-chain sensor alarms')
  await page.getByLabel('Project folder').fill(scene.dir)
  await page.getByLabel('Description').fill('An alarm that comes and goes within a minute is one alarm.')
  await page.getByLabel('Project folder').press('Control+Enter')
  const approve = page.getByRole('button', { name: 'Approve plan v1 and start implementing' })
  await approve.waitFor(PATIENTLY)
  const { pathname } = new URL(page.url())
  // A signature is asked for unless the recommended reviews were through by then; the page may change under a click.
  const signature = page.getByLabel(/I approve plan v1/)
  const quickly = { timeout: 2_000 }
  const began = Date.now()
  while ((await approve.count()) > 0) {
    if (Date.now() - began > PATIENTLY.timeout) throw new Error('The plan could not be approved.')
    if ((await signature.count()) > 0) await signature.check(quickly).catch(() => {})
    await approve.click(quickly).catch(() => {})
    await page.waitForTimeout(200)
  }
  await page
    .getByText(fileOf(LIVE))
    .first()
    .waitFor(PATIENTLY)
    .catch(async () => {
      throw new Error(`The feature does not come to step ${LIVE}:\n${await page.locator('.feature').innerText()}`)
    })
  return pathname
}
