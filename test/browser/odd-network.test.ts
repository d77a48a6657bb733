import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from './support/app.ts'
import { tooWide } from './support/axe.ts'
import { serveFeatures } from './support/edge.ts'
import { feature } from './support/edge-features/session.ts'
import { AGENT } from './support/scene.ts'
import { copies, withVisitor } from './support/visitor.ts'

/** No network, a slow one, a server that restarts or no longer knows the browser, links that lead nowhere, a clock that is wrong. */

const { app, contexts, visit } = withVisitor()
const DONE = feature('done', 'Metrics without user ids', 6, { summary: { status: 'completed' } })

describe('a person in odd conditions', () => {
  it('does two things without a network, and each is sent once, in order', async () => {
    const page = await visit('/memory/mem_5')
    await page.route(/\/api\//, (route) => (route.request().method() === 'GET' ? route.fallback() : route.abort()))
    for (const name of ['one', 'two']) {
      await page.getByRole('button', { name: 'Edit' }).click()
      await page.getByLabel('Tags').fill(name)
      await page.getByRole('button', { name: /^Save/ }).click()
      await page.waitForTimeout(300)
      if (await page.getByRole('button', { name: 'Edit' }).isHidden()) break
    }
    const waiting = await page.evaluate<string>("localStorage.getItem('grove.outbox') ?? '[]'")
    expect(JSON.parse(waiting).length).toBeGreaterThan(0)
    await page.unrouteAll()
    await page.evaluate("window.dispatchEvent(new Event('online'))")
    await until(
      () => page.evaluate<string>("localStorage.getItem('grove.outbox') ?? '[]'"),
      (text) => text === '[]',
    )
  })
  it('presses while the server restarts, and it is done once it is back', async () => {
    const page = await visit('/settings')
    await page.getByRole('button', { name: 'for 15 minutes' }).waitFor()
    await app.scene.stop()
    await page.getByRole('button', { name: 'for 15 minutes' }).click()
    await app.scene.restart()
    await until(
      async () => ((await app.scene.get('/api/pauses')) as { pauses: unknown[] }).pauses.length,
      (count) => count === 1,
    )
    await page.getByRole('button', { name: 'End this pause' }).click({ timeout: 30_000 })
    await until(
      async () => ((await app.scene.get('/api/pauses')) as { pauses: unknown[] }).pauses.length,
      (count) => count === 0,
    )
  })
  it('recovers by itself from an answer that failed once', async () => {
    let failures = 2
    const page = await visit('/learnings', (tab) =>
      tab.route(/\/api\/learnings/, (route) =>
        failures-- > 0 ? route.fulfill({ status: 500, body: 'no' }) : route.fallback(),
      ),
    )
    await page.getByText('Money is kept as integers').first().waitFor({ timeout: 40_000 })
    expect(await page.locator('.note.wrong').count()).toBe(0)
  })
  it('waits on a slow network, and the page does not jump when it comes', async () => {
    const page = await visit('/features', async (tab) => {
      await serveFeatures(tab, copies(500, DONE))
      await tab.route(/\/api\/sessions\?/, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 1_200))
        await route.fallback()
      })
    })
    await page.locator('.skeleton').first().waitFor()
    const before = (await page.locator('#main [aria-busy=true]').boundingBox())!
    await page.getByRole('list', { name: 'Features' }).waitFor()
    const after = (await page.getByRole('list', { name: 'Features' }).boundingBox())!
    // The placeholder's box begins with its first line, the list with the gap above it.
    expect(Math.abs(after.y - before.y)).toBeLessThan(20)
  })
  it('is let out while a word is half written, and keeps it', async () => {
    const context = await app.browser.newContext({ reducedMotion: 'reduce' })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    await page.goto(`${app.scene.url}/icon.svg`)
    await context.addCookies(await contexts.desk.cookies())
    await page.goto(`${app.scene.url}/features/new`)
    await page.getByLabel('Title').fill('Half a title')
    await context.clearCookies()
    await page
      .getByRole('link', { name: /^Memory/ })
      .first()
      .click()
    await page
      .getByText(/no longer knows this browser|does not know this browser/)
      .first()
      .waitFor({ timeout: 30_000 })
    await page.reload()
    await page.getByText('grove open').waitFor()
    await context.addCookies(await contexts.desk.cookies())
    await page.goto(`${app.scene.url}/features/new`)
    expect(await page.getByLabel('Title').inputValue()).toBe('Half a title')
  })
  it('is told by the system, if the browser may', async () => {
    const page = await visit('/settings', async (tab) => {
      await tab.addInitScript(`
        window.told = []
        window.Notification = class { static permission = 'granted'; static async requestPermission() { return 'granted' } constructor(title, options) { window.told.push([title, options?.body ?? '']) } close() {} addEventListener() {} }
        Object.defineProperty(document, 'hidden', { get: () => true })
        Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
        document.hasFocus = () => false
      `)
    })
    await page.getByLabel(/Notify me/).check()
    await app.scene.grove('intent', 'select', 'INT-014', '--session', AGENT)
    const asked = app.scene.hook('pre-tool-use', {
      session_id: AGENT,
      hook_event_name: 'PreToolUse',
      cwd: app.scene.dir,
      tool_name: 'Write',
      tool_input: { file_path: join(app.scene.dir, 'src/invoice/told.ts'), content: 'x' },
      tool_use_id: 'toolu_told_1',
    })
    asked.catch(() => {})
    await until(
      () => page.evaluate<string>('JSON.stringify(window.told)'),
      (told) => told.includes('src/invoice/told.ts'),
    )
    await page.goto(`${app.scene.url}/inbox`)
    await page.getByRole('button', { name: 'Allow this once' }).click()
    await asked
  })
  it.each([
    '/memory/%00',
    '/agents/..%2F..%2Fetc',
    '/intents/%3Cscript%3E',
    `/features/p/${'x'.repeat(3_000)}`,
    '/features/ä/日本語/story',
    '/features/p/f/nothing',
    '/learnings/%F0%9F%8C%B2',
    '/inbox#nowhere',
    '/features?q=%22%3E%3Cimg%20src%3Dx%3E&show=all&sort=stage',
    '/memory?q=%E2%80%AE&project=none',
  ])('follows the odd link %s to a page with a way on', async (path) => {
    const page = await visit(path)
    expect(await page.getByText('This view failed').count()).toBe(0)
    expect(await page.locator('#main img').count()).toBe(0)
    await page
      .getByRole('link', { name: /^Inbox/ })
      .first()
      .waitFor()
    expect(await tooWide(page, [1440, 360])).toEqual([])
  })
  it('has a clock that is a day behind, and every age is right', async () => {
    const page = await visit('/memory', (tab) =>
      tab.addInitScript('{ const real = Date.now; Date.now = () => real() - 86_400_000 }'),
    )
    await page.getByText('Why sign-in uses opaque').first().waitFor()
    await until(
      () => page.locator('.hit', { hasText: 'Two tabs, one cookie' }).innerText(),
      (text) => text.includes('18 d'),
    )
  })
})
