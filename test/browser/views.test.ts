import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { withApp } from './support/app.ts'
import { serveFeatures } from './support/edge.ts'
import { FEATURES } from './support/features.ts'
import { AGENT } from './support/scene.ts'

const { app, person, open } = withApp()
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const at = ({ summary }: (typeof FEATURES)[keyof typeof FEATURES]) =>
  `/features/${summary.projectId}/${summary.featureId}`

const press = (key: string) => (tab: Page) => tab.keyboard.press(key)
const choose = (menu: string, item: RegExp) => async (tab: Page) => {
  await tab.getByRole('button', { name: menu }).click()
  await tab.getByRole('menuitem', { name: item }).click()
}

/** A view, or a view with something opened in it. */
const VIEWS: [name: string, path: string, open?: (tab: Page) => Promise<unknown>][] = [
  ['inbox', '/inbox'],
  ['features', '/features'],
  ['new feature', '/features/new'],
  ['agents', '/agents'],
  ['agent', `/agents/${AGENT}`],
  ['memory', '/memory/mem_0?q=refresh+token'],
  ['learnings', '/learnings'],
  ['learnings: turned down', '/learnings?life=rejected'],
  ['learnings: contradictions', '/learnings?life=contradictions'],
  ['intents', '/intents/INT-014'],
  ['insights', '/insights'],
  ['settings', '/settings'],
  ['team', '/settings/team', (tab) => tab.getByRole('button', { name: 'Make an invitation' }).click()],
  ['palette', '/inbox', press('Control+k')],
  ['keys', '/inbox', press('?')],
  ['rollback', at(FEATURES.breaker), choose('More about this feature', /Roll back/)],
  ['versions', at(FEATURES.review), (tab) => tab.getByRole('button', { name: 'Versions' }).click()],
  ['configuration', '/settings/configuration'],
  ['doctor', '/settings/doctor'],
  ['attachments', '/settings/attachments'],
  ['nowhere', '/inbox/nothing/at/all'],
  ...Object.entries(FEATURES).map(([state, one]): [string, string] => [`feature: ${state}`, at(one)]),
  ...['output', 'conversation', 'changes', 'evidence'].map((tab): [string, string] => [
    `feature tab: ${tab}`,
    `${at(FEATURES.implementing)}/${tab}`,
  ]),
  ['feature tab: pr', `${at(FEATURES.prReview)}/pr`],
]

/** Every width once, both themes twice. */
const THEMES = [
  ['light', 360],
  ['dark', 390],
  ['light', 1024],
  ['dark', 1440],
] as const

let page: Awaited<ReturnType<typeof open>>
const ends: (() => Promise<void>)[] = []
beforeAll(async () => {
  const context = await person((work) => void ends.push(work))
  page = await open(context, '/inbox', (tab) => serveFeatures(tab, Object.values(FEATURES)))
})
afterAll(async () => {
  for (const end of ends) await end()
})

it.each(VIEWS)('%s fits every width in both themes, without a serious finding of axe', async (_name, path, opened) => {
  page.complaints.length = 0
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(app.scene.url + path)
  await page.locator('h1').first().waitFor()
  await page.locator('[aria-busy]').first().waitFor({ state: 'detached' })
  await opened?.(page)
  const overflow: string[] = []
  for (const width of [1440, 1024, 390, 360]) {
    await page.setViewportSize({ width, height: 900 })
    const over = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    if (over > 0) overflow.push(`${over} px too wide at ${width}`)
  }
  expect(overflow).toEqual([])
  for (const [theme, width] of THEMES) {
    await page.setViewportSize({ width, height: 900 })
    expect(await seriousFindings(theme), `${theme}, ${width}`).toEqual([])
  }
  expect(page.complaints).toEqual([])
})

async function seriousFindings(colorScheme: 'light' | 'dark'): Promise<string[]> {
  await page.emulateMedia({ colorScheme })
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(axe)
  const found = await page.evaluate<
    { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[]
  >("axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)")
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary.split('\n')[1] ?? ''}`)
          .join(' | ')}`,
    )
}
