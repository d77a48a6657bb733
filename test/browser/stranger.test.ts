import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { SessionSnapshot } from '../../src/protocol/api/sessions.ts'
import { until, withApp } from './support/app.ts'
import { tooWide } from './support/axe.ts'
import { launchChromium } from './support/chromium.ts'
import { outputLine, serveFeatures } from './support/edge.ts'
import { FEATURES } from './support/edge-features/features.ts'
import { feature } from './support/edge-features/session.ts'
import { AGENT } from './support/scene.ts'

/** Hostile use: presses at the wrong moment, faulty answers, hidden and endless letters, large lists, odd addresses, no mouse. */

const { app, open } = withApp({ settings: 'allowed_hosts = ["grove.test"]\n' })
const at = ({ summary }: SessionSnapshot, tab = '') => `/features/${summary.projectId}/${summary.featureId}${tab}`
const all = Object.values(FEATURES)
let calls = 0

/** The agent wants to write; what it waits for is answered when the test is over. */
function write(name: string): Promise<unknown> {
  const asked = app.scene.hook('pre-tool-use', {
    session_id: AGENT,
    hook_event_name: 'PreToolUse',
    cwd: app.scene.dir,
    tool_name: 'Write',
    tool_input: { file_path: join(app.scene.dir, name), content: 'x' },
    tool_use_id: `toolu_stranger_${++calls}`,
  })
  asked.catch(() => {})
  onTestFinished(clear)
  return asked
}
interface Asked {
  id: string
  what: string
  status: string
}
const pending = async () =>
  ((await app.scene.get('/api/approvals')) as { approvals: Asked[] }).approvals.filter(
    ({ status }) => status === 'pending',
  )
async function clear() {
  const left = await pending()
  if (left.length === 0) return
  const context = await app.browser.newContext()
  const page = await context.newPage()
  await page.goto(app.scene.link)
  for (const { id } of left)
    await page.evaluate(`(async () => {
      const headers = { 'x-grove-page': document.querySelector('meta[name=grove-page]').content, 'content-type': 'application/json' }
      const ask = (url, body, more) => fetch(url, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) })
      const { gesture } = await (await ask('/api/gestures', { for: 'POST /api/approvals/${id}' })).json()
      await ask('/api/approvals/${id}', { answer: 'reject' }, { 'x-grove-gesture': gesture })
    })()`)
  await context.close()
}

let own: BrowserContext
beforeAll(async () => {
  await app.scene.grove('intent', 'select', 'INT-014', '--session', AGENT)
  own = await app.browser.newContext({ reducedMotion: 'reduce' })
  own.setDefaultTimeout(30_000)
  const first = await own.newPage()
  await first.goto(app.scene.link)
  // A page of the same origin in which nothing runs, and nothing is sent.
  await first.goto(`${app.scene.url}/icon.svg`)
})

/** Many of the same, each with a name of its own. */
const copies = (count: number, of: SessionSnapshot): SessionSnapshot[] =>
  Array.from({ length: count }, (_, index) => {
    const own = { id: `ses_${index}`, featureId: `f${index}`, title: `Feature number ${index}` }
    const waiting = of.summary.waiting.map((one) => ({ ...one, featureId: own.featureId, title: `Plan ${index}` }))
    return { ...of, summary: { ...of.summary, ...own, waiting } }
  })

/** A page of a browser in which nothing is kept yet. */
const visit = async (path: string, prepare?: (page: Page) => Promise<unknown>) => {
  await own.pages()[0]!.evaluate('localStorage.clear()')
  const page = await open(own, path, prepare)
  onTestFinished(() => page.close())
  return page
}
const served = (path: string, list: SessionSnapshot[] = all, options = {}) =>
  visit(path, (tab) => serveFeatures(tab, list, options))

describe('typing survives a reload', () => {
  it('in a comment on a line of the plan', async () => {
    const page = await served(`${at(FEATURES.review)}?view=tree`)
    await page.locator('.say').first().click()
    await page.locator('.thread textarea').fill('half a thought')
    await page.reload()
    await page.locator('.say').first().waitFor()
    if ((await page.locator('.thread textarea').count()) === 0) await page.locator('.say').first().click()
    expect(await page.locator('.thread textarea').inputValue()).toBe('half a thought')
  })
  it('in a comment on a line of code, also after Escape', async () => {
    const page = await served(at(FEATURES.review, '/changes'))
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
    const page = await served(at(final), [final])
    await page.getByLabel('Change the plan').check()
    await page.getByLabel(/What should change/).fill('smaller')
    await page.reload()
    await page.getByText('the last word is yours').waitFor()
    expect(await page.getByLabel(/What should change/).inputValue()).toBe('smaller')
  })
  it('in guidance for a feature that stopped, with the choice', async () => {
    const page = await served(at(FEATURES.breaker))
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
    const page = await served(at(FEATURES.implementing, '/conversation'))
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

describe('twice is once', () => {
  it('a double click answers one request, not the next one too', async () => {
    void [write('src/invoice/d1.ts'), write('src/invoice/d2.ts')]
    const page = await visit('/inbox')
    await page.getByRole('button', { name: 'Write src/invoice/d1.ts' }).waitFor()
    await page.getByRole('button', { name: 'Write src/invoice/d2.ts' }).waitFor()
    const box = (await page.getByRole('button', { name: 'Allow this once' }).boundingBox())!
    await page.mouse.dblclick(box.x + 20, box.y + 10, { delay: 20 })
    await page.waitForTimeout(1500)
    const left = await pending()
    expect(left).toHaveLength(1)
  })
  it('the same key twice in a moment answers one request', async () => {
    void [write('src/invoice/k1.ts'), write('src/invoice/k2.ts')]
    const page = await visit('/inbox')
    await page.getByRole('button', { name: 'Write src/invoice/k2.ts' }).waitFor()
    await page.getByRole('button', { name: 'Write src/invoice/k1.ts' }).waitFor()
    await page.keyboard.press('1')
    await page.waitForTimeout(60)
    await page.keyboard.press('1')
    await page.waitForTimeout(1500)
    const left = await pending()
    expect(left).toHaveLength(1)
  })
  it('a key meant for what another tab has just answered does not answer the next', async () => {
    void [write('src/invoice/r1.ts'), write('src/invoice/r2.ts')]
    const page = await visit('/inbox')
    await page.getByRole('button', { name: 'Write src/invoice/r2.ts' }).waitFor()
    await page.getByRole('button', { name: 'Write src/invoice/r1.ts' }).waitFor()
    const other = await open(page.context() as BrowserContext, '/inbox')
    // Another test's actions would be sent from it.
    onTestFinished(() => other.close())
    await other.getByRole('button', { name: 'Allow this once' }).click()
    await page.getByRole('button', { name: 'Write src/invoice/r1.ts' }).waitFor({ state: 'detached' })
    await page.keyboard.press('1')
    await page.waitForTimeout(1500)
    const left = await pending()
    expect(left).toHaveLength(1)
  })
  it('a double click on an answer in the list does not answer what takes its place', async () => {
    const answered = ({ summary, ...rest }: SessionSnapshot) => ({ ...rest, summary: { ...summary, waiting: [] } })
    const chosen: string[] = []
    const page = await served('/inbox', copies(4, FEATURES.usageLimit), {
      after({ path }: { path: string }, before: SessionSnapshot) {
        chosen.push(path)
        return answered(before)
      },
    })
    const quick = page.locator('.item .side > .button')
    await quick.nth(2).waitFor()
    const { x, y } = (await quick.first().boundingBox())!
    await page.mouse.click(x + 20, y + 10)
    await until(
      () => quick.count(),
      (left) => left === 2,
    )
    await page.mouse.click(x + 20, y + 10)
    await page.waitForTimeout(1500)
    expect(chosen).toHaveLength(1)
  })
  it('a key on the page does not allow what is being refused', async () => {
    const asked = write('src/invoice/f1.ts')
    const page = await visit('/inbox')
    await page.getByRole('button', { name: 'Refuse and say why' }).click()
    await page.getByLabel('A word to the agent').fill('Not there.')
    // The focus leaves the field for the page.
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('Enter')
    await page.keyboard.press('1')
    await page.keyboard.press('Control+Enter')
    expect(JSON.stringify(await asked)).toMatch(/deny.*Not there\./)
  })
  it('words that were written to refuse do not go with a yes', async () => {
    const asked = write('src/invoice/f2.ts')
    const page = await visit('/inbox')
    await page.getByRole('button', { name: 'Refuse and say why' }).click()
    await page.getByLabel('A word to the agent').fill('Not there.')
    await page.getByRole('button', { name: 'Back' }).click()
    const sent = page.waitForRequest(
      (request) => /approvals\/[^/]+$/.test(request.url()) && request.method() === 'POST',
    )
    await page.getByRole('button', { name: 'Allow this once' }).click()
    expect((await sent).postDataJSON()).toEqual({ answer: 'approve' })
    await asked
  })
  it('two tabs that say yes and no: one counts, the other is told', async () => {
    const asked = write('src/invoice/t1.ts')
    const one = await visit('/inbox')
    await one.getByRole('button', { name: 'Write src/invoice/t1.ts' }).waitFor()
    const two = await open(one.context() as BrowserContext, '/inbox')
    onTestFinished(() => two.close())
    await two.getByRole('button', { name: 'Refuse and say why' }).click()
    await Promise.all([
      one.getByRole('button', { name: 'Allow this once' }).click(),
      two.getByRole('button', { name: /^Refuse/ }).click(),
    ])
    await asked
    for (const page of [one, two]) await page.getByText('Nothing waits for you.').waitFor()
    for (const page of [one, two]) await page.locator('.toast').first().waitFor()
    expect([...one.complaints, ...two.complaints]).toEqual([])
  })
  it('a form that is submitted twice starts one feature', async () => {
    let sent: unknown[] = []
    const page = await visit('/features/new', async (tab) => {
      ;({ sent } = await serveFeatures(tab, all))
    })
    await page.getByLabel('Title').fill('T')
    await page.getByLabel('Project folder').fill('/src/billing')
    await page.getByLabel('Description').fill('D is long enough to count.')
    await page.getByText('billing, on').waitFor()
    const button = page.getByRole('button', { name: /Start discovery/ })
    await button.dblclick()
    await page.waitForURL(/features\/p-billing/)
    expect(sent).toHaveLength(1)
  })
  it('a key that follows the press on the button starts no second feature', async () => {
    let started = 0
    const page = await visit('/features/new', async (tab) => {
      await serveFeatures(tab, all)
      await tab.route(/\/api\/sessions$/, async (route) => {
        if (route.request().method() !== 'POST') return route.fallback()
        started++
        await new Promise((resolve) => setTimeout(resolve, 500))
        return route.fallback()
      })
    })
    await page.getByLabel('Title').fill('T')
    await page.getByLabel('Project folder').fill('/src/billing')
    await page.getByLabel('Description').fill('D is long enough to count.')
    await page.getByText('billing, on').waitFor()
    await page.getByRole('button', { name: /Start discovery/ }).click()
    await page.keyboard.press('Control+Enter')
    await page.keyboard.press('Control+Enter')
    await page.waitForURL(/features\/p-billing/)
    expect(started).toBe(1)
  })
  it('an answer that waits for the network is shown as given, and is not queued twice', async () => {
    const page = await served(at(FEATURES.review))
    const option = page.locator('.question').first().getByRole('radio').nth(1)
    await option.check()
    await page.route(/\/questions/, (route) => route.abort())
    await page.keyboard.press('Control+Enter')
    const kept = () => page.evaluate<string>("localStorage.getItem('grove.outbox') ?? '[]'")
    await until(kept, (text) => text.includes('/questions'))
    expect(await option.isChecked()).toBe(true)
    await page.waitForTimeout(700)
    await page.keyboard.press('Control+Enter')
    await page.waitForTimeout(300)
    expect(JSON.parse(await kept())).toHaveLength(1)
  })
})

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
    const page = await own.newPage()
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
  it('a clock that is hours ahead does not make news old', async () => {
    const live = FEATURES.implementing
    const fresh = { ...live, status: { ...live.status, lastActionAt: new Date(Date.now() + 5000).toISOString() } }
    const page = await own.newPage()
    onTestFinished(() => page.close())
    await page.clock.install({ time: Date.now() + 3 * 3_600_000 })
    await serveFeatures(page, [fresh])
    await page.goto(app.scene.url + at(fresh))
    await page.getByText('3 Implementation').waitFor()
    await page.clock.runFor(3000)
    expect(await page.getByText(/No news for/).count()).toBe(0)
  })
})

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
    const page = await served(at(coloured), [coloured])
    await page.getByText('FAIL').first().waitFor()
    expect(await page.locator('.band.waits').innerText()).not.toContain('[31m')
  })
  it('Markdown that nests without end does not take the view down', async () => {
    const live = FEATURES.implementing
    const page = await visit(at(live, '/conversation'), async (tab) => {
      await serveFeatures(tab, all)
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
    for (const path of ['/features', '/inbox', at(long)]) {
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
    const page = await visit(at(FEATURES.review, '/changes'), async (tab) => {
      await serveFeatures(tab, all)
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
      const page = await served(`${at(big)}?view=${view}`, [big, small])
      await page.getByText(/^300 steps/).waitFor()
      expect([view, await tooWide(page, [1440, 360])]).toEqual([view, []])
      await page.goto(`${app.scene.url}${at(small)}?view=${view}`)
      await page.getByText(/^1 step(?!s)/).waitFor()
      expect(page.complaints).toEqual([])
    }
    const page = await served(`${at(big)}?view=tree`, [big])
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
    const page = await served(at(FEATURES.breaker))
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
    const page = await served(at(FEATURES.review))
    await page.getByRole('heading', { name: FEATURES.review.summary.title }).waitFor()
    await page.setViewportSize({ width: 1000, height: 300 })
    await page.emulateMedia({ media: 'print' })
    const cut = await page.locator('.feature').evaluate((box) => box.scrollHeight - box.clientHeight)
    expect(cut).toBeLessThan(2)
  })
  it('at 200 % of a small window a question can be read and answered', async () => {
    const page = await served(at(FEATURES.review))
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
  const touch = async (path: string, list: SessionSnapshot[] = all) => {
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
      [`${at(FEATURES.review)}?view=tree`, '.say, .tree-step .toggle, .stages > a, .link'],
      [at(FEATURES.review), '.link, .facts a, summary'],
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
    const page = await touch(at(FEATURES.review))
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
    const page = await touch(at(FEATURES.prReview, '/changes'))
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
