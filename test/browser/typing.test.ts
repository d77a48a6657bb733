import { describe, expect, it } from 'vitest'
import { FEATURES } from './support/edge-features/features.ts'
import { feature } from './support/edge-features/session.ts'
import { addressOf, withFreshPages } from './support/fresh-pages.ts'

const { write, visit, served } = withFreshPages()

describe('typing survives a reload', () => {
  it('in a comment on a line of the plan', async () => {
    const page = await served(`${addressOf(FEATURES.review)}?view=tree`)
    await page.locator('.say').first().click()
    await page.locator('.thread textarea').fill('half a thought')
    await page.reload()
    await page.locator('.say').first().waitFor()
    if ((await page.locator('.thread textarea').count()) === 0) await page.locator('.say').first().click()
    expect(await page.locator('.thread textarea').inputValue()).toBe('half a thought')
  })
  it('in a comment on a line of code, also after Escape', async () => {
    const page = await served(addressOf(FEATURES.review, '/changes'))
    await page
      .getByRole('button', { name: /^Comment on line/ })
      .first()
      .click()
    await page.locator('.diff-comment textarea').fill('half a thought')
    await page.keyboard.press('Escape')
    await page
      .getByRole('button', { name: /^Comment on line/ })
      .first()
      .click()
    expect(await page.locator('.diff-comment textarea').inputValue()).toBe('half a thought')
  })
  it('in a criterion of one’s own that was not added yet', async () => {
    const page = await visit('/features/new')
    await page.getByLabel('Another criterion').fill('half a crit')
    await page.reload()
    await page.getByLabel('Another criterion').waitFor()
    expect(await page.getByLabel('Another criterion').inputValue()).toBe('half a crit')
  })
  it('in the last word, with the choice that it belongs to', async () => {
    const final = feature('final', 'Final', 6, { summary: { waiting: [] }, actions: ['final_approval'] })
    const page = await served(addressOf(final), [final])
    await page.getByLabel('Change the plan').check()
    await page.getByLabel(/What should change/).fill('smaller')
    await page.reload()
    await page.getByText('the last word is yours').waitFor()
    expect(await page.getByLabel(/What should change/).inputValue()).toBe('smaller')
  })
  it('in guidance for a feature that stopped, with the choice', async () => {
    const page = await served(addressOf(FEATURES.breaker))
    await page
      .getByLabel(/guidance/i)
      .first()
      .check()
    await page.getByLabel('What to tell Claude').fill('look there')
    await page.reload()
    await page.getByText('Claude is stuck').waitFor()
    expect(await page.getByLabel('What to tell Claude').inputValue()).toBe('look there')
  })
  it('in the name', async () => {
    const page = await visit('/settings/team')
    await page.getByLabel('Your name').fill('Ro')
    await page.reload()
    await page.getByLabel('Your name').waitFor()
    expect(await page.getByLabel('Your name').inputValue()).toBe('Ro')
  })
  it('in every field of the form', async () => {
    const page = await visit('/features/new')
    const typed = {
      Title: 'T',
      'Project folder': '/p',
      Description: 'D',
      'Technical notes': 'N',
      'Affected files': 'a.ts',
    }
    for (const [label, text] of Object.entries(typed)) await page.getByLabel(label).fill(text)
    await page.getByText('Branch and workplace').click()
    await page.getByLabel('Feature branch').fill('b')
    await page.getByLabel('Recommended reviews').fill('7')
    await page.reload()
    for (const [label, text] of Object.entries({ ...typed, 'Feature branch': 'b', 'Recommended reviews': '7' }))
      expect(await page.getByLabel(label).inputValue()).toBe(text)
  })
  it('in the editor of a memory and of a learning', async () => {
    const page = await visit('/memory/mem_1')
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Goal').fill('other words')
    await page.reload()
    await page.getByRole('button', { name: 'Edit' }).click()
    expect(await page.getByLabel('Goal').inputValue()).toBe('other words')
  })
  it('in a message to Claude', async () => {
    const page = await served(addressOf(FEATURES.implementing, '/conversation'))
    await page.getByLabel('Say something to Claude').fill('wait')
    await page.reload()
    await page.getByLabel('Say something to Claude').waitFor()
    expect(await page.getByLabel('Say something to Claude').inputValue()).toBe('wait')
  })
  it('in a word to an agent whose request the server could not take', async () => {
    void write('src/invoice/n10.ts')
    const page = await visit('/inbox')
    await page.route(/\/api\/approvals\/[^/]+$/, (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 500, body: 'oops' }) : route.fallback(),
    )
    await page.getByRole('button', { name: 'Refuse and say why' }).click()
    await page.getByLabel('A word to the agent').fill('a long reason')
    await page.getByRole('button', { name: /Refuse with this word/ }).click()
    await page
      .getByText(/was refused|could not/)
      .first()
      .waitFor()
    expect(await page.getByLabel('A word to the agent').inputValue()).toBe('a long reason')
    await page.unrouteAll()
  })
})
