import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { until } from './support/app.ts'
import { serveFeatures } from './support/edge.ts'
import { FEATURES } from './support/edge-features/features.ts'
import { feature } from './support/edge-features/session.ts'
import { tabTo } from './support/keyboard.ts'
import { AGENT } from './support/scene.ts'
import { at, withVisitor } from './support/visitor.ts'

/** Three strangers: one with a keyboard alone, one with a phone of 360 px, one whose setup is huge, fails, and runs from right to left. */

const { contexts, visit, served } = withVisitor()
const all = Object.values(FEATURES)
const isChosen = (page: Page, tab: RegExp) =>
  until(
    () => page.getByRole('tab', { name: tab }).getAttribute('aria-selected'),
    (value) => value === 'true',
  )

describe('with a keyboard alone', () => {
  it('the focus stays with the step that was commented on, and with the line of code', async () => {
    const { page } = await served(at(FEATURES.clean, '/changes?view=tree'), all)
    const held = () =>
      page.evaluate<string>("document.activeElement.id || document.activeElement.getAttribute('aria-label')")
    await tabTo(page, page.getByRole('button', { name: /^Comment on: Token families/ }))
    await page.keyboard.press('Enter')
    await page.keyboard.type('Call it a chain')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Call it a chain').waitFor()
    expect(await held()).toBe('step-2')
    await tabTo(page, page.getByRole('button', { name: /^Comment on line/ }).first())
    const line = await held()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: /^Comment on/ }).waitFor()
    await page.keyboard.press('Escape')
    await until(held, (now) => now === line)
  })
  it('Home and End lead to the first and the last tab', async () => {
    const { page } = await served(at(FEATURES.review), all)
    await tabTo(page, page.getByRole('tab', { name: /^Story/ }))
    await page.keyboard.press('End')
    await isChosen(page, /^Pull request/)
    await page.keyboard.press('Home')
    await isChosen(page, /^Story/)
  })
})

describe('on a phone of 360 px', () => {
  const small = async (path: string, list = all) => {
    const found = await served(path, list, {}, contexts.phone)
    await found.page.setViewportSize({ width: 360, height: 740 })
    return found
  }
  it('no field makes the page zoom in', async () => {
    for (const place of ['/features/new', '/memory', at(FEATURES.checksFailed), '/settings/team']) {
      const { page } = await small(place)
      await page.locator('input:visible, textarea:visible').first().waitFor()
      const tiny = await page.evaluate<string[]>(
        `[...document.querySelectorAll('input:not([type=checkbox],[type=radio]), textarea, select')]
          .filter((one) => one.checkVisibility() && parseFloat(getComputedStyle(one).fontSize) < 16)
          .map((one) => one.getAttribute('aria-label') || one.id || one.placeholder)`,
      )
      expect(tiny, place).toEqual([])
    }
  })
  it('what decides about a long trouble is in sight at once', async () => {
    const [waiting] = FEATURES.breaker.summary.waiting
    const long = feature('long-hold', 'A long explanation', 3, {
      ...FEATURES.breaker,
      summary: { waiting: [{ ...waiting!, detail: 'A line of it.\n'.repeat(40) }] },
    })
    const { page } = await small(at(long), [long])
    const button = page.locator('.waits .button.primary')
    await button.waitFor()
    const bar = await page.evaluate<number>("document.querySelector('.rail').getBoundingClientRect().top")
    const box = (await button.boundingBox())!
    expect(box.y + box.height).toBeLessThanOrEqual(bar + 1)
  })
  it('a change that is approved is read without going sideways', async () => {
    const { page } = await small('/settings', [])
    const approval = {
      id: 'apr_1',
      kind: 'action',
      sessionId: AGENT,
      root: '/src/billing',
      intentId: 'INT-014',
      tool: 'Edit',
      what: 'Edit src/invoice/tax.ts',
      detail: `--- a/src/invoice/tax.ts\n+++ b/src/invoice/tax.ts\n@@ -1 +1 @@\n+  return vatRate(${'country, '.repeat(20)})\n`,
      status: 'pending',
      askedAt: Date.now(),
    }
    await page.route(/\/api\/approvals/, (route) => route.fulfill({ json: { approvals: [approval] } }))
    await page.reload()
    await page.getByRole('link', { name: /Inbox/ }).tap()
    await page.getByRole('button', { name: /Edit src/ }).tap()
    const code = page.getByLabel('What would change')
    await code.waitFor()
    expect(await code.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0)
  })
})

describe('in a huge, failing, right-to-left setup', () => {
  it('the arrows in a row of tabs go where they point', async () => {
    const { page } = await served(at(FEATURES.review), all)
    await page.evaluate("document.documentElement.dir = 'rtl'")
    await tabTo(page, page.getByRole('tab', { name: /^Story/ }))
    await page.keyboard.press('ArrowLeft')
    await isChosen(page, /^Output/)
    await page.keyboard.press('ArrowRight')
    await isChosen(page, /^Story/)
  })
  it.each([
    ['story', 'events'],
    ['changes', 'diff'],
    ['output', 'output'],
  ])('a %s that cannot be read says so, and the plan and the answers are there', async (tab, what) => {
    const page = await visit(at(FEATURES.review, `/${tab}`), async (one) => {
      await serveFeatures(one, all)
      await one.route(new RegExp(`/api/sessions/[^/]+/[^/]+/${what}`), (route) =>
        route.fulfill({ status: 500, json: {} }),
      )
    })
    await page.getByText('cannot be shown').first().waitFor({ timeout: 40_000 })
    await page.getByRole('button', { name: /^Send/ }).waitFor()
    await page.getByText('Token families in the store').first().waitFor()
  })
  it.each(['board', 'timeline'])('two thousand steps as a %s stay light', async (view) => {
    const plan = FEATURES.implementing.plan!
    const begun = { ...plan.steps[3]!, parentId: null, metadata: { startedAt: FEATURES.review.summary.createdAt } }
    const steps = Array.from({ length: 2_000 }, (_, index) => ({
      ...begun,
      ...{ id: `${index}`, uid: `u${index}`, orderIndex: index, title: `Step number ${index}` },
    }))
    const many = feature('many', 'Many', 3, { plan: { ...plan, steps } })
    const { page } = await served(at(many, `?view=${view}`), [many])
    await page
      .getByText(/^(?:1999 )?Step number 1999|more/)
      .first()
      .waitFor()
    expect(await page.evaluate<number>("document.querySelectorAll('.band.plan *').length")).toBeLessThan(6_000)
  })
  it('of two hundred checks the one that fails is the first', async () => {
    const { pr } = FEATURES.prReview
    const [passing, failing] = pr.checks
    const checks = [
      ...Array.from({ length: 200 }, (_, index) => ({ ...passing!, name: `job ${index}` })),
      { ...failing!, name: 'the one that fails' },
    ]
    const many = feature('checks', 'Checks', 5, { pr: { ...pr, checks } })
    const { page } = await served(at(many, '/pr'), [many])
    const failed = (await page.getByText('the one that fails').first().boundingBox())!
    const other = (await page.getByText('job 0', { exact: true }).first().boundingBox())!
    expect(failed.y).toBeLessThan(other.y)
  })
})
