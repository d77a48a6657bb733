import { describe, expect, it } from 'vitest'
import type { SessionSnapshot } from '../../src/protocol/api/sessions.ts'
import { tooWide } from './support/axe.ts'
import { FEATURES } from './support/edge-features/features.ts'
import { feature } from './support/edge-features/session.ts'
import { at, copies, withVisitor } from './support/visitor.ts'

/** A lead who reads and decides on a phone. */

const { touched } = withVisitor()
const DONE = feature('done', 'Metrics without user ids', 6, { summary: { status: 'completed' } })
const PAUSED = feature('paused', 'Weigh parcels at the dock', 2, { summary: { status: 'paused' } })

describe('a lead on a phone', () => {
  it.each([
    ['/inbox', [FEATURES.review, FEATURES.clean]],
    ['/features', [FEATURES.review, FEATURES.breaker]],
    [at(FEATURES.review), [FEATURES.review]],
    [at(FEATURES.breaker), [FEATURES.breaker]],
    ['/features/new', []],
  ] as [string, SessionSnapshot[]][])('hits what it aims at on %s', async (path, list) => {
    const { page } = await touched(path, list)
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
    const { page } = await touched('/inbox', [FEATURES.review])
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
      const { page } = await touched(at(one), [one])
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
    const { page } = await touched('/inbox', [FEATURES.clean, FEATURES.breaker])
    const title = page.locator('.item .title').first()
    await title.tap()
    await page.locator('.item.open').waitFor()
    await title.tap()
    await page.locator('.item.open').waitFor({ state: 'detached' })
  })
  it('approves a plan from the inbox, having read it', async () => {
    const { page } = await touched('/inbox', [FEATURES.clean])
    await page.locator('.item .title').first().tap()
    await page.getByText('Plan v').first().waitFor()
    const sign = page.getByLabel(/^I approve plan/)
    if ((await sign.count()) > 0) await sign.tap()
    await page.getByRole('button', { name: /^Approve plan/ }).tap()
    await page.getByText(/is approved/).waitFor()
  })
  it('writes a comment on a line with the thumb', async () => {
    const { page } = await touched(`${at(FEATURES.review)}?view=tree`, [FEATURES.review])
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
      const { page } = await touched(path, list)
      await page.waitForTimeout(300)
      expect([path, await tooWide(page, [390, 360])]).toEqual([path, []])
    }
  })
  it('finds the other places behind More, within reach of the thumb', async () => {
    const { page } = await touched('/inbox', [])
    await page.getByRole('button', { name: 'More', exact: true }).tap()
    const box = (await page.getByRole('dialog').boundingBox())!
    expect(box.y).toBeGreaterThan(844 / 3)
    await page.getByRole('link', { name: 'Insights' }).tap()
    await page.getByRole('heading', { name: 'Insights' }).waitFor()
  })
})
