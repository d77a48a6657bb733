import { describe, expect, it } from 'vitest'
import { until } from './support/app.ts'
import { tooWide } from './support/axe.ts'
import { outputLine, serveFeatures } from './support/edge.ts'
import { FEATURES } from './support/edge-features/features.ts'
import { feature } from './support/edge-features/session.ts'
import { addressOf, allFeatures, copies, withFreshPages } from './support/fresh-pages.ts'
import { AGENT } from './support/scene.ts'

const { app, write, visit, served } = withFreshPages()

describe('hostile texts', () => {
  const RLO = '\u202e'
  it('an order of letters that lies is shown as what it is', async () => {
    void write(`src/invoice/${RLO}gpj.exe\u200b\u001b[31m.ts`)
    const page = await visit('/inbox')
    await page.locator('.item .title').first().waitFor()
    const text = await page.locator('.item .title').first().innerText()
    expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b]|\[31m/)
  })
  it('escapes of a terminal are not in output, logs and diffs', async () => {
    const held = FEATURES.checksFailed.summary.waiting[0]!
    const coloured = feature('ansi', 'Colours', 3, {
      summary: { waiting: [{ ...held, detail: '\u001b[31mFAIL\u001b[0m one' }] },
      session: { hold: FEATURES.checksFailed.session.hold },
    })
    const page = await served(addressOf(coloured), [coloured])
    await page.getByText('FAIL').first().waitFor()
    expect(await page.locator('.band.waits').innerText()).not.toContain('[31m')
  })
  it('Markdown that nests without end does not take the view down', async () => {
    const live = FEATURES.implementing
    const page = await visit(addressOf(live, '/conversation'), async (tab) => {
      await serveFeatures(tab, allFeatures)
      await tab.route(/\/output\?/, (route) =>
        route.fulfill({
          json: {
            lines: [
              '>'.repeat(20_000),
              '['.repeat(20_000),
              `${'- '.repeat(9_000)}x`,
              '*'.repeat(40_000),
              '![x](javascript:alert(1)) <img src=x onerror=alert(1)> [a](javascript:alert(2)) [b](data:text/html,x)',
            ].map((text, index) => ({ ...outputLine(3), number: index + 1, kind: 'text', text })),
            first: 1,
            last: 5,
          },
        }),
      )
    })
    await page.locator('.talk li').nth(4).waitFor()
    expect(await page.locator('.talk img').count()).toBe(0)
    expect(await page.locator('.talk a').count()).toBe(0)
    expect(await page.getByText('This view failed').count()).toBe(0)
    expect(page.complaints).toEqual([])
  })
  it('words of 3,000 letters do not widen any page', async () => {
    const endless = 'x'.repeat(3_000)
    const long = feature('long', endless, 2, {
      ...FEATURES.review,
      summary: { ...FEATURES.review.summary, title: endless, branch: endless, projectName: endless, featureId: 'long' },
      questions: FEATURES.review.questions.map((one) => ({
        ...one,
        questionText: endless,
        context: endless,
        category: endless as never,
        file: endless,
      })),
    })
    for (const path of ['/features', '/inbox', addressOf(long)]) {
      const page = await served(path, [long])
      await page.getByText(/xxxx/).first().waitFor()
      expect([path, await tooWide(page, [1440, 360])]).toEqual([path, []])
    }
  })
  it('a command of 20,000 letters is read in its box, with the answers in reach, in the inbox and on the agent’s page', async () => {
    const command = `echo ${'a'.repeat(10_000)} ${'b c '.repeat(2_500)}`
    const request = {
      ...{ id: 'long', kind: 'prompt', sessionId: AGENT, root: app.scene.dir, intentId: '-', tool: 'Bash' },
      ...{ what: `Bash: ${command}`, detail: `$ ${command}`, askedAt: Date.now(), status: 'pending' },
    }
    for (const path of ['/inbox', `/agents/${AGENT}`]) {
      const page = await visit(path, (tab) =>
        tab.route(/\/api\/approvals/, (route) => route.fulfill({ json: { approvals: [request] } })),
      )
      const allow = page.getByRole('button', { name: /Allow this once/ })
      await allow.waitFor()
      expect([path, await tooWide(page, [1440, 360])]).toEqual([path, []])
      if (!(await allow.isVisible())) await page.getByRole('button', { name: /^Bash: echo/ }).click()
      expect((await allow.boundingBox())!.y).toBeLessThan(1_200)
      expect(await page.locator('pre.log').innerText()).toContain('b c b c')
    }
  })
  it('the palette takes what an agent calls itself', async () => {
    const page = await visit('/inbox', (tab) =>
      tab.route(/\/api\/agents$/, async (route) => {
        const answer = await (await route.fetch()).json()
        for (const agent of answer.agents) agent.goal = '"][x]{}\\ \n <b>'
        return route.fulfill({ json: answer })
      }),
    )
    await page.keyboard.press('Control+k')
    await page.keyboard.type('][x')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/agents\//)
    expect(page.complaints).toEqual([])
  })
})

describe('large amounts', () => {
  it('a diff of many files keeps the page light', async () => {
    const patch = Array.from({ length: 100 }, (_, file) =>
      [
        `diff --git a/f${file}.ts b/f${file}.ts`,
        `--- a/f${file}.ts`,
        `+++ b/f${file}.ts`,
        '@@ -0,0 +1,100 @@',
        ...Array.from({ length: 100 }, (_, line) => `+line ${line}`),
      ].join('\n'),
    ).join('\n')
    const files = Array.from({ length: 100 }, (_, file) => ({
      path: `f${file}.ts`,
      status: 'added',
      added: 100,
      removed: 0,
      binary: false,
    }))
    const page = await visit(addressOf(FEATURES.review, '/changes'), async (tab) => {
      await serveFeatures(tab, allFeatures)
      await tab.route(/\/diff/, (route) =>
        route.request().url().includes('plan/')
          ? route.fallback()
          : route.fulfill({ json: { files, patch, truncated: false } }),
      )
    })
    await page.getByText('100 files').waitFor()
    expect(await page.locator('.diff-line').count()).toBeLessThan(2_500)
    await page.getByRole('link', { name: 'f99.ts' }).click()
    await page.locator('[id="file-f99.ts"]').getByText('line 99').waitFor()
  })
  it('the palette finds the last of 300 features', async () => {
    const page = await served('/insights', copies(300, FEATURES.review))
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('number 299')
    await page.getByRole('option', { name: /Feature number 299/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/f299/)
  })
  it('keys go through 300 features, one after the other', async () => {
    const many = copies(300, FEATURES.implementing)
    const page = await served('/features', many)
    await page.getByText('Feature number').first().waitFor()
    await page.setViewportSize({ width: 1200, height: 300 })
    for (let press = 0; press < 30; press++) await page.keyboard.press('j')
    const focused = "document.activeElement.closest('[data-index]')?.dataset.index"
    await until(
      () => page.evaluate<string>(focused),
      (index) => index === '30',
    )
  })
  it('a plan of 300 steps is read to its end, and a plan of one step is said in the singular', async () => {
    const plan = FEATURES.implementing.plan!
    const planned = (count: number) => ({
      ...plan,
      steps: Array.from({ length: count }, (_, index) => ({
        ...plan.steps[0]!,
        ...{ id: String(index + 1), uid: `uid_${index}`, parentId: null, title: `Step number ${index + 1}` },
        ...{ orderIndex: index, status: 'pending' as const },
      })),
    })
    const big = feature('big', 'Big', 2, { plan: planned(300), actions: ['approve', 'comment'] })
    const small = feature('small', 'Small', 2, { plan: planned(1), actions: ['approve', 'comment'] })
    for (const view of ['tree', 'board', 'timeline']) {
      const page = await served(`${addressOf(big)}?view=${view}`, [big, small])
      await page.getByText(/^300 steps/).waitFor()
      expect([view, await tooWide(page, [1440, 360])]).toEqual([view, []])
      await page.goto(`${app.scene.url}${addressOf(small)}?view=${view}`)
      await page.getByText(/^1 step(?!s)/).waitFor()
      expect(page.complaints).toEqual([])
    }
    const page = await served(`${addressOf(big)}?view=tree`, [big])
    await page.locator('.band.plan .band-body').hover()
    await page.mouse.wheel(0, 100_000)
    await page.getByText('Step number 300').waitFor()
  })
  it('200 things in the inbox are walked through by key', async () => {
    const many = copies(200, FEATURES.clean)
    const page = await served('/inbox', many)
    await page.getByRole('tab', { name: 'All 200' }).waitFor()
    for (let press = 0; press < 20; press++) await page.keyboard.press('j')
    const last = page.locator('.item.open')
    await until(
      () => last.locator('.title').innerText(),
      (text) => text === 'Plan 20',
    )
    expect(await last.evaluate((element) => element.getBoundingClientRect().top < 900)).toBe(true)
  })
  it('of 300 things in the inbox only those in sight are in the page, and the one that is written in stays', async () => {
    const page = await served('/inbox', copies(300, FEATURES.clean))
    await page.getByRole('tab', { name: 'All 300' }).waitFor()
    expect(await page.locator('.item').count()).toBeLessThan(60)
    await page
      .getByRole('button', { name: /^Comment on/ })
      .first()
      .click()
    await page.keyboard.type('Half a th')
    await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)')
    await page.getByRole('button', { name: 'Plan 299', exact: true }).waitFor()
    await page.keyboard.type('ought')
    expect(
      await page
        .getByLabel(/^Comment on/)
        .and(page.locator('textarea'))
        .inputValue(),
    ).toBe('Half a thought')
    await page.keyboard.press('Escape')
    // Who writes is shown where, by the browser.
    await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)')
    await page.getByRole('button', { name: 'Plan 299', exact: true }).click()
    await page.getByRole('button', { name: /^Approve plan/ }).waitFor()
    expect(await page.locator('.item.open').count()).toBe(1)
  })
  it('a name of letters that nobody sees is refused, and a folder that is nearly right is put right', async () => {
    const page = await visit('/features/new')
    await page.getByLabel('Title').fill('\u200b\u2060')
    await page.getByLabel('Project folder').fill(app.scene.dir.slice(0, -1))
    await page.getByLabel('Description').fill('Something.')
    await page.getByRole('button', { name: /Start discovery/ }).click()
    await page.getByText('The title is missing').waitFor()
    await page.getByRole('button', { name: app.scene.dir }).click()
    await page.getByText(/, on main/).waitFor()
    // A folder of the repository, and a slash at its end, are the same project.
    await page.getByLabel('Project folder').fill(`${app.scene.dir}/`)
    await page.getByText(/, on main/).waitFor()
  })
  it('a megabyte that is pasted is kept, and refused in words', async () => {
    const page = await visit('/features/new')
    await page.getByLabel('Title').fill('T')
    await page.getByLabel('Project folder').fill(app.scene.dir)
    await page.evaluate(`{
      const field = document.getElementById('description')
      Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set.call(field, 'word '.repeat(200000))
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }`)
    await page.getByRole('button', { name: /Start discovery/ }).click()
    await page
      .getByText(/at most [\d,]+ characters/)
      .first()
      .waitFor()
    await page.reload()
    expect((await page.getByLabel('Description').inputValue()).length).toBe(1_000_000)
  })
  it('a storage that is full or forbidden loses nothing while the page is open', async () => {
    for (const block of [
      "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }",
      "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError') } })",
    ]) {
      const page = await visit('/features/new', (tab) => tab.addInitScript(block))
      await page.getByLabel('Title').fill('Still here')
      await page.keyboard.press('Tab')
      await page
        .getByRole('link', { name: /^Inbox/ })
        .first()
        .click()
      await page.getByRole('heading', { name: 'Inbox' }).waitFor()
      await page.goBack()
      expect(await page.getByLabel('Title').inputValue()).toBe('Still here')
      expect(page.complaints).toEqual([])
    }
  })
  it('says that a draft cannot be kept when the storage is full', async () => {
    const page = await visit('/features/new', (tab) =>
      tab.addInitScript("Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }"),
    )
    await page.getByLabel('Title').fill('Still here')
    await page.getByText(/cannot keep/).waitFor()
  })
})
