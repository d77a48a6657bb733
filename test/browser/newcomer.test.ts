import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { withApp } from './support/app.ts'
import { PLACES } from './support/places.ts'

/** A person who has nothing yet. */

const { person, open } = withApp({ isEmpty: true })
const visit = async (path: string) => open(await person(onTestFinished), path)

const focused = (page: Page) =>
  page.evaluate<string>(
    "document.activeElement.textContent + '|' + (document.activeElement.getAttribute('aria-label') ?? '')",
  )

describe('a new user, who has nothing', () => {
  it('is told in the inbox how to begin, and can reach it by keyboard', async () => {
    const page = await visit('/inbox')
    await page.getByText('grove claude').waitFor()
    for (let press = 0; press < 40 && !(await focused(page)).startsWith('describe a feature'); press++)
      await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'New feature' }).waitFor()
  })
  it.each(PLACES)('%s counts no nothing, and says what to do', async (path) => {
    const page = await visit(path)
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    const text = await page.locator('#main').innerText()
    expect(text).not.toMatch(/\b0 \w+ in 0\b|\$0\.00/)
    if (path !== '/settings') expect(await page.locator('#main .empty').count()).toBeGreaterThan(0)
    expect(page.complaints).toEqual([])
  })
  it('sees one main button, not two, where there is no feature', async () => {
    const page = await visit('/features')
    await page.getByText('No features yet.').waitFor()
    expect(await page.locator('#main .button.primary').count()).toBe(1)
  })
  it('goes through the form in the order in which it is read', async () => {
    const page = await visit('/features/new')
    await page.getByLabel('Title').focus()
    const seen: string[] = []
    for (let press = 0; press < 3; press++) {
      seen.push(await page.evaluate<string>('document.activeElement.id'))
      await page.keyboard.press('Tab')
    }
    expect(seen).toEqual(['title', 'projectPath', 'description'])
  })
  it('finds nothing in the palette, and is told so', async () => {
    const page = await visit('/inbox')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('qqqqzzzz')
    await page
      .getByRole('dialog')
      .getByText(/nothing|no /i)
      .waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })
  it('learns why nothing can be imported yet', async () => {
    const page = await visit('/memory')
    const button = page.getByRole('button', { name: /Import/ })
    await button.waitFor()
    if (await button.isDisabled()) await page.getByText(/knows no project/).waitFor()
  })
})
