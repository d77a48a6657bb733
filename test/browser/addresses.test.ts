import { describe, expect, it, onTestFinished } from 'vitest'
import { launchChromium } from './support/chromium.ts'
import { FEATURES } from './support/edge-features/features.ts'
import { copies, withFreshPages } from './support/fresh-pages.ts'
import { AGENT } from './support/scene.ts'

const { app, write, visit, served } = withFreshPages()

describe('addresses', () => {
  it.each([
    ['/agents/nobody', 'is not here'],
    ['/memory/nothing', 'cannot be shown'],
    ['/features/no/such', 'is not here'],
    ['/intents/INT-999', 'INT-999'],
    ['/settings/nothing', 'Settings'],
    ['/insights?days=400', '30 days'],
    ['/features?show=constructor&sort=__proto__', 'Features'],
  ])('%s leads somewhere', async (path, words) => {
    const page = await visit(path)
    await page.getByText(words).first().waitFor()
    expect(await page.getByText('This view failed').count()).toBe(0)
  })
  it.each(['/features/%E0%A4%A', '/features/a/%', '/agents/%zz', '/memory/%FF%FE', '/inbox/%', '/settings/%c3?q=%'])(
    '%s, whose percent signs spell nothing, shows a page',
    async (path) => {
      const page = await visit(path)
      expect(await page.getByText('This view failed').count()).toBe(0)
      await page
        .getByRole('link', { name: /^Inbox/ })
        .first()
        .click()
      await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    },
  )
  it('a learning that is not in the list leaves a way back on a phone', async () => {
    const page = await visit('/learnings/nothing')
    await page.setViewportSize({ width: 390, height: 800 })
    await page.getByRole('link', { name: 'All learnings' }).waitFor()
  })
  it('back and forward go through tabs, filters and places', async () => {
    const page = await served('/features')
    await page.getByRole('tab', { name: /^Active/ }).click()
    await page.getByRole('link', { name: FEATURES.review.summary.title }).click()
    await page.getByRole('tab', { name: 'Output' }).click()
    await page.waitForURL(/output$/)
    await page.goBack()
    await page.goBack()
    await page.waitForURL(/features\?show=active$/)
    expect(await page.getByRole('tab', { name: /^Active/ }).getAttribute('aria-selected')).toBe('true')
    await page.goForward()
    await page.goForward()
    await page.getByLabel('Search the output').waitFor()
  })
  it('a search does not fill the history with every letter', async () => {
    const page = await visit('/memory')
    await page.goto(`${app.scene.url}/agents`)
    await page
      .getByRole('link', { name: /^Memory/ })
      .first()
      .click()
    await page.getByLabel('Search memories').pressSequentially('refresh')
    await page.waitForURL(/q=refresh/)
    await page.goBack()
    await page.waitForURL(/\/agents$/)
  })
  it('another page begins at its top, and the focus is in it', async () => {
    const many = copies(100, FEATURES.implementing)
    const page = await served('/features', many)
    await page.getByText('Feature number').first().waitFor()
    await page.evaluate('window.scrollTo(0, 3000)')
    await page.keyboard.press('n')
    await page.getByLabel('Title').waitFor()
    expect(await page.evaluate<number>('window.scrollY')).toBe(0)
    await page.goto(`${app.scene.url}/features`)
    const link = page.getByRole('link', { name: 'Feature number 0', exact: true })
    await link.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Feature number 0' }).waitFor()
    expect(await page.evaluate<string>('document.activeElement.id')).toBe('main')
  })
})

describe('over the network of the house', () => {
  it('answers, starts and copies where the browser trusts the address less', async () => {
    const browser = await launchChromium('--host-resolver-rules=MAP grove.test 127.0.0.1')
    onTestFinished(() => browser.close())
    const context = await browser.newContext({ reducedMotion: 'reduce' })
    context.setDefaultTimeout(15_000)
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(error.message))
    const house = (address: string) => address.replace('127.0.0.1', 'grove.test').replace('localhost', 'grove.test')
    const asked = write('src/invoice/h1.ts')
    await page.goto(house(app.scene.link))
    expect(await page.evaluate('isSecureContext')).toBe(false)
    await page.getByRole('button', { name: 'Allow this once' }).click()
    await page.getByText('Allowed. The agent goes on.').waitFor()
    await asked
    await page.goto(`${house(app.scene.url)}/features/new`)
    await page.getByLabel('Title').waitFor()
    await page.goto(`${house(app.scene.url)}/agents/${AGENT}`)
    await page.goto(`${house(app.scene.url)}/settings/team`)
    await page.getByRole('button', { name: 'Copy' }).first().click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(complaints).toEqual([])
  })
  it('a copy that the browser forbids says so', async () => {
    const page = await visit('/settings/team', (tab) =>
      tab.addInitScript(
        "navigator.clipboard.writeText = () => Promise.reject(new Error('no')); document.execCommand = () => false",
      ),
    )
    await page.getByRole('button', { name: 'Copy' }).first().click()
    await page.getByText(/could not be copied/).waitFor()
    expect(page.complaints).toEqual([])
  })
  it('an export that fails says so', async () => {
    const page = await visit('/memory')
    await page.getByRole('button', { name: /^Export/ }).waitFor()
    await page.route(/\/api\/memories/, (route) => route.fulfill({ status: 500, body: '' }))
    await page.getByRole('button', { name: /^Export/ }).click()
    await page.locator('.toast').waitFor()
    expect(page.complaints).toEqual([])
  })
})
