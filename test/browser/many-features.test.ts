import { describe, expect, it } from 'vitest'
import { until } from './support/app.ts'
import { serveFeatures } from './support/edge.ts'
import { FEATURES } from './support/edge-features/features.ts'
import { question } from './support/edge-features/questions.ts'
import { feature } from './support/edge-features/session.ts'
import { AGENT } from './support/scene.ts'
import { at, copies, withVisitor } from './support/visitor.ts'

/** An engineer with eight features under way and 500 finished ones: long lists, plans, changes and stories. */

const { visit, another, served } = withVisitor()
const DONE = feature('done', 'Metrics without user ids', 6, { summary: { status: 'completed' } })

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
    const { page } = await served('/features', everything)
    await page.getByText('Feature number').first().waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('number 499', { delay: 5 })
    await page.getByText('Feature number 499', { exact: true }).waitFor()
    expect(await page.getByLabel('Search features').inputValue()).toBe('number 499')
  })
  it('comes back to the place in the list', async () => {
    const { page } = await served('/features', everything)
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
    const { page } = await served('/inbox', [FEATURES.review, FEATURES.clean])
    await page.locator('.item.open .question').first().waitFor()
    for (let press = 0; press < 3; press++) await page.keyboard.press('j')
    await page.locator('.item.open').getByText('Plan v', { exact: false }).first().waitFor()
    await page.keyboard.press('k')
    await page.locator('.item.open .question').first().waitFor()
  })
  it('presses a button with Enter, and not the answer beside it', async () => {
    const sent: unknown[] = []
    const { page } = await served('/inbox', [FEATURES.review, FEATURES.clean], {
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
    const { page } = await served('/inbox', copies(30, FEATURES.review))
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
    const { page } = await served('/inbox', [{ ...FEATURES.clean, plan: { ...FEATURES.clean.plan!, steps } }])
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
    const { page } = await served(at(FEATURES.review), [{ ...FEATURES.review, questions: many }])
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
    const first = page.getByText('Warning 1', { exact: true })
    const more = page.getByRole('button', { name: /Show .*(more|earlier)/ })
    for (let press = 0; press < 12 && (await first.count()) === 0; press++) {
      await more.click()
      await first.or(more).first().waitFor()
    }
    await first.waitFor()
  })
  it('prints the plan of a feature whole', async () => {
    const { page } = await served(`${at(FEATURES.review)}?view=tree`, [FEATURES.review])
    await page.getByText('Plan v').first().waitFor()
    await page.emulateMedia({ media: 'print' })
    const cut = await page.locator('.band.plan .band-body').evaluate((box) => box.scrollHeight - box.clientHeight)
    expect(cut).toBeLessThan(2)
  })
  it('reloads in a dialog, and nothing was done by it', async () => {
    const sent: unknown[] = []
    const { page } = await served(at(FEATURES.breaker), [FEATURES.breaker], {
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
    const { page } = await served('/inbox', [FEATURES.clean])
    const other = await another('/inbox', (tab) => serveFeatures(tab, [FEATURES.clean]))
    await page.getByRole('button', { name: /^Snooze/ }).click()
    await other.getByRole('tab', { name: 'Snoozed 1' }).waitFor()
  })
  it('chooses the theme in one tab, and the other follows', async () => {
    const page = await visit('/settings')
    const other = await another('/inbox')
    await page.getByRole('tab', { name: 'Dark' }).click()
    await until(
      () => other.evaluate<string>('document.documentElement.dataset.theme ?? ""'),
      (theme) => theme === 'dark',
    )
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
