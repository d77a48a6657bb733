import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { until } from './support/app.ts'
import { serveFeatures } from './support/edge.ts'
import { FEATURES } from './support/edge-features/features.ts'
import { FOUR_KINDS } from './support/edge-features/questions.ts'
import { feature } from './support/edge-features/session.ts'
import { tabTo } from './support/keyboard.ts'
import { at, copies, withVisitor } from './support/visitor.ts'

/** Keys, odd timing, two tabs, no network, what is kept from before, back and forward, dialogs over dialogs. */

const { app, contexts, visit, another, served } = withVisitor()
const ASKS = feature('asks', 'Split shipments', 1, {
  questions: FOUR_KINDS,
  summary: { waiting: [{ ...FEATURES.review.summary.waiting[0]!, title: '4 questions', count: 4 }] },
})
const dialogs = (page: Page) => page.getByRole('dialog').count()
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
const focusedName = (page: Page) =>
  page.evaluate<string>("document.activeElement.getAttribute('aria-label') || document.activeElement.textContent")

describe('by keyboard', () => {
  it('answers questions of four kinds, and sends exactly what was chosen', async () => {
    const { page, sent } = await served(at(ASKS), [ASKS])
    await page.getByText('What happens when a refresh token').waitFor()
    await press(page, '2', 'j', '3', '1', 'j', '2', 'j', 'e')
    await page.keyboard.type('You were signed out')
    await press(page, 'Control+Enter')
    await until(
      async () => sent,
      (all) => all.length > 0,
    )
    const answers = sent[0]!.body.answers as { questionId: string; value: unknown }[]
    expect(answers.map(({ questionId, value }) => [questionId, value])).toEqual([
      ['q1', 'second'],
      ['q2', ['new', 'old']],
      ['q3', 'no'],
      ['q4', 'You were signed out'],
    ])
  })
  it('goes from the palette to a feature, through its tabs and back', async () => {
    const { page } = await served('/inbox', copies(30, FEATURES.clean))
    await press(page, 'Control+k')
    await page.keyboard.type('number 27')
    await press(page, 'Enter')
    await page.getByRole('heading', { name: 'Feature number 27' }).waitFor()
    await press(page, ']')
    await page.waitForURL(/output$/)
    await press(page, '[', 'g', 'f')
    await page.getByRole('heading', { name: 'Features', exact: true }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Feature number 27' }).waitFor()
  })
  it('opens the palette on a keyboard with other letters', async () => {
    const page = await visit('/memory')
    await page.evaluate(
      "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'л', code: 'KeyK', ctrlKey: true, bubbles: true, cancelable: true }))",
    )
    await page.getByRole('dialog').waitFor()
  })
  it('takes no Enter that ends the writing of a word', async () => {
    const page = await visit('/features/new')
    const field = page.getByLabel('Another criterion', { exact: true })
    await field.fill('にほん')
    await field.focus()
    await page.evaluate(
      "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true }))",
    )
    expect(await field.inputValue()).toBe('にほん')
    expect(await page.locator('.criteria > li').count()).toBe(8)
  })
  it('leaves the browser’s own keys to the browser', async () => {
    const { page } = await served('/inbox', [FEATURES.review, FEATURES.clean])
    await page.locator('.item.open').waitFor()
    const taken = await page.evaluate<string[]>(`['c', 's', 'p', 'f', 'l', 'r', '1'].filter((key) =>
      !document.body.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey: true, bubbles: true, cancelable: true })))`)
    expect(taken).toEqual([])
    expect(new URL(page.url()).pathname).toBe('/inbox')
  })
  it('searches memories, opens one, and has its words to itself', async () => {
    const page = await visit('/memory')
    await page.getByText('Two tabs, one cookie').first().waitFor()
    await press(page, '/')
    await page.keyboard.type('jk tabs')
    expect(await page.getByRole('searchbox').inputValue()).toBe('jk tabs')
    await page.getByRole('searchbox').fill('tabs')
    await page.getByText('best first').waitFor()
    const first = page.locator('.list a').first()
    await tabTo(page, first)
    await press(page, 'Enter')
    await page.waitForURL(/\/memory\/mem_/)
  })
  it('Enter in a field of the form starts nothing by accident', async () => {
    const { page, sent } = await served('/features/new', [FEATURES.clean])
    await page.getByLabel('Title').fill('Half a form')
    await page.getByLabel('Title').press('Enter')
    await page.getByLabel('Project folder').fill('/src/billing')
    await page.getByLabel('Project folder').press('Enter')
    await page.waitForTimeout(400)
    expect(sent.filter(({ path }) => path === '/api/sessions')).toEqual([])
    expect(await page.getByLabel('Title').inputValue()).toBe('Half a form')
  })
})

describe('odd timing', () => {
  it('shows what was searched for last, although an earlier answer comes later', async () => {
    const page = await visit('/memory', (tab) =>
      tab.route(/\/api\/memories\/search/, async (route) => {
        if (new URL(route.request().url()).searchParams.get('q') === 'tabs')
          await new Promise((r) => setTimeout(r, 1_200))
        await route.fallback()
      }),
    )
    const search = page.getByRole('searchbox')
    await search.fill('tabs')
    await page.waitForRequest(/q=tabs/)
    await search.fill('tunnels')
    await page.getByText('Handhelds lose their session').first().waitFor()
    await page.waitForTimeout(1_500)
    expect(await page.locator('.list a').first().textContent()).toContain('Handhelds')
  })
  it('sends a pause although the page is left at once', async () => {
    const { page, sent } = await served(at(FEATURES.implementing), [FEATURES.implementing])
    await page.getByRole('button', { name: /^Pause/ }).click()
    await press(page, 'g', 'i')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await until(
      async () => sent.map(({ path }) => path),
      (paths) => paths.some((path) => path.endsWith('/pause')),
    )
    expect(sent).toHaveLength(1)
  })
  it('ends where the last of three hurried clicks leads', async () => {
    const { page } = await served('/inbox', [FEATURES.clean])
    await page.route(/\/api\/(memories|insights)/, async (route) => {
      await new Promise((r) => setTimeout(r, 500))
      await route.fallback()
    })
    for (const place of ['Memory', 'Insights', 'Learnings'])
      await page.getByRole('link', { name: place, exact: true }).click({ noWaitAfter: true })
    await page.getByRole('heading', { name: 'Learnings' }).waitFor()
    await page.waitForTimeout(800)
    expect(new URL(page.url()).pathname).toBe('/learnings')
    expect(page.complaints).toEqual([])
  })
  it('sends a message once, however often Ctrl Enter is hit', async () => {
    const { page, sent } = await served(at(FEATURES.implementing, '/conversation'), [FEATURES.implementing])
    await page.getByPlaceholder(/Say something/).fill('Mind the time zones')
    await press(page, 'Control+Enter', 'Control+Enter', 'Control+Enter')
    await page.waitForTimeout(600)
    expect(sent.filter(({ path }) => path.endsWith('/message'))).toHaveLength(1)
  })
  it('takes back two deletions, each by its own undo', async () => {
    const page = await visit('/memory/mem_1')
    for (const id of ['mem_1', 'mem_2']) {
      await page.goto(`${app.scene.url}/memory/${id}`)
      await page.getByRole('button', { name: 'More about this memory' }).click()
      await page.getByRole('menuitem', { name: /Delete/ }).click()
      await page.getByRole('button', { name: 'Undo' }).first().waitFor()
      await page.getByRole('button', { name: 'Undo' }).first().click()
    }
    for (const id of ['mem_1', 'mem_2']) expect(await app.scene.get(`/api/memories/${id}`)).toMatchObject({ id })
  })
  it('shows the shape of a page while its answer takes five seconds, and takes keys meanwhile', async () => {
    const page = await visit('/learnings', (tab) => tab.route(/\/api\/learnings/, () => {}))
    await page.locator('[aria-busy]').first().waitFor()
    await press(page, 'j', 'k', '/', 'Escape', 'g', 'a')
    await page.getByRole('heading', { name: 'Agents' }).waitFor()
    expect(page.complaints).toEqual([])
  })
  it('says when a view’s own code could not be fetched, and gets it later', async () => {
    const page = await visit('/inbox')
    await page.route(/assets\/insights/, (route) => route.abort())
    await page.getByRole('link', { name: 'Insights' }).click()
    await page
      .getByText(/could not be loaded|failed|cannot/i)
      .first()
      .waitFor()
    await page.unrouteAll()
    await page
      .getByRole('button', { name: /again|Reload/i })
      .first()
      .click()
    await page.getByText('Agent sessions').first().waitFor()
  })
})

describe('two tabs', () => {
  it('know the same draft of an answer', async () => {
    const { page } = await served(at(ASKS), [ASKS])
    const second = await another(at(ASKS), (tab) => serveFeatures(tab, [ASKS]))
    await page.getByRole('textbox', { name: /What should a person read/ }).fill('From the first')
    await until(
      () => second.getByRole('textbox', { name: /What should a person read/ }).inputValue(),
      (text) => text === 'From the first',
    )
    await second.getByRole('textbox', { name: /What should a person read/ }).fill('From the second')
    await until(
      () => page.getByRole('textbox', { name: /What should a person read/ }).inputValue(),
      (text) => text === 'From the second',
    )
  })
  it('write on one draft of a memory, and both have what one of them has saved', async () => {
    const page = await visit('/memory/mem_5')
    const second = await another('/memory/mem_5')
    await second.getByRole('button', { name: 'Edit' }).click()
    await second.getByLabel('Goal').fill('Words of the second tab')
    await page.getByRole('button', { name: 'Edit' }).click()
    expect(await page.getByLabel('Goal').inputValue()).toBe('Words of the second tab')
    await page.getByLabel('Goal').fill('What the first tab saved')
    await page.getByRole('button', { name: 'Save for the whole team' }).click()
    await page.getByRole('heading', { name: 'What the first tab saved' }).waitFor()
    await until(
      () => second.getByLabel('Goal').inputValue(),
      (goal) => goal === 'What the first tab saved',
    )
  })
})

describe('without a network', () => {
  it('keeps an edit of a learning, says so, and sends it once when the network is back', async () => {
    const page = await visit('/learnings')
    await page.locator('.list a').first().click()
    await page.getByRole('button', { name: 'Edit' }).click()
    let count = 0
    page.on('request', (request) => {
      if (['PATCH', 'PUT', 'POST'].includes(request.method()) && /learnings/.test(request.url())) count++
    })
    await page.getByLabel('Summary').fill('Learned in a tunnel, and kept')
    await contexts.desk.setOffline(true)
    try {
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await until(
        () => page.evaluate<string>("localStorage.getItem('grove.outbox') ?? '[]'"),
        (kept) => kept.includes('learnings'),
      )
    } finally {
      await contexts.desk.setOffline(false)
    }
    await until(
      () => app.scene.get('/api/learnings?status=active'),
      (all) => JSON.stringify(all).includes('Learned in a tunnel, and kept'),
    )
    // The page hears of it a little later.
    await until(
      () => page.evaluate<string>("localStorage.getItem('grove.outbox') ?? '[]'"),
      (kept) => kept === '[]',
    )
    expect(count).toBeLessThanOrEqual(2)
  })
  it('shows what it has read before, with a word that it may be old', async () => {
    const page = await visit('/memory')
    await page.getByText('Two tabs, one cookie').first().waitFor()
    // A socket that looks open brings nothing any more, and no other can be opened.
    await page.evaluate(
      `window.WebSocket = class { constructor() { setTimeout(() => this.onclose?.(), 10) } close() {} }`,
    )
    await contexts.desk.setOffline(true)
    try {
      await page.getByText('Two tabs, one cookie').first().click()
      await page.getByRole('heading', { name: 'Two tabs, one cookie' }).waitFor()
      await page.getByText(/What you see may be old/).waitFor()
    } finally {
      await contexts.desk.setOffline(false)
      await page.reload()
    }
    await page.getByText(/What you see may be old/).waitFor({ state: 'detached' })
  })
})

describe('what is kept from before', () => {
  it.each(['{"a":', '42', 'null', '[]', '{}', '"x"', 'true'])(
    '%s in every place that is kept breaks no view',
    async (odd) => {
      const { page } = await served('/inbox', [ASKS, FEATURES.breaker, FEATURES.prReview, FEATURES.clean])
      const id = ASKS.session.id
      await page.evaluate(`for (const name of ['grove.outbox', 'grove.snoozed', 'grove.theme', 'grove.notify', 'grove.draft.form',
      'grove.draft.answers.${id}', 'grove.draft.comments.plan.${id}', 'grove.draft.lines.plan.${id}', 'grove.draft.hold.${FEATURES.breaker.session.id}.breaker_open',
      ...Object.keys(localStorage)]) localStorage.setItem(name, ${JSON.stringify(odd)})`)
      for (const path of [
        '/inbox',
        '/features',
        '/features/new',
        at(ASKS),
        at(FEATURES.breaker),
        at(FEATURES.clean),
        '/settings',
        '/memory',
      ]) {
        await page.goto(app.scene.url + path)
        await page.locator('h1:visible').first().waitFor()
        await page.locator('[aria-busy]').first().waitFor({ state: 'detached' })
        expect([path, await page.getByText('This view failed').count()]).toEqual([path, 0])
      }
      expect(page.complaints).toEqual([])
    },
  )
})

describe('back and forward', () => {
  it('leave no dialog standing over another page', async () => {
    const { page } = await served('/features', [FEATURES.review])
    await page.getByText(FEATURES.review.summary.title).first().click()
    await page.getByRole('button', { name: 'Versions' }).click()
    await page.getByRole('dialog').waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Features', exact: true }).waitFor()
    expect(await dialogs(page)).toBe(0)
    expect(await page.evaluate('getComputedStyle(document.body).pointerEvents + document.body.style.overflow')).toBe(
      'auto',
    )
  })
  it('come back to a search with its words and its result', async () => {
    const { page } = await served('/features', copies(40, FEATURES.clean))
    await page.getByRole('searchbox').fill('number 33')
    await page.getByText('Feature number 33').click()
    await page.getByRole('heading', { name: 'Feature number 33' }).waitFor()
    await page.goBack()
    expect(await page.getByRole('searchbox').inputValue()).toBe('number 33')
    expect(await page.locator('.feature-row:not(.feature-head)').count()).toBe(1)
  })
  it.each([
    [at(FEATURES.clean, '?view=tree#step-99.9'), 'VAT reverse charge'],
    [at(FEATURES.clean, '/no-such-tab'), /VAT reverse charge|leads nowhere/],
    ['/learnings/gone', /not in this list/],
    ['/intents?file=src%2Fgone.ts', /gone\.ts/],
    ['/settings/doctor/more', /Settings|leads nowhere/],
  ])('%s of yesterday leads to a page with a way on', async (path, words) => {
    const { page } = await served(path, [FEATURES.clean])
    await page.getByText(words).first().waitFor()
    expect(await page.getByText('This view failed').count()).toBe(0)
    expect(page.complaints).toEqual([])
  })
})

describe('dialogs', () => {
  it('are never two of a kind: the palette opens once, and the sheet of keys not over it', async () => {
    const page = await visit('/inbox')
    await press(page, 'Control+k', 'Control+k')
    expect(await dialogs(page)).toBeLessThanOrEqual(1)
    if ((await dialogs(page)) === 0) await press(page, 'Control+k')
    await page.keyboard.type('?')
    expect(await dialogs(page)).toBe(1)
    await press(page, 'Escape')
    expect(await dialogs(page)).toBe(0)
  })
  it('one above another closes first, and the focus comes back to where it was', async () => {
    const { page } = await served(at(FEATURES.breaker), [FEATURES.breaker])
    const more = page.getByRole('button', { name: 'More about this feature' })
    await more.click()
    await page.getByRole('menuitem', { name: /Roll back/ }).click()
    await page.getByRole('dialog', { name: /Roll back/ }).waitFor()
    await press(page, 'Control+k')
    for (let closing = 0; closing < 3 && (await dialogs(page)) > 0; closing++) await press(page, 'Escape')
    expect(await dialogs(page)).toBe(0)
    await until(
      () => focusedName(page),
      (name) => name === 'More about this feature',
    )
  })
  it('keep the focus when something new arrives behind them', async () => {
    const { page } = await served('/inbox', [FEATURES.review])
    await press(page, '?')
    await page.getByRole('dialog').waitFor()
    await serveFeatures(page, [FEATURES.review, FEATURES.breaker, FEATURES.clean])
    await page.evaluate("window.dispatchEvent(new Event('focus'))")
    await page.waitForTimeout(700)
    expect(await page.evaluate("!!document.activeElement.closest('[role=dialog]')")).toBe(true)
    await press(page, 'j', '1', 's')
    expect(await dialogs(page)).toBe(1)
  })
})

describe('as one uses any page', () => {
  it('opens features, agents, memories and places in a new tab', async () => {
    const { page } = await served('/features', [FEATURES.clean])
    const href = await page
      .getByRole('link', { name: new RegExp(FEATURES.clean.summary.title) })
      .first()
      .getAttribute('href')
    expect(href).toContain('/features/')
    await page.goto(`${app.scene.url}/agents`)
    await page.locator('.agent-row[href]').first().waitFor()
    await page.goto(`${app.scene.url}/memory`)
    const first = page.locator('.list a').first()
    const [tab] = await Promise.all([contexts.desk.waitForEvent('page'), first.click({ modifiers: ['Control'] })])
    await tab.waitForURL(/memory\/mem_/)
    expect(new URL(page.url()).pathname).toBe('/memory')
    await tab.close()
  })
  it('marks words of an item with the mouse, and the item stays as it is', async () => {
    const { page } = await served('/inbox', [FEATURES.review, FEATURES.clean])
    await page.locator('.item.open').waitFor()
    const context = page.locator('.item.open .context').first()
    const box = (await context.boundingBox())!
    await page.mouse.move(box.x + 4, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + 200, box.y + box.height / 2, { steps: 5 })
    await page.mouse.up()
    expect((await page.evaluate<string>('String(getSelection())')).length).toBeGreaterThan(5)
    const closed = page.locator('.item:not(.open) .title').first()
    const other = (await closed.boundingBox())!
    await page.mouse.move(other.x + 4, other.y + other.height / 2)
    await page.mouse.down()
    await page.mouse.move(other.x + 160, other.y + other.height / 2, { steps: 5 })
    await page.mouse.up()
    expect(await page.locator('.item.open .context').first().isVisible()).toBe(true)
  })
  it('has no number in its title when nothing waits', async () => {
    const { page } = await served('/inbox', [])
    await page.getByText('Nothing waits for you.').waitFor()
    expect(await page.title()).not.toMatch(/\d/)
  })
  it('tells of what newly waits, not of what was there, and not again after a reload', async () => {
    const { page } = await served('/settings', [FEATURES.review])
    await page.addInitScript(`
      window.told = []
      window.Notification = class { static permission = 'granted'; static async requestPermission() { return 'granted' } constructor(title, options) { window.told.push([title, options?.body ?? '']) } close() {} addEventListener() {} }
      Object.defineProperty(document, 'hidden', { get: () => true })
      Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
      document.hasFocus = () => false`)
    await page.reload()
    await page.getByLabel(/Notify me/).check()
    await page.reload()
    await page.getByLabel(/Notify me/).waitFor()
    await page.waitForTimeout(800)
    expect(await page.evaluate('JSON.stringify(window.told)')).toBe('[]')
  })
})
