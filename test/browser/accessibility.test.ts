import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { SessionSnapshot } from '../../src/protocol/api/sessions.ts'
import { until } from './support/app.ts'
import { tooWide } from './support/axe.ts'
import { serveFeatures } from './support/edge.ts'
import { FEATURES } from './support/edge-features/features.ts'
import { addressOf, allFeatures, withFreshPages } from './support/fresh-pages.ts'
import { AGENT } from './support/scene.ts'

const { app, open, write, visit, served } = withFreshPages()

describe('without a mouse, without eyes', () => {
  it('the first Tab leads past the rail', async () => {
    const page = await visit('/inbox')
    await page.keyboard.press('Tab')
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Skip to the page')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await page.evaluate<boolean>("document.getElementById('main').contains(document.activeElement)")).toBe(true)
  })
  it('a dialog that a menu opened gives the focus back to its button, and Escape closes one thing at a time', async () => {
    const page = await served(addressOf(FEATURES.breaker))
    const menu = page.getByRole('button', { name: 'More about this feature' })
    await menu.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: /Roll back/ }).press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await until(() => menu.evaluate((element) => element === element.ownerDocument.activeElement), Boolean)
  })
  it('letters in an open menu are the menu’s, not the page’s', async () => {
    const page = await served('/features')
    await page
      .getByRole('button', { name: /^More about/ })
      .first()
      .click()
    const menu = page.getByRole('menu')
    await menu.waitFor()
    // On the page behind it, they would start a feature.
    await page.keyboard.press('n')
    await page.keyboard.press('c')
    await page.keyboard.press('f')
    expect(await menu.isVisible()).toBe(true)
    expect(new URL(page.url()).pathname).toBe('/features')
  })
  it('every dialog can be closed without a key', async () => {
    const page = await visit('/inbox')
    await page.setViewportSize({ width: 390, height: 800 })
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })
  it('a lost connection is told once, not every second', async () => {
    const page = await visit('/inbox', (tab) => tab.routeWebSocket(/\/ws/, (socket) => socket.close()))
    await page.getByText(/Reconnecting|Connection lost/).waitFor()
    const told = await page.evaluate<number>(`new Promise((resolve) => {
      let count = 0
      const seen = new MutationObserver((list) => { count += list.filter(({ target }) => (target.parentElement ?? target).closest('[role=status],[aria-live=polite],[role=alert]')).length })
      seen.observe(document.body, { subtree: true, childList: true, characterData: true })
      setTimeout(() => resolve(count), 4500)
    })`)
    expect(told).toBeLessThan(3)
  })
  it('what newly waits is told to a screen reader', async () => {
    const page = await visit('/agents')
    void write('src/invoice/l1.ts')
    await page.locator('[aria-live]', { hasText: /1 thing waits/ }).waitFor({ state: 'attached' })
  })
  it('an undo is a key away', async () => {
    const page = await visit('/memory/mem_4')
    await page.getByRole('button', { name: 'More about this memory' }).click()
    await page.getByRole('menuitem', { name: /Delete/ }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await page.keyboard.press('z')
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
    expect(await page.evaluate<string>("localStorage.getItem('grove.outbox') ?? '[]'")).toBe('[]')
  })
  it('paper shows all of a memory, and nothing of the rail', async () => {
    const page = await visit('/memory/mem_0')
    await page.getByText('SHA-256 of the token').first().waitFor()
    await page.setViewportSize({ width: 1000, height: 300 })
    await page.emulateMedia({ media: 'print' })
    const cut = await page.locator('.detail').evaluate((box) => box.scrollHeight - box.clientHeight)
    expect(cut).toBeLessThan(2)
    expect(await page.locator('.rail').isVisible()).toBe(false)
  })
  it('paper shows all of a feature, one part below the other', async () => {
    const page = await served(addressOf(FEATURES.review))
    await page.getByRole('heading', { name: FEATURES.review.summary.title }).waitFor()
    await page.setViewportSize({ width: 1000, height: 300 })
    await page.emulateMedia({ media: 'print' })
    const cut = await page.locator('.feature').evaluate((box) => box.scrollHeight - box.clientHeight)
    expect(cut).toBeLessThan(2)
  })
  it('at 200 % of a small window a question can be read and answered', async () => {
    const page = await served(addressOf(FEATURES.review))
    await page.setViewportSize({ width: 720, height: 400 })
    const send = page.getByRole('button', { name: /^Send/ })
    await send.scrollIntoViewIfNeeded()
    const body = (await page.locator('.band.waits .band-body').boundingBox())!
    expect(body.height).toBeGreaterThan(120)
  })
  it('beside a phone’s keyboard the field that one writes in is not covered', async () => {
    const page = await visit('/features/new')
    await page.setViewportSize({ width: 390, height: 380 })
    for (const label of ['Title', 'Project folder', 'Description', 'Affected files', 'Technical notes']) {
      const field = page.getByLabel(label)
      await field.focus()
      await page.keyboard.type('ab')
      const isSeen = () =>
        field.evaluate((one) => {
          const { left, top } = one.getBoundingClientRect()
          return one.ownerDocument.elementFromPoint(left + 20, top + 16) === one
        })
      await until(isSeen, Boolean)
    }
  })
  it('from right to left no place is too wide, and the rail is at the right', async () => {
    const page = await visit('/inbox')
    for (const place of [
      'inbox',
      'features',
      'features/new',
      'agents',
      'memory',
      'learnings',
      'intents',
      'insights',
      'settings',
    ]) {
      await page.goto(`${app.scene.url}/${place}`)
      await page.locator('h1:visible').first().waitFor()
      await page.evaluate("document.documentElement.dir = 'rtl'")
      expect([place, await tooWide(page, [360, 1280])]).toEqual([place, []])
      expect((await page.locator('.rail').boundingBox())!.x).toBeGreaterThan(900)
    }
  })
  it('says that the browser forbids notifications instead of promising them', async () => {
    const page = await visit('/settings', (tab) =>
      tab.addInitScript(
        "Object.defineProperty(Notification, 'permission', { get: () => 'denied' }); Notification.requestPermission = async () => 'denied'",
      ),
    )
    await page.getByLabel(/Notify me/).click()
    await page.getByText('The browser forbids notifications').waitFor()
    expect(await page.getByLabel(/Notify me/).isChecked()).toBe(false)
  })
  it('an error of a field belongs to the field', async () => {
    const page = await visit('/features/new')
    await page.getByRole('button', { name: /Start discovery/ }).click()
    const described = await page.getByLabel('Title').evaluate((field) => {
      const id = field.getAttribute('aria-describedby')
      return id ? (field.ownerDocument.getElementById(id)?.textContent ?? '') : ''
    })
    expect(described).not.toBe('')
  })
})

describe('a phone in one hand', () => {
  let phone: BrowserContext
  beforeAll(async () => {
    phone = await app.browser.newContext({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      reducedMotion: 'reduce',
    })
    phone.setDefaultTimeout(30_000)
    const first = await phone.newPage()
    await first.goto(app.scene.link)
    await first.close()
  })
  const touch = async (path: string, list: SessionSnapshot[] = allFeatures) => {
    const page = await open(phone, path, (tab) => serveFeatures(tab, list))
    onTestFinished(() => page.close())
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    return page
  }
  /** What the page keeps free for a line of the system at its bottom, and for a notch at its sides. */
  const keepFree = async (page: Page, insets: { bottom?: number; left?: number }) => {
    const client = await phone.newCDPSession(page)
    await client.send('Emulation.setSafeAreaInsetsOverride' as never, { insets } as never)
  }

  it('opens an item of the inbox wherever it is touched, and its link where the link is', async () => {
    const page = await touch('/inbox', [FEATURES.breaker, FEATURES.review])
    const item = page.locator('.item').first()
    await item.locator('.title').tap()
    await page.locator('.item.open').waitFor()
    await item.locator('.title').tap()
    await page.locator('.item.open').waitFor({ state: 'detached' })
    const { x, y, width, height } = (await item.boundingBox())!
    await page.touchscreen.tap(x + width - 24, y + height / 2)
    await page.locator('.item.open').waitFor()
    await page.locator('.item:not(.open) .facts a').first().tap()
    await page.waitForURL(/features\//)
  })
  it('gives what looks small room for a thumb', async () => {
    for (const [path, what] of [
      [`${addressOf(FEATURES.review)}?view=tree`, '.say, .tree-step .toggle, .stages > a, .link'],
      [addressOf(FEATURES.review), '.link, .facts a, summary'],
      [`/agents/${AGENT}`, '.link'],
      ['/intents/INT-014', '.scope-row .toggle'],
    ] as const) {
      const page = await touch(path)
      await page.locator(what).locator('visible=true').first().waitFor()
      // Above and below the middle, as far as a thumb of 40 px reaches.
      const missed = await page.locator(what).evaluateAll((all) =>
        all
          .filter((one) => one.checkVisibility() && one.getBoundingClientRect().width > 1)
          .filter((one) => {
            one.scrollIntoView({ block: 'center' })
            const { left, top, width, height } = one.getBoundingClientRect()
            const reach = Math.max(0, 19 - height / 2)
            const hit = (y: number) => {
              const there = one.ownerDocument.elementFromPoint(left + width / 2, y)
              return there && (one.contains(there) || there.closest('button, a, summary'))
            }
            return !hit(top - reach) && !hit(top + height + reach)
          })
          .map((one) => `${one.className} ${one.textContent}`),
      )
      expect([path, missed]).toEqual([path, []])
    }
  })
  it('opens what is folded by its words', async () => {
    const page = await touch('/features/new', [])
    await page.getByText('Branch and workplace').tap()
    await page.getByLabel('Base branch').waitFor()
  })
  it('shows the button above the bar and above the line of the system', async () => {
    const page = await touch(addressOf(FEATURES.review))
    await keepFree(page, { bottom: 34 })
    const rail = (await page.locator('.rail').boundingBox())!
    expect(rail.height).toBe(56 + 34)
    const foot = (await page.locator('.band-foot').boundingBox())!
    expect(foot.y + foot.height).toBeLessThanOrEqual(rail.y + 1)
  })
  it('held sideways it reaches every place, and nothing is under the notch', async () => {
    const page = await touch('/inbox')
    await page.setViewportSize({ width: 844, height: 390 })
    await keepFree(page, { left: 47 })
    expect((await page.locator('.rail').boundingBox())!.x).toBe(47)
    const last = (await page.getByRole('link', { name: 'Settings' }).boundingBox())!
    expect(last.y + last.height).toBeLessThanOrEqual(390)
  })
  it('reads the whole line of a change without going sideways', async () => {
    const page = await touch(addressOf(FEATURES.prReview, '/changes'))
    const lines = page.locator('.diff-code')
    await lines.first().waitFor()
    const beside = await lines.evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth))
    expect(Math.max(...beside)).toBe(0)
  })
  it('can be installed', async () => {
    const page = await touch('/inbox', [])
    const client = await phone.newCDPSession(page)
    const { installabilityErrors } = await client.send('Page.getInstallabilityErrors')
    expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([])
  })
})
