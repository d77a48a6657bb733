import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { tooWide } from './support/axe.ts'
import { FEATURES } from './support/edge-features/features.ts'
import { question } from './support/edge-features/questions.ts'
import { feature } from './support/edge-features/session.ts'
import { at, copies, withVisitor } from './support/visitor.ts'

/** Long, foreign and huge texts, many features, a thumb, 200 %: what is read stays whole, what is pressed stays in reach. */

const { app, visit, served, touched } = withVisitor()
const ODD = 'إصلاح \u202eoverride 👩‍👩‍👧‍👦🧪 日本語のとても長い題名 ẞüß'.repeat(4).slice(0, 200)
/** Long lines: the browser itself takes seconds to paste thousands of short ones. */
const HUGE = `${'expected 2 families, got 1; '.repeat(180)}\n`.repeat(20)

/** Goes through a page with Tab; names what has the focus and cannot be seen. */
async function hiddenFocus(page: Page, presses: number): Promise<string[]> {
  const hidden = new Set<string>()
  for (let press = 0; press < presses; press++) {
    await page.keyboard.press('Tab')
    const found = await page.evaluate<string>(`(() => {
      const one = document.activeElement
      if (!one || one === document.body || one.matches('.skip, main, [role=tabpanel]')) return ''
      const { left, top, right, bottom, width, height } = one.getBoundingClientRect()
      if (width * height === 0 || height > innerHeight / 2) return ''
      const points = [0.2, 0.5, 0.8].flatMap((x) => [0.25, 0.5, 0.75].map((y) => [left + width * x, top + height * y]))
      const seen = points.some(([x, y]) => {
        const there = document.elementFromPoint(x, y)
        return there && (one.contains(there) || there.contains(one) && !there.matches('html, body') || one.labels?.[0]?.contains(there))
      })
      return seen ? '' : one.tagName + ' ' + (one.getAttribute('aria-label') ?? one.textContent).slice(0, 50)
    })()`)
    if (found) hidden.add(found)
  }
  return [...hidden]
}

describe('texts', () => {
  it('a title of letters from everywhere stays in its place in every view', async () => {
    const odd = feature('odd', ODD, 2, {
      questions: FEATURES.review.questions,
      summary: { waiting: FEATURES.review.summary.waiting },
      actions: FEATURES.review.actions,
    })
    for (const path of ['/inbox', '/features', at(odd), at(odd, '/conversation')]) {
      const { page } = await served(path, [odd])
      expect([path, await tooWide(page, [1440, 1024, 390, 360, 320])]).toEqual([path, []])
    }
    const { page } = await served('/inbox', [odd])
    await page.keyboard.press('Control+k')
    await page.keyboard.type('日本語')
    await page.getByRole('option').first().waitFor()
    expect(await tooWide(page, [1024, 360])).toEqual([])
  })
  it('an option of 500 letters with 2,000 beside it is read whole at 360', async () => {
    const label = 'Keep the old token alive '.repeat(20).trim()
    const description = 'Because a handheld in a tunnel cannot know. '.repeat(45).trim()
    const asked = feature('long', 'Long options', 1, {
      questions: [
        question('q', {
          options: [
            { value: 'a', label, description, recommended: true },
            { value: 'b', label: 'W'.repeat(500), description: '', recommended: false },
          ],
        }),
      ],
      summary: { waiting: FEATURES.review.summary.waiting },
    })
    const { page } = await served(at(asked), [asked])
    await page.getByText(label.slice(0, 60)).first().waitFor()
    expect(await tooWide(page, [1440, 390, 360])).toEqual([])
    expect(await page.locator('.option').first().innerText()).toContain(description.slice(-40))
  })
  it('signs with a meaning in patterns are only letters in a search', async () => {
    const page = await visit('/memory')
    for (const text of ['.*+?[(', '\\', 'a|b{2,}', '$^', '"tabs" \'one\'', '%', '<b>']) {
      await page.getByRole('searchbox').fill(text)
      await page.waitForTimeout(150)
      expect([text, await page.getByText('This view failed').count()]).toEqual([text, 0])
    }
    expect(page.complaints).toEqual([])
  })
  it('a log of 100 KB that is pasted into a search is searched for, or refused in words', async () => {
    for (const path of ['/memory', '/learnings', '/features', '/settings/configuration']) {
      const { page } = await served(path, [FEATURES.clean])
      await page.getByRole('searchbox').first().fill(HUGE)
      await page.waitForTimeout(900)
      const refusal = /This view failed|\b(?:40[04]|41\d|431)\b|Bad Request|undefined/
      expect([path, await page.getByText(refusal).count()]).toEqual([path, 0])
      await page.getByRole('searchbox').first().fill('')
      await page.waitForTimeout(300)
      expect([path, await page.getByText(/cannot be shown|cannot be reached/).count()]).toEqual([path, 0])
      await page.reload()
      await page.locator('h1:visible').first().waitFor()
    }
  })
  it('100 KB in an answer are kept whole, and sent whole', async () => {
    const { page, sent } = await served(at(FEATURES.breaker), [FEATURES.breaker])
    await page.getByLabel(/guidance/).check()
    await page.getByLabel('What to tell Claude').fill(HUGE)
    await page.reload()
    expect((await page.getByLabel('What to tell Claude').inputValue()).length).toBe(HUGE.length)
    await page.locator('.waits .button.primary').click()
    await page.waitForTimeout(500)
    expect(String(sent.at(-1)?.body.text).length).toBe(HUGE.trim().length)
  })
  it('a comment that is too long says so instead of losing its end', async () => {
    const { page } = await served(`${at(FEATURES.review)}?view=tree`, [FEATURES.review])
    await page.locator('.say').first().click()
    await page.locator('.thread textarea').focus()
    await page.keyboard.insertText('x'.repeat(7_000))
    const kept = (await page.locator('.thread textarea').inputValue()).length
    const says = await page.locator('.thread').innerText()
    expect(kept === 7_000 || /5,000/.test(says)).toBe(true)
  })
})

describe('500 features', () => {
  const many = copies(500, FEATURES.clean)
  it('are sorted and filtered, and the address brings it back', async () => {
    const { page } = await served('/features', many)
    await page.getByLabel('Order').selectOption('created')
    await page.getByRole('searchbox').fill('number 49')
    await page.getByText('Feature number 499').waitFor()
    await page.reload()
    await page.getByText('Feature number 499').waitFor()
    expect(await page.getByRole('searchbox').inputValue()).toBe('number 49')
    expect(await page.locator('.feature-row:not(.feature-head)').count()).toBe(15)
  })
  it('end at the last one on a phone, whose menu stays on the screen', async () => {
    const { page } = await touched('/features', many)
    await page.getByText('Feature number').first().waitFor()
    for (let tries = 0; tries < 40; tries++) {
      await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)')
      await page.waitForTimeout(60)
    }
    const last = page.getByRole('button', { name: /^More about/ }).last()
    await last.tap()
    const menu = (await page.getByRole('menu').boundingBox())!
    expect(menu.x).toBeGreaterThanOrEqual(0)
    expect(menu.x + menu.width).toBeLessThanOrEqual(390)
    expect(menu.y + menu.height).toBeLessThanOrEqual(844)
    expect(await tooWide(page, [390, 360])).toEqual([])
  })
})

describe('with a thumb', () => {
  it('comments on a line of code wherever the line is touched', async () => {
    const { page } = await touched(at(FEATURES.review, '/changes'), [FEATURES.review])
    const line = page.locator('.diff-line', { hasText: 'const family = await' })
    const { x, y, width, height } = (await line.boundingBox())!
    expect(height).toBeGreaterThanOrEqual(28)
    await page.touchscreen.tap(x + width * 0.7, y + height / 2)
    await page.getByLabel(/^Comment on src\/auth\/refresh.ts:28/).waitFor()
  })
  it('moves a comment to the line beside with what is written, where it met the wrong one', async () => {
    const { page } = await touched(at(FEATURES.review, '/changes'), [FEATURES.review])
    await page.locator('.diff-line', { hasText: 'const family = await' }).tap()
    await page.getByLabel(/^Comment on src/).fill('Not here')
    await page.getByRole('button', { name: 'The line after instead' }).tap()
    const box = page.getByLabel(/refresh.ts:29 if/)
    expect(await box.inputValue()).toBe('Not here')
    await page.getByRole('button', { name: 'Add comment' }).tap()
    await page.getByText('1 comment that Claude has not seen yet').waitFor()
    await page.reload()
    expect(await page.locator('.diff-comment textarea').count()).toBe(0)
    expect(await tooWide(page, [390, 360])).toEqual([])
  })
  it('reads the whole of a long title by touching it', async () => {
    const { page } = await touched(at(FEATURES.expired), [FEATURES.expired])
    const title = page.getByRole('heading', { level: 1 })
    const before = (await title.boundingBox())!.height
    await title.getByRole('button').tap()
    expect((await title.boundingBox())!.height).toBeGreaterThan(before)
    expect(await tooWide(page, [390, 360])).toEqual([])
  })
  it('reads a dialog that is longer than the screen, and closes it', async () => {
    const { page } = await touched(at(FEATURES.review), [FEATURES.review])
    await page.route(/plan\/versions/, (route) =>
      route.fulfill({
        json: {
          versions: Array.from({ length: 40 }, (_, index) => ({
            version: 40 - index,
            hash: `h${index}`,
            steps: 9,
            reason: 'Question: Which one?; Question: And why?',
            isApproved: false,
            createdAt: new Date(0).toISOString(),
          })),
        },
      }),
    )
    await page
      .getByRole('button', { name: 'Plan', exact: true })
      .or(page.getByRole('tab', { name: 'Plan' }))
      .or(page.getByRole('link', { name: 'Plan', exact: true }))
      .first()
      .tap()
    await page.getByRole('button', { name: 'Versions' }).tap()
    await page.getByText('v1, 9 steps').scrollIntoViewIfNeeded()
    expect(await page.getByText('v1, 9 steps').isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Close' }).tap()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
  it('sees what it has done above the bar, and the button of a form above that', async () => {
    const { page } = await touched('/memory/mem_3', [])
    await page.getByRole('button', { name: 'More about this memory' }).tap()
    await page.getByRole('menuitem', { name: /Delete/ }).tap()
    const toast = (await page.locator('.toast').boundingBox())!
    const bar = (await page.locator('.rail').boundingBox())!
    expect(toast.y + toast.height).toBeLessThanOrEqual(bar.y)
    await page.getByRole('button', { name: 'Undo' }).tap()
  })
  it('may make everything larger', async () => {
    const { page } = await touched('/inbox', [])
    expect(await page.locator('meta[name=viewport]').getAttribute('content')).not.toMatch(/user-scalable|maximum-scale/)
  })
  it('has an icon for the home screen', async () => {
    const { page } = await touched('/inbox', [])
    const href = await page.locator('link[rel=apple-touch-icon]').getAttribute('href')
    const [status, type, first] = await page.evaluate<[number, string, number]>(
      `fetch(${JSON.stringify(href)}).then(async (answer) => [answer.status, answer.headers.get('content-type'), new Uint8Array(await answer.arrayBuffer())[0]])`,
    )
    expect([status, type, first]).toEqual([200, 'image/png', 0x89])
  })
})

describe('what waits for a person', () => {
  it('keeps the height of the window while something is read below the plan', async () => {
    const { page } = await served(at(FEATURES.review, '/changes'), [FEATURES.review])
    for (const [width, height] of [
      [1440, 900],
      [1024, 700],
    ] as const) {
      await page.setViewportSize({ width, height })
      const waits = (await page.locator('.band.waits').boundingBox())!
      const below = (await page.locator('.foot').boundingBox())!
      expect([width, Math.round(waits.y + waits.height)]).toEqual([width, height])
      expect(below.x + below.width).toBeLessThanOrEqual(waits.x)
    }
  })
  it('is not sent before somebody was told of the questions out of sight', async () => {
    for (const path of [at(FEATURES.review), '/inbox']) {
      const { page } = await served(path, [FEATURES.review])
      await page.setViewportSize({ width: 1024, height: 500 })
      await page.reload()
      await page.getByText('1 more question below').waitFor()
      await page.keyboard.press('j')
      await page.getByText('Claude continues with your answers').waitFor()
      expect(await page.getByText(FEATURES.review.questions[1]!.questionText).isVisible()).toBe(true)
    }
  })
  it('is commented on beside its words, never over them', async () => {
    const { page } = await served(`${at(FEATURES.review)}?view=tree`, [FEATURES.review])
    for (const width of [1440, 1024]) {
      await page.setViewportSize({ width, height: 900 })
      const covered = await page.evaluate<string[]>(`[...document.querySelectorAll('.commentable')].flatMap((line) => {
        const words = document.createRange()
        words.selectNodeContents(line.querySelector('.text'))
        const icon = line.querySelector('.say').getBoundingClientRect()
        const isOver = [...words.getClientRects()].some(
          (rect) => rect.right > icon.left && rect.bottom > icon.top && rect.top < icon.bottom,
        )
        return isOver ? [line.textContent.slice(0, 60)] : []
      })`)
      expect([width, covered]).toEqual([width, []])
    }
  })
})

describe('at 200 %', () => {
  it.each([
    ['/features/new', 45],
    ['/inbox', 30],
    [at(FEATURES.review), 45],
    [at(FEATURES.breaker), 40],
    ['/memory/mem_0', 30],
    ['/settings', 25],
  ])('in %s nothing covers what has the focus', async (path, presses) => {
    const { page } = await served(path, [FEATURES.review, FEATURES.breaker])
    await page.setViewportSize({ width: 720, height: 450 })
    await page.locator('[aria-busy]').first().waitFor({ state: 'detached' })
    expect(await hiddenFocus(page, presses)).toEqual([])
  })
  it('on a phone nothing covers what has the focus', async () => {
    for (const path of ['/features/new', at(FEATURES.review), '/inbox']) {
      const { page } = await served(path, [FEATURES.review])
      await page.setViewportSize({ width: 360, height: 640 })
      await page.locator('[aria-busy]').first().waitFor({ state: 'detached' })
      expect([path, await hiddenFocus(page, 40)]).toEqual([path, []])
    }
    expect(app.scene.url).toContain('http')
  })
})
