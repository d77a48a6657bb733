import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { SessionSnapshot } from '../../src/protocol/api/sessions.ts'
import { until, withApp } from './support/app.ts'
import { tooWide } from './support/axe.ts'
import { serveFeatures } from './support/edge.ts'
import { FEATURES } from './support/edge-features/features.ts'
import { question } from './support/edge-features/questions.ts'
import { feature } from './support/edge-features/session.ts'
import { AGENT } from './support/scene.ts'

/** Three people walk through the app: one who has nothing yet, one with 500 finished features, one on a phone. */

const { app, open } = withApp()
const fresh = withApp({ isEmpty: true })
const at = ({ summary }: SessionSnapshot, tab = '') => `/features/${summary.projectId}/${summary.featureId}${tab}`

let own: BrowserContext
let phone: BrowserContext
let newcomer: BrowserContext
beforeAll(async () => {
  const letIn = async (context: BrowserContext, scene = app.scene) => {
    context.setDefaultTimeout(15_000)
    const page = await context.newPage()
    await page.goto(scene.link)
    await page.goto(`${scene.url}/icon.svg`)
    return context
  }
  own = await letIn(await app.browser.newContext({ reducedMotion: 'reduce' }))
  newcomer = await letIn(await app.browser.newContext({ reducedMotion: 'reduce' }), fresh.app.scene)
  phone = await letIn(
    await app.browser.newContext({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      reducedMotion: 'reduce',
    }),
  )
})

const visit = async (path: string, prepare?: (page: Page) => Promise<unknown>, context = own) => {
  await context.pages()[0]!.evaluate('localStorage.clear()')
  const page = await open(context, path, prepare)
  onTestFinished(() => page.close())
  return page
}
const beginning = async (path: string) => {
  const page = await fresh.open(newcomer, path)
  onTestFinished(() => page.close())
  return page
}
const served = (path: string, list: SessionSnapshot[], options = {}, context = own) =>
  visit(path, (tab) => serveFeatures(tab, list, options), context)
const DONE = feature('done', 'Metrics without user ids', 6, { summary: { status: 'completed' } })
const PAUSED = feature('paused', 'Weigh parcels at the dock', 2, { summary: { status: 'paused' } })
const PLACES = ['/inbox', '/features', '/agents', '/memory', '/learnings', '/intents', '/insights', '/settings']

/** Many of the same, each with a name of its own. */
const copies = (count: number, of: SessionSnapshot): SessionSnapshot[] =>
  Array.from({ length: count }, (_, index) => {
    const other = { id: `ses_${index}`, featureId: `f${index}`, title: `Feature number ${index}` }
    const waiting = of.summary.waiting.map((one) => ({
      ...one,
      featureId: other.featureId,
      sessionTitle: other.title,
      title: `${one.title} ${index}`,
    }))
    return { ...of, summary: { ...of.summary, ...other, waiting } }
  })

const focused = (page: Page) =>
  page.evaluate<string>(
    "document.activeElement.textContent + '|' + (document.activeElement.getAttribute('aria-label') ?? '')",
  )

describe('a new user, who has nothing', () => {
  it('is told in the inbox how to begin, and can reach it by keyboard', async () => {
    const page = await beginning('/inbox')
    await page.getByText('grove claude').waitFor()
    for (let press = 0; press < 40 && !(await focused(page)).startsWith('describe a feature'); press++)
      await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'New feature' }).waitFor()
  })
  it.each(PLACES)('%s counts no nothing, and says what to do', async (path) => {
    const page = await beginning(path)
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    const text = await page.locator('#main').innerText()
    expect(text).not.toMatch(/\b0 \w+ in 0\b|\$0\.00/)
    if (path !== '/settings') expect(await page.locator('#main .empty').count()).toBeGreaterThan(0)
    expect(page.complaints).toEqual([])
  })
  it('sees one main button, not two, where there is no feature', async () => {
    const page = await beginning('/features')
    await page.getByText('No features yet.').waitFor()
    expect(await page.locator('#main .button.primary').count()).toBe(1)
  })
  it('goes through the form in the order in which it is read', async () => {
    const page = await beginning('/features/new')
    await page.getByLabel('Title').focus()
    const seen: string[] = []
    for (let press = 0; press < 3; press++) {
      seen.push(await page.evaluate<string>('document.activeElement.id'))
      await page.keyboard.press('Tab')
    }
    expect(seen).toEqual(['title', 'projectPath', 'description'])
  })
  it('finds nothing in the palette, and is told so', async () => {
    const page = await beginning('/inbox')
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
    const page = await beginning('/memory')
    const button = page.getByRole('button', { name: /Import/ })
    await button.waitFor()
    if (await button.isDisabled()) await page.getByText(/knows no project/).waitFor()
  })
})

describe('an engineer with eight features and 500 finished ones', () => {
  const finished = copies(500, DONE)
  const busy = [FEATURES.review, FEATURES.clean, FEATURES.implementing, FEATURES.breaker, FEATURES.prReview]
  const everything = [...busy, ...finished]

  it('sees the eight first, and can reach the last of all', async () => {
    const page = await visit('/features', async (tab) => {
      await serveFeatures(tab, everything)
      await tab.route(/\/api\/sessions\?/, async (route) => {
        const query = new URL(route.request().url()).searchParams
        const from = Number(query.get('offset') ?? 0)
        const all = everything.map(({ summary }) => summary)
        await route.fulfill({
          json: { sessions: all.slice(from, from + Number(query.get('limit') ?? 200)), total: all.length },
        })
      })
    })
    await page.getByText('505 sessions').waitFor()
    await page.evaluate('window.scrollTo(0, 1e6)')
    const more = page.getByRole('button', { name: /Show .*more/ })
    await more.click()
    await page.evaluate('window.scrollTo(0, 1e6)')
    await page.getByText('Feature number 499', { exact: true }).waitFor()
  })
  it('types a search quickly and loses no letter', async () => {
    const page = await served('/features', everything)
    await page.getByText('Feature number').first().waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('number 499', { delay: 5 })
    await page.getByText('Feature number 499', { exact: true }).waitFor()
    expect(await page.getByLabel('Search features').inputValue()).toBe('number 499')
  })
  it('comes back to the place in the list', async () => {
    const page = await served('/features', everything)
    await page.getByText('Feature number').first().waitFor()
    await page.evaluate('window.scrollTo(0, 6000)')
    const link = page.getByRole('link', { name: /Feature number 9\d$/ }).first()
    await link.waitFor()
    const name = (await link.textContent())!
    await link.click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.goBack()
    await page.getByRole('link', { name, exact: true }).waitFor()
    await until(
      () => page.evaluate<number>('window.scrollY'),
      (y) => y > 3000,
    )
  })
  it('leaves the questions of one feature with j, for the next thing that waits', async () => {
    const page = await served('/inbox', [FEATURES.review, FEATURES.clean])
    await page.locator('.item.open .question').first().waitFor()
    for (let press = 0; press < 3; press++) await page.keyboard.press('j')
    await page.locator('.item.open').getByText('Plan v', { exact: false }).first().waitFor()
    await page.keyboard.press('k')
    await page.locator('.item.open .question').first().waitFor()
  })
  it('presses a button with Enter, and not the answer beside it', async () => {
    const sent: unknown[] = []
    const page = await served('/inbox', [FEATURES.review, FEATURES.clean], {
      after: (one: unknown) => void sent.push(one),
    })
    await page.locator('.item.open .question').first().waitFor()
    await page
      .getByRole('button', { name: /^Snooze/ })
      .first()
      .focus()
    await page.keyboard.press('Enter')
    await page.getByRole('tab', { name: 'Snoozed 1' }).waitFor()
    expect(sent).toEqual([])
  })
  it('opens an item, and it stays under the pointer', async () => {
    const page = await served('/inbox', copies(30, FEATURES.review))
    const item = page.locator('.item', { hasText: 'Feature number 12' }).first()
    await item.scrollIntoViewIfNeeded()
    const title = item.locator('button.title')
    const before = (await title.boundingBox())!
    await title.click()
    await item.locator('.question').first().waitFor()
    const after = (await title.boundingBox())!
    expect(Math.abs(after.y - before.y)).toBeLessThan(12)
  })
  it('reads and approves a plan of 2,000 steps in the inbox', async () => {
    const steps = Array.from({ length: 2_000 }, (_, index) => ({
      ...FEATURES.clean.plan!.steps[0]!,
      id: String(index + 1),
      uid: `u${index}`,
      parentId: null,
      orderIndex: index,
      title: `Step of number ${index + 1}`,
    }))
    const page = await served('/inbox', [{ ...FEATURES.clean, plan: { ...FEATURES.clean.plan!, steps } }])
    await page.getByRole('button', { name: 'Show all 2000 steps' }).click()
    expect(await page.locator('.tree-step').count()).toBeLessThan(120)
    await page.locator('.plan-steps').evaluate((box) => box.scrollTo(0, box.scrollHeight))
    await page.getByText('Step of number 2000', { exact: true }).waitFor()
    await page.getByRole('button', { name: /^Approve plan/ }).waitFor()
  })
  it('answers 300 questions without losing sight of the button', async () => {
    const many = Array.from({ length: 300 }, (_, index) =>
      question(`q${index}`, { questionText: `Question of number ${index}` }),
    )
    const page = await served(at(FEATURES.review), [{ ...FEATURES.review, questions: many }])
    await page.getByText('Question of number 0', { exact: true }).waitFor()
    expect(await page.locator('.question').count()).toBeLessThan(120)
    for (let press = 0; press < 299; press++) await page.keyboard.press('j')
    await page.getByText('Question of number 299', { exact: true }).waitFor()
    const button = (await page.getByRole('button', { name: /^Send/ }).boundingBox())!
    expect(button.y).toBeLessThan(1000)
  })
  it('opens one file of 5,000 changed lines, and the page stays light', async () => {
    const patch = [
      'diff --git a/big.ts b/big.ts',
      '--- a/big.ts',
      '+++ b/big.ts',
      '@@ -0,0 +1,5000 @@',
      ...Array.from({ length: 5_000 }, (_, line) => `+line number ${line}`),
    ].join('\n')
    const page = await visit(at(FEATURES.prReview, '/changes'), async (tab) => {
      await serveFeatures(tab, [FEATURES.prReview])
      await tab.route(/\/diff/, (route) =>
        route.fulfill({
          json: {
            files: [{ path: 'big.ts', status: 'added', added: 5_000, removed: 0, binary: false }],
            patch,
            truncated: false,
          },
        }),
      )
    })
    await page.getByText('line number 3', { exact: true }).waitFor()
    expect(await page.locator('.diff-line').count()).toBeLessThan(2_500)
  })
  it('reads an approval whose change is 3,000 lines long', async () => {
    const detail = `--- a/x.ts\n+++ b/x.ts\n@@\n${Array.from({ length: 3_000 }, (_, line) => `+line ${line}`).join('\n')}`
    const page = await visit('/inbox', (tab) =>
      tab.route(/\/api\/approvals/, (route) =>
        route.fulfill({ json: { approvals: [approval({ detail, what: `Bash: ${'x'.repeat(490)}` })] } }),
      ),
    )
    await page.getByRole('button', { name: 'Allow this once' }).waitFor()
    expect(await page.locator('.diff-line').count()).toBeLessThan(500)
    const box = (await page.getByRole('button', { name: 'Allow this once' }).boundingBox())!
    expect(box.y).toBeLessThan(1600)
  })
  it('cuts a command of 500 letters in the list, and shows all of it when it is open', async () => {
    const page = await visit('/inbox', (tab) =>
      tab.route(/\/api\/approvals/, (route) =>
        route.fulfill({
          json: {
            approvals: [approval({ id: 'a1' }), approval({ id: 'a2', what: `Bash: ${'long words '.repeat(44)}` })],
          },
        }),
      ),
    )
    const item = page.locator('.item', { hasText: 'long words' })
    await item.waitFor()
    const closed = (await item.boundingBox())!
    expect(closed.height).toBeLessThan(130)
    await item.locator('.title').click()
    await until(
      () => item.locator('.title').evaluate((title) => title.scrollHeight - title.clientHeight),
      (hidden) => hidden < 2,
    )
  })
  it('reads the first thing that happened in a long story', async () => {
    const page = await visit(at(FEATURES.implementing, '/story'), async (tab) => {
      await serveFeatures(tab, [{ ...FEATURES.implementing, lastEvent: 1_500 }])
      await tab.route(/\/events/, (route) => {
        const query = new URL(route.request().url()).searchParams
        const after = Number(query.get('after') ?? 0)
        const events = Array.from(
          { length: Math.min(Number(query.get('limit') ?? 500), 1_500 - after) },
          (_, index) => ({
            id: `evt_${after + index + 1}`,
            number: after + index + 1,
            createdAt: new Date(1_800_000_000_000 + (after + index) * 1000).toISOString(),
            payload: { type: 'agent.warning', message: `Warning ${after + index + 1}` },
          }),
        )
        return route.fulfill({ json: { events, last: 1_500 } })
      })
    })
    await page.getByText('Warning 1500', { exact: true }).waitFor()
    for (let press = 0; press < 12 && (await page.getByText('Warning 1', { exact: true }).count()) === 0; press++) {
      await page.getByRole('button', { name: /Show .*(more|earlier)/ }).click()
      await page.waitForTimeout(150)
    }
    await page.getByText('Warning 1', { exact: true }).waitFor()
  })
  it('prints the plan of a feature whole', async () => {
    const page = await served(`${at(FEATURES.review)}?view=tree`, [FEATURES.review])
    await page.getByText('Plan v').first().waitFor()
    await page.emulateMedia({ media: 'print' })
    const cut = await page.locator('.band.plan .band-body').evaluate((box) => box.scrollHeight - box.clientHeight)
    expect(cut).toBeLessThan(2)
  })
  it('reloads in a dialog, and nothing was done by it', async () => {
    const sent: unknown[] = []
    const page = await served(at(FEATURES.breaker), [FEATURES.breaker], {
      after: (one: unknown) => void sent.push(one),
    })
    await page.getByRole('button', { name: 'More about this feature' }).click()
    await page.getByRole('menuitem', { name: /Roll back/ }).click()
    await page.getByRole('dialog').waitFor()
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect([await page.getByRole('dialog').count(), sent.length]).toEqual([0, 0])
  })
  it('snoozes in one tab, and the other knows', async () => {
    const page = await served('/inbox', [FEATURES.clean])
    const other = await open(own, '/inbox', (tab) => serveFeatures(tab, [FEATURES.clean]))
    onTestFinished(() => other.close())
    await page.getByRole('button', { name: /^Snooze/ }).click()
    await other.getByRole('tab', { name: 'Snoozed 1' }).waitFor()
  })
  it('chooses the theme in one tab, and the other follows', async () => {
    const page = await visit('/settings')
    const other = await open(own, '/inbox')
    onTestFinished(() => other.close())
    await page.getByRole('tab', { name: 'Dark' }).click()
    await until(
      () => other.evaluate<string>('document.documentElement.dataset.theme ?? ""'),
      (theme) => theme === 'dark',
    )
  })
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
      await serveFeatures(tab, everything)
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
    await context.addCookies(await own.cookies())
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
    await context.addCookies(await own.cookies())
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
  it('zooms to 200 % and to a window of 320, and nothing goes out of it', async () => {
    for (const path of PLACES) {
      const page = await visit(path)
      await page.locator('.skeleton').first().waitFor({ state: 'detached' })
      expect([path, await tooWide(page, [720, 320])]).toEqual([path, []])
    }
  })
  it('hears of one heading of the first level, and of a name for everything that can be pressed', async () => {
    for (const path of [...PLACES, '/memory/mem_0', `/agents/${AGENT}`, '/features/new']) {
      const page = await visit(path)
      await page.locator('.skeleton').first().waitFor({ state: 'detached' })
      const found = await page.evaluate<{ heads: number; nameless: string[] }>(`({
        heads: [...document.querySelectorAll('h1')].filter((one) => one.checkVisibility()).length,
        nameless: [...document.querySelectorAll('button, a[href], input:not([type=hidden]), select, textarea')]
          .filter((one) => one.checkVisibility() && !(one.innerText || one.getAttribute('aria-label') || one.labels?.length || one.title || one.getAttribute('aria-labelledby')))
          .map((one) => one.outerHTML.slice(0, 80)),
      })`)
      expect([path, found.nameless]).toEqual([path, []])
      expect([path, found.heads]).toEqual([path, path.startsWith('/memory/') ? 2 : 1])
    }
  })
  it('sees where the focus is, wherever it goes', async () => {
    const page = await served(at(FEATURES.review), [FEATURES.review])
    await page.getByText('Waits for you').first().waitFor()
    const hidden: string[] = []
    for (let press = 0; press < 60; press++) {
      await page.keyboard.press('Tab')
      const seen = await page.evaluate<string>(`(() => {
        const one = document.activeElement
        if (one === document.body) return ''
        const look = getComputedStyle(one)
        const isSeen = look.outlineStyle !== 'none' && parseFloat(look.outlineWidth) >= 1 || look.boxShadow !== 'none'
        return isSeen ? '' : one.outerHTML.slice(0, 100)
      })()`)
      if (seen) hidden.push(seen)
    }
    expect(hidden).toEqual([])
  })
  it('wants no motion, and there is none', async () => {
    const page = await served('/inbox', [FEATURES.implementing, FEATURES.clean])
    await page.locator('.item').first().waitFor()
    const moving = await page.evaluate<string[]>(`[...document.querySelectorAll('*')].filter((one) => {
      const look = getComputedStyle(one)
      return [look.animationDuration, look.transitionDuration].some((time) => time.split(', ').some((part) => parseFloat(part) > 0.01))
    }).map((one) => one.className.toString()).slice(0, 5)`)
    expect(moving).toEqual([])
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

describe('a lead on a phone', () => {
  const touch = (path: string, list: SessionSnapshot[]) => served(path, list, {}, phone)

  it.each([
    ['/inbox', [FEATURES.review, FEATURES.clean]],
    ['/features', [FEATURES.review, FEATURES.breaker]],
    [at(FEATURES.review), [FEATURES.review]],
    [at(FEATURES.breaker), [FEATURES.breaker]],
    ['/features/new', []],
  ] as [string, SessionSnapshot[]][])('hits what it aims at on %s', async (path, list) => {
    const page = await touch(path, list)
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    if (path === '/inbox') await page.locator('.item .title').first().tap()
    await page.waitForTimeout(300)
    const small = await page.evaluate<
      string[]
    >(`[...document.querySelectorAll('button, a.button, select, .option, .menu-item, input[type=text], .place')]
      .filter((one) => one.checkVisibility() && !one.matches('.link, .skip, .toggle, .say, [role=tab]') && !one.closest('.hidden-label'))
      .filter((one) => { const box = one.getBoundingClientRect(); return box.width > 2 && box.height < 36 && !one.matches('.item .title') })
      .map((one) => one.className + ' ' + (one.innerText ?? '').slice(0, 30) + ' ' + Math.round(one.getBoundingClientRect().height))`)
    expect(small).toEqual([])
  })
  it('holds it sideways, and can read a question and send it', async () => {
    const page = await touch('/inbox', [FEATURES.review])
    await page.setViewportSize({ width: 844, height: 390 })
    await page.locator('.item .title').first().tap()
    const send = page.getByRole('button', { name: /^Send/ })
    await send.waitFor()
    const foot = (await page.locator('.band-foot').boundingBox())!
    expect(foot.height).toBeLessThan(160)
    const option = page.locator('.question .option').first()
    await option.scrollIntoViewIfNeeded()
    await option.tap()
  })
  it('sees the state of a paused and a finished feature in grey, not as something that waits', async () => {
    for (const one of [PAUSED, DONE]) {
      const page = await touch(at(one), [one])
      const [bar, amber] = await page.evaluate<[string, string]>(`(() => {
        const probe = document.createElement('i')
        probe.style.background = 'var(--wait-mark)'
        document.body.append(probe)
        return [getComputedStyle(document.querySelector('.stages > a.current'), '::after').backgroundColor, getComputedStyle(probe).backgroundColor]
      })()`)
      expect(bar).not.toBe(amber)
    }
  })
  it('opens and closes an item of the inbox, and goes back', async () => {
    const page = await touch('/inbox', [FEATURES.clean, FEATURES.breaker])
    const title = page.locator('.item .title').first()
    await title.tap()
    await page.locator('.item.open').waitFor()
    await title.tap()
    await page.locator('.item.open').waitFor({ state: 'detached' })
  })
  it('approves a plan from the inbox, having read it', async () => {
    const page = await touch('/inbox', [FEATURES.clean])
    await page.locator('.item .title').first().tap()
    await page.getByText('Plan v').first().waitFor()
    const sign = page.getByLabel(/^I approve plan/)
    if ((await sign.count()) > 0) await sign.tap()
    await page.getByRole('button', { name: /^Approve plan/ }).tap()
    await page.getByText(/is approved/).waitFor()
  })
  it('writes a comment on a line with the thumb', async () => {
    const page = await touch(`${at(FEATURES.review)}?view=tree`, [FEATURES.review])
    await page
      .getByRole('button', { name: /^Comment on/ })
      .first()
      .tap()
    await page.keyboard.type('Too large')
    await page.getByRole('button', { name: 'Add comment' }).tap()
    await page.getByRole('button', { name: 'Send 1 comment as one change request' }).waitFor()
    expect(await tooWide(page, [390, 360])).toEqual([])
  })
  it('reads titles without a space, in Arabic, with emoji and hidden letters, without going sideways', async () => {
    const titles = [
      'W'.repeat(200),
      'إصلاح اختبار البيان '.repeat(10),
      '👩‍👩‍👧‍👦'.repeat(40),
      'a\u200bb\u202ec\ufeffd'.repeat(40),
    ]
    const list = titles.map((title, index) => {
      const [one] = copies(1, FEATURES.breaker)
      return {
        ...one!,
        summary: {
          ...one!.summary,
          id: `odd${index}`,
          featureId: `odd${index}`,
          title,
          branch: `feature/${'b'.repeat(240)}`,
          waiting: one!.summary.waiting.map((wait) => ({
            ...wait,
            featureId: `odd${index}`,
            title,
            sessionTitle: title,
          })),
        },
      }
    })
    for (const path of ['/inbox', '/features', '/features/p-billing/odd0', '/features/p-billing/odd1']) {
      const page = await touch(path, list)
      await page.waitForTimeout(300)
      expect([path, await tooWide(page, [390, 360])]).toEqual([path, []])
    }
  })
  it('finds the other places behind More, within reach of the thumb', async () => {
    const page = await touch('/inbox', [])
    await page.getByRole('button', { name: 'More', exact: true }).tap()
    const box = (await page.getByRole('dialog').boundingBox())!
    expect(box.y).toBeGreaterThan(844 / 3)
    await page.getByRole('link', { name: 'Insights' }).tap()
    await page.getByRole('heading', { name: 'Insights' }).waitFor()
  })
})

function approval(more: object = {}) {
  return {
    id: 'apr-1',
    kind: 'action',
    sessionId: AGENT,
    root: '/src/billing',
    intentId: 'INT-014',
    tool: 'Bash',
    what: 'Bash: npm test',
    askedAt: Date.now() - 60_000,
    status: 'pending',
    ...more,
  }
}
