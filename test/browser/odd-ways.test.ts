import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { until } from './support/app.ts'
import { tooWide } from './support/axe.ts'
import { serveFeatures } from './support/edge.ts'
import { FEATURES } from './support/edge-features/features.ts'
import { feature } from './support/edge-features/session.ts'
import { tabTo } from './support/keyboard.ts'
import { at, withVisitor } from './support/visitor.ts'

/** Other machines and settings: a Mac, a chosen theme, wider letters, 400 %, a phone that is turned; and where the focus goes. */

const { app, contexts, visit, another, served, touched } = withVisitor()
const isOnBody = (page: Page) => page.evaluate<boolean>('document.activeElement === document.body')

describe('the focus', () => {
  it('goes back to the button when an editor is closed', async () => {
    const page = await visit('/memory/mem_0')
    const edit = page.getByRole('button', { name: 'Edit' })
    await tabTo(page, edit)
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('button', { name: 'Close', exact: true }))
    await page.keyboard.press('Enter')
    await edit.waitFor()
    expect(await isOnBody(page)).toBe(false)
  })
  it('is in an editor that a key has opened', async () => {
    const page = await visit('/learnings')
    await page.locator('.list a').first().click()
    await tabTo(page, page.getByRole('button', { name: 'Edit' }))
    await page.keyboard.press('Enter')
    await page.getByLabel('Summary').waitFor()
    expect(await page.evaluate("document.activeElement.id || ''")).toBe('summary')
  })
  it('stays in the page when the memory that had it is deleted', async () => {
    const page = await visit('/memory/mem_1')
    await tabTo(page, page.getByRole('button', { name: 'More about this memory' }))
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: /Delete/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await page.keyboard.press('Tab')
    expect(await isOnBody(page)).toBe(false)
    await page.getByRole('button', { name: 'Undo' }).click()
  })
  it('and its words survive turning the phone', async () => {
    const { page } = await touched(at(FEATURES.checksFailed), [FEATURES.checksFailed])
    const field = page.getByLabel('What to tell Claude')
    await field.tap()
    await page.keyboard.type('Look at the label width')
    await page.setViewportSize({ width: 844, height: 390 })
    await page.waitForTimeout(300)
    await page.keyboard.type(' first')
    expect(await field.inputValue()).toBe('Look at the label width first')
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await field.inputValue()).toBe('Look at the label width first')
  })
  it('goes through a feature as it is read: the head, the plan, what waits, what happened', async () => {
    const { page } = await served(at(FEATURES.review), [FEATURES.review])
    await page.locator('.waits').waitFor()
    const seen: string[] = []
    for (let press = 0; press < 90; press++) {
      await page.keyboard.press('Tab')
      const place = await page.evaluate<string>(
        "(document.activeElement.closest('.rail, header, .stages, .waits, .foot, .band')?.className ?? '').split(' ').slice(0, 2).join(' ')",
      )
      if (place && seen.at(-1) !== place) seen.push(place)
    }
    expect(seen.slice(0, 5)).toEqual(['rail', 'stages', 'band plan', 'band waits', 'foot'])
  })
})

describe('other settings', () => {
  it('a Mac is shown its own key', async () => {
    const { page } = await served(at(FEATURES.breaker), [FEATURES.breaker])
    await page.addInitScript("Object.defineProperty(navigator, 'platform', { get: () => 'MacIntel' })")
    await page.reload()
    await page.locator('.waits .button.primary').waitFor()
    expect(await page.locator('.waits .button.primary').innerText()).toMatch(/⌘/)
    await page.keyboard.press('?')
    expect(await page.getByRole('dialog').innerText()).toContain('⌘')
  })
  it('the bar of the system has the colour of the theme that was chosen', async () => {
    const page = await visit('/settings')
    await page.emulateMedia({ colorScheme: 'light' })
    const bar = () =>
      page.evaluate<string>(
        "[...document.querySelectorAll('meta[name=theme-color]')].find((one) => !one.media || matchMedia(one.media).matches).content",
      )
    const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    const asRgb = (hex: string) =>
      `rgb(${[1, 3, 5].map((from) => Number.parseInt(hex.slice(from, from + 2), 16)).join(', ')})`
    expect(asRgb(await bar())).toBe(await ground())
    await page.getByText('Dark', { exact: true }).click()
    expect(asRgb(await bar())).toBe(await ground())
    await page.reload()
    await page.getByText('Dark', { exact: true }).waitFor()
    expect(asRgb(await bar())).toBe(await ground())
    await page.getByText('As the system', { exact: true }).click()
    expect(asRgb(await bar())).toBe(await ground())
  })
  it.each([
    '/inbox',
    '/features',
    '/features/new',
    '/agents',
    '/memory/mem_0',
    '/learnings',
    '/settings/configuration',
    at(FEATURES.review),
    at(FEATURES.breaker),
  ])('%s holds wider letters and lines', async (path) => {
    const { page } = await served(path, [FEATURES.review, FEATURES.breaker, FEATURES.expired])
    await page.locator('[aria-busy]').first().waitFor({ state: 'detached' })
    await page.addStyleTag({ url: `${app.scene.url}/no-such-style.css` }).catch(() => {})
    await page.evaluate(`for (const one of document.querySelectorAll('body *')) {
        one.style.lineHeight = '1.5'; one.style.letterSpacing = '0.12em'; one.style.wordSpacing = '0.16em' }`)
    expect(await tooWide(page, [1440, 390])).toEqual([])
    const cut = await page.evaluate<string[]>(`[...document.querySelectorAll('.button, .segments > *, h1, h2')]
        .filter((one) => one.checkVisibility() && one.clientWidth > 1 && !one.matches('.two-lines, .cut'))
        .filter((one) => getComputedStyle(one).overflow === 'hidden' && (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1))
        .map((one) => one.textContent)`)
    expect(cut).toEqual([])
  })
  it('at 400 % a question can be read and sent', async () => {
    const { page, sent } = await served(at(FEATURES.review), [FEATURES.review])
    await page.setViewportSize({ width: 320, height: 256 })
    expect(await tooWide(page, [320])).toEqual([])
    const send = page.getByRole('button', { name: /^Send 2 answers/ })
    await send.scrollIntoViewIfNeeded()
    await send.click()
    await until(
      async () => sent,
      (all) => all.length > 0,
    )
  })
  it('large sums and long times are read at a glance', async () => {
    const long = feature('long', 'A feature of weeks', 3, {
      summary: { costUsd: 12_345.5, createdAt: new Date(Date.now() - 20 * 86_400_000).toISOString() },
    })
    const { page } = await served(at(long), [long])
    await page.getByText('$12,345.50').first().waitFor()
    await page.getByText('20 d', { exact: true }).first().waitFor()
  })
})

describe('what is pasted', () => {
  it.each([
    ['/learnings', 'Detail', 3_000],
    ['/learnings', 'Summary', 300],
  ])('in %s, as %s, keeps its end, and the page says when it is too much', async (path, label, length) => {
    const page = await visit(path)
    await page.locator('.list a').first().click()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel(label).focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText('x'.repeat(length))
    expect((await page.getByLabel(label).inputValue()).length).toBe(length)
    await page.getByText(/too many/).waitFor()
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true)
  })
  it('as the name of a feature keeps its end, and is refused in words', async () => {
    const { page } = await served('/features/new', [FEATURES.clean])
    await page.getByLabel('Title').focus()
    await page.keyboard.insertText('x'.repeat(400))
    await page.getByRole('button', { name: /Start discovery/ }).click()
    await page.getByText(/200/).first().waitFor()
    expect((await page.getByLabel('Title').inputValue()).length).toBeGreaterThan(200)
  })
})

describe('two tabs', () => {
  it('know at once that Grove is paused', async () => {
    const page = await visit('/settings')
    const second = await another('/settings')
    await second.getByRole('button', { name: 'for 15 minutes' }).waitFor()
    await page.getByRole('button', { name: 'for 15 minutes' }).click()
    await second
      .getByRole('button', { name: /Resume|End|Go on/ })
      .first()
      .waitFor()
    await page
      .getByRole('button', { name: /Resume|End|Go on/ })
      .first()
      .click()
    await second
      .getByRole('button', { name: /Resume|End|Go on/ })
      .first()
      .waitFor({ state: 'detached' })
  })
  it('let in together: the link opened in one lets the other go on', async () => {
    const context = await app.browser.newContext({ reducedMotion: 'reduce' })
    try {
      const page = await context.newPage()
      await page.goto(`${app.scene.url}/memory`)
      await page.getByText('Grove does not know this browser').waitFor()
      const second = await context.newPage()
      await second.goto(app.scene.link)
      await second.getByRole('heading', { name: 'Inbox' }).waitFor()
      await page.reload()
      await page.getByRole('heading', { name: 'Memory' }).waitFor()
    } finally {
      await context.close()
    }
  })
})

describe('links into a page', () => {
  it('to a file of the changes show that file', async () => {
    const { page } = await served(at(FEATURES.review, '/changes#file-migrations%2F0043_families.sql'), [
      FEATURES.review,
    ])
    const file = page.getByLabel('Changes in migrations/0043_families.sql')
    await file.waitFor()
    await until(
      () => file.evaluate((one) => one.getBoundingClientRect().top < (one.ownerDocument.defaultView?.innerHeight ?? 0)),
      (isSeen) => isSeen,
    )
  })
  it('to a step of the plan show that step', async () => {
    const { page } = await served(at(FEATURES.review, '?view=tree#step-3'), [FEATURES.review])
    await page.locator('[id="step-3"]').waitFor()
    await until(
      () =>
        page.evaluate<boolean>(`(() => {
          const step = document.getElementById('step-3'), body = step.closest('.band-body').getBoundingClientRect(), box = step.getBoundingClientRect()
          return box.top >= body.top - 1 && box.top < body.bottom })()`),
      (isSeen) => isSeen,
    )
  })
  const inSight = (page: Page, stepId: string) =>
    page.evaluate<boolean>(`(() => {
      const step = document.getElementById('step-${stepId}'), box = step?.getBoundingClientRect()
      const body = step?.closest('.band-body').getBoundingClientRect()
      return step !== null && box.height > 0 && box.top >= body.top - 1 && box.bottom <= body.bottom + 1 })()`)
  const STEPS = 2_000
  const longPlan = feature('long-plan', 'A plan of 2,000 steps', 2, {
    summary: { waiting: FEATURES.review.summary.waiting },
    plan: {
      ...FEATURES.review.plan!,
      steps: Array.from({ length: STEPS }, (_, index) => ({
        ...FEATURES.review.plan!.steps[index % 5]!,
        ...{ id: `${index}`, uid: `u${index}`, orderIndex: index, title: `Step number ${index}` },
        parentId: index % 10 === 0 ? null : `${index - (index % 10)}`,
      })),
    },
    questions: FEATURES.review.questions.map((one) => ({ ...one, stepId: '1777' })),
  })
  it.each(['250', '1003', '1999'])('to step %s of 2,000 show that step', async (id) => {
    const { page } = await served(at(longPlan, `#step-${id}`), [longPlan])
    await until(
      () => inSight(page, id),
      (isSeen) => isSeen,
    )
    // It stays where it is when the rows above it have been measured.
    await page.waitForTimeout(500)
    expect(await inSight(page, id)).toBe(true)
    expect(await page.evaluate<string>('document.activeElement.id')).toBe(`step-${id}`)
  })
  it('to a step lead there again, from a question, also where it was closed and from the board', async () => {
    const { page } = await served(at(longPlan), [longPlan])
    const link = page.getByRole('link', { name: 'step 1777' }).first()
    const seen = async () => {
      await until(
        () => inSight(page, '1777'),
        (isSeen) => isSeen,
      )
    }
    await link.click()
    await seen()
    await page.locator('.band.plan .band-body').evaluate((box) => box.scrollTo(0, 0))
    await until(
      () => inSight(page, '1777'),
      (isSeen) => !isSeen,
    )
    await link.click()
    await seen()
    await page.getByRole('button', { name: 'Close step 1770' }).click()
    await link.click()
    await seen()
    await page.getByRole('tab', { name: 'Board' }).click()
    await link.click()
    await seen()
  })
  it('to a step lead from the inbox, and on a phone, to the plan', async () => {
    const { page } = await touched('/inbox', [longPlan])
    await page.getByRole('button', { name: /2 questions/ }).tap()
    await page.getByRole('link', { name: 'step 1777' }).first().tap()
    await until(
      () => inSight(page, '1777'),
      (isSeen) => isSeen,
    )
  })
  it('back closes what lies over a phone’s page, and nothing stays over the next', async () => {
    const { page } = await touched('/inbox', [FEATURES.review])
    await page.getByRole('button', { name: 'More', exact: true }).tap()
    await page.getByRole('dialog').waitFor()
    await page.getByRole('link', { name: 'Insights' }).tap()
    await page.getByRole('heading', { name: 'Insights' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.goBack()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})

describe('much at once', () => {
  it('fifty things that arrive together are one change for the eye, and the question stays where it is', async () => {
    const { page } = await served('/inbox', [FEATURES.review])
    const item = page.locator('.item.open .title').first()
    const before = (await item.boundingBox())!.y
    const more = Array.from({ length: 50 }, (_, index) =>
      feature(`f${index}`, `Feature ${index}`, 2, { summary: { waiting: FEATURES.clean.summary.waiting } }),
    )
    await page.unrouteAll()
    await serveFeatures(page, [FEATURES.review, ...more])
    await contexts.desk.setOffline(true)
    await contexts.desk.setOffline(false)
    await page
      .getByText(/51 things wait/)
      .first()
      .waitFor()
    expect(Math.abs((await item.boundingBox())!.y - before)).toBeLessThan(4)
    expect(await page.title()).toContain('(51)')
  })
})
