import type { BrowserContext } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { SessionSnapshot } from '../../src/protocol/api/sessions.ts'
import { until } from './support/app.ts'
import { serveFeatures } from './support/edge.ts'
import { FEATURES } from './support/edge-features/features.ts'
import { addressOf, allFeatures, copies, withFreshPages } from './support/fresh-pages.ts'

const { open, write, pending, visit, served } = withFreshPages()

describe('twice is once', () => {
  it('a double click answers one request, not the next one too', async () => {
    void [write('src/invoice/d1.ts'), write('src/invoice/d2.ts')]
    const page = await visit('/inbox')
    await page.getByRole('button', { name: 'Write src/invoice/d1.ts' }).waitFor()
    await page.getByRole('button', { name: 'Write src/invoice/d2.ts' }).waitFor()
    const box = (await page.getByRole('button', { name: 'Allow this once' }).boundingBox())!
    await page.mouse.dblclick(box.x + 20, box.y + 10, { delay: 20 })
    await until(pending, (list) => list.length < 2)
    await page.waitForTimeout(1500)
    const left = await pending()
    expect(left).toHaveLength(1)
  })
  it('the same key twice in a moment answers one request', async () => {
    void [write('src/invoice/k1.ts'), write('src/invoice/k2.ts')]
    const page = await visit('/inbox')
    await page.getByRole('button', { name: 'Write src/invoice/k2.ts' }).waitFor()
    await page.getByRole('button', { name: 'Write src/invoice/k1.ts' }).waitFor()
    await page.keyboard.press('1')
    await page.waitForTimeout(60)
    await page.keyboard.press('1')
    await until(pending, (list) => list.length < 2)
    await page.waitForTimeout(1500)
    const left = await pending()
    expect(left).toHaveLength(1)
  })
  it('a key meant for what another tab has just answered does not answer the next', async () => {
    void [write('src/invoice/r1.ts'), write('src/invoice/r2.ts')]
    const page = await visit('/inbox')
    await page.getByRole('button', { name: 'Write src/invoice/r2.ts' }).waitFor()
    await page.getByRole('button', { name: 'Write src/invoice/r1.ts' }).waitFor()
    const other = await open(page.context() as BrowserContext, '/inbox')
    // Another test's actions would be sent from it.
    onTestFinished(() => other.close())
    await other.getByRole('button', { name: 'Allow this once' }).click()
    await page.getByRole('button', { name: 'Write src/invoice/r1.ts' }).waitFor({ state: 'detached' })
    await page.keyboard.press('1')
    await page.waitForTimeout(1500)
    const left = await pending()
    expect(left).toHaveLength(1)
  })
  it('a double click on an answer in the list does not answer what takes its place', async () => {
    const answered = ({ summary, ...rest }: SessionSnapshot) => ({ ...rest, summary: { ...summary, waiting: [] } })
    const chosen: string[] = []
    const page = await served('/inbox', copies(4, FEATURES.usageLimit), {
      after({ path }: { path: string }, before: SessionSnapshot) {
        chosen.push(path)
        return answered(before)
      },
    })
    const quick = page.locator('.item .side > .button')
    await quick.nth(2).waitFor()
    const { x, y } = (await quick.first().boundingBox())!
    await page.mouse.click(x + 20, y + 10)
    await until(
      () => quick.count(),
      (left) => left === 2,
    )
    await page.mouse.click(x + 20, y + 10)
    await page.waitForTimeout(1500)
    expect(chosen).toHaveLength(1)
  })
  it('a key on the page does not allow what is being refused', async () => {
    const asked = write('src/invoice/f1.ts')
    const page = await visit('/inbox')
    await page.getByRole('button', { name: 'Refuse and say why' }).click()
    await page.getByLabel('A word to the agent').fill('Not there.')
    // The focus leaves the field for the page.
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('Enter')
    await page.keyboard.press('1')
    await page.keyboard.press('Control+Enter')
    expect(JSON.stringify(await asked)).toMatch(/deny.*Not there\./)
  })
  it('words that were written to refuse do not go with a yes', async () => {
    const asked = write('src/invoice/f2.ts')
    const page = await visit('/inbox')
    await page.getByRole('button', { name: 'Refuse and say why' }).click()
    await page.getByLabel('A word to the agent').fill('Not there.')
    await page.getByRole('button', { name: 'Back' }).click()
    const sent = page.waitForRequest(
      (request) => /approvals\/[^/]+$/.test(request.url()) && request.method() === 'POST',
    )
    await page.getByRole('button', { name: 'Allow this once' }).click()
    expect((await sent).postDataJSON()).toEqual({ answer: 'approve' })
    await asked
  })
  it('two tabs that say yes and no: one counts, the other is told', async () => {
    const asked = write('src/invoice/t1.ts')
    const one = await visit('/inbox')
    await one.getByRole('button', { name: 'Write src/invoice/t1.ts' }).waitFor()
    const two = await open(one.context() as BrowserContext, '/inbox')
    onTestFinished(() => two.close())
    await two.getByRole('button', { name: 'Refuse and say why' }).click()
    await Promise.all([
      one.getByRole('button', { name: 'Allow this once' }).click(),
      two.getByRole('button', { name: /^Refuse/ }).click(),
    ])
    await asked
    for (const page of [one, two]) await page.getByText('Nothing waits for you.').waitFor()
    for (const page of [one, two]) await page.locator('.toast').first().waitFor()
    expect([...one.complaints, ...two.complaints]).toEqual([])
  })
  it('a form that is submitted twice starts one feature', async () => {
    let sent: unknown[] = []
    const page = await visit('/features/new', async (tab) => {
      ;({ sent } = await serveFeatures(tab, allFeatures))
    })
    await page.getByLabel('Title').fill('T')
    await page.getByLabel('Project folder').fill('/src/billing')
    await page.getByLabel('Description').fill('D is long enough to count.')
    await page.getByText('billing, on').waitFor()
    const button = page.getByRole('button', { name: /Start discovery/ })
    await button.dblclick()
    await page.waitForURL(/features\/p-billing/)
    expect(sent).toHaveLength(1)
  })
  it('a key that follows the press on the button starts no second feature', async () => {
    let started = 0
    const page = await visit('/features/new', async (tab) => {
      await serveFeatures(tab, allFeatures)
      await tab.route(/\/api\/sessions$/, async (route) => {
        if (route.request().method() !== 'POST') return route.fallback()
        started++
        await new Promise((resolve) => setTimeout(resolve, 500))
        return route.fallback()
      })
    })
    await page.getByLabel('Title').fill('T')
    await page.getByLabel('Project folder').fill('/src/billing')
    await page.getByLabel('Description').fill('D is long enough to count.')
    await page.getByText('billing, on').waitFor()
    await page.getByRole('button', { name: /Start discovery/ }).click()
    await page.keyboard.press('Control+Enter')
    await page.keyboard.press('Control+Enter')
    await page.waitForURL(/features\/p-billing/)
    expect(started).toBe(1)
  })
  it('an answer that waits for the network is shown as given, and is not queued twice', async () => {
    const page = await served(addressOf(FEATURES.review))
    const option = page.locator('.question').first().getByRole('radio').nth(1)
    await option.check()
    await page.route(/\/questions/, (route) => route.abort())
    await page.keyboard.press('Control+Enter')
    const kept = () => page.evaluate<string>("localStorage.getItem('grove.outbox') ?? '[]'")
    await until(kept, (text) => text.includes('/questions'))
    expect(await option.isChecked()).toBe(true)
    await page.waitForTimeout(700)
    await page.keyboard.press('Control+Enter')
    await page.waitForTimeout(300)
    expect(JSON.parse(await kept())).toHaveLength(1)
  })
})
