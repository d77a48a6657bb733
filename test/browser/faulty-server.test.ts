import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from './support/app.ts'
import { serveFeatures } from './support/edge.ts'
import { FEATURES } from './support/edge-features/features.ts'
import { addressOf, withFreshPages } from './support/fresh-pages.ts'

const { app, write, pending, visit, context } = withFreshPages()

describe('a server that misbehaves', () => {
  const broken = (pattern: RegExp, status: number, body: string) => (tab: Page) =>
    tab.route(pattern, (route) => route.fulfill({ status, body, contentType: 'application/json' }))
  it('does not make the inbox say that nothing waits when it cannot be read', async () => {
    const page = await visit('/inbox', broken(/\/api\/inbox/, 500, '{}'))
    await page.waitForTimeout(800)
    expect(await page.getByText('Nothing waits for you.').count()).toBe(0)
    await page.getByText('cannot be shown').waitFor()
  })
  it('does not make the inbox say that nothing waits while it is slow', async () => {
    const page = await visit('/inbox', (tab) => tab.route(/\/api\/inbox/, () => {}))
    await page.waitForTimeout(800)
    expect(await page.getByText('Nothing waits for you.').count()).toBe(0)
  })
  it.each([
    ['agents', '/api/agents$'],
    ['inbox', '/api/inbox'],
  ])('a malformed answer of %s takes down less than the page', async (_name, pattern) => {
    const page = await context().newPage()
    onTestFinished(() => page.close())
    await broken(new RegExp(pattern), 200, '{}')(page)
    await page.goto(`${app.scene.url}/settings`)
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    await page.goto(`${app.scene.url}/inbox`)
    await page.getByRole('navigation', { name: 'Places' }).waitFor()
  })
  it('an answer that is no JSON is told as trouble', async () => {
    const page = await visit('/memory', broken(/\/api\/memories/, 200, '<html>portal</html>'))
    await page.getByText('cannot be shown').waitFor()
  })
  it('a refused sending brings the request back and says why', async () => {
    void write('src/invoice/s1.ts')
    const page = await visit('/inbox', (tab) =>
      tab.route(/\/api\/approvals\/[^/]+$/, (route) => route.fulfill({ status: 503, body: '' })),
    )
    await page.getByRole('button', { name: 'Allow this once' }).click()
    await page.getByText('Allow this once was refused').waitFor()
    await page.getByRole('button', { name: 'Write src/invoice/s1.ts' }).waitFor()
  })
  it('keeps what waits to be sent when the browser is not known any more, and says so', async () => {
    const page = await visit('/memory/mem_2')
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Goal').fill('After the cookie')
    await page.route(/\/api\//, (route) => (route.request().method() === 'GET' ? route.fallback() : route.abort()))
    await page.getByRole('button', { name: 'Save for the whole team' }).click()
    const kept = () => page.evaluate<string>("localStorage.getItem('grove.outbox') ?? '[]'")
    await until(kept, (text) => text.includes('mem_2'))
    await page.unrouteAll()
    const cookies = await page.context().cookies()
    await page.context().clearCookies()
    await page.evaluate("localStorage.setItem('grove.touch', '1')")
    await app.scene.restart()
    await page.getByText(/does not know this browser/).waitFor()
    expect(await kept()).toContain('mem_2')
    await page.context().addCookies(cookies)
    await until(
      () => app.scene.get('/api/memories/mem_2'),
      (memory) => (memory as { goal: string }).goal === 'After the cookie',
    )
  })
  it('shows what is new although the socket is blocked', async () => {
    const page = await visit('/inbox', (tab) => tab.routeWebSocket(/\/ws/, (socket) => socket.close()))
    await page.getByText('Nothing waits for you.').waitFor()
    void write('src/invoice/w1.ts')
    await page.getByRole('button', { name: 'Write src/invoice/w1.ts' }).waitFor()
  })
  it('shows what came before the socket was open', async () => {
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const page = await visit('/inbox', (tab) =>
      tab.routeWebSocket(/\/ws/, async (socket) => {
        await held
        socket.connectToServer()
      }),
    )
    await page.getByText('Nothing waits for you.').waitFor()
    void write('src/invoice/w2.ts')
    await until(pending, (list) => list.length === 1)
    letGo()
    await page.getByRole('button', { name: 'Write src/invoice/w2.ts' }).waitFor()
  })
  it('shows what came while the page was first read', async () => {
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const page = await visit('/agents', (tab) =>
      tab.route(
        /\/api\/approvals/,
        async (route) => {
          const before = await route.fetch()
          await held
          await route.fulfill({ response: before })
        },
        { times: 1 },
      ),
    )
    void write('src/invoice/w3.ts')
    await until(pending, (list) => list.length === 1)
    // The page has heard of it by now, and reads it once more.
    await page.waitForTimeout(1_000)
    letGo()
    await page.locator('[aria-live]', { hasText: /1 thing waits/ }).waitFor({ state: 'attached' })
  })
  it('shows something over a slow network while much happens', async () => {
    const page = await visit('/agents')
    await page.getByRole('heading', { name: 'Agents' }).waitFor()
    await page.route(/\/api\/approvals/, (route) => setTimeout(() => void route.fallback().catch(() => {}), 800))
    const shown = page.locator('[aria-live]', { hasText: /things? waits? for you/ })
    let seen = 0
    for (let index = 0; index < 10; index++) {
      void write(`src/invoice/n${index}.ts`)
      await page.waitForTimeout(350)
      seen = Math.max(seen, await shown.count())
    }
    expect(seen).toBe(1)
    const many = (await pending()).length
    await page.locator('[aria-live]', { hasText: new RegExp(`^${many} things wait`) }).waitFor({ state: 'attached' })
  })
  it('a clock that is hours ahead does not make news old', async () => {
    const live = FEATURES.implementing
    const fresh = { ...live, status: { ...live.status, lastActionAt: new Date(Date.now() + 5000).toISOString() } }
    const page = await context().newPage()
    onTestFinished(() => page.close())
    await page.clock.install({ time: Date.now() + 3 * 3_600_000 })
    await serveFeatures(page, [fresh])
    await page.goto(app.scene.url + addressOf(fresh))
    await page.getByText('3 Implementation').waitFor()
    await page.clock.runFor(3000)
    expect(await page.getByText(/No news for/).count()).toBe(0)
  })
})
