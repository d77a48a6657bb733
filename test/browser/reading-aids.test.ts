import { describe, expect, it } from 'vitest'
import { tooWide } from './support/axe.ts'
import { FEATURES } from './support/edge-features/features.ts'
import { PLACES } from './support/places.ts'
import { AGENT } from './support/scene.ts'
import { at, withVisitor } from './support/visitor.ts'

/** 200 %, headings and names for a screen reader, the focus in sight, no motion. */

const { visit, served } = withVisitor()

describe('a person who reads in another way', () => {
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
    const { page } = await served(at(FEATURES.review), [FEATURES.review])
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
    const { page } = await served('/inbox', [FEATURES.implementing, FEATURES.clean])
    await page.locator('.item').first().waitFor()
    const moving = await page.evaluate<string[]>(`[...document.querySelectorAll('*')].filter((one) => {
      const look = getComputedStyle(one)
      return [look.animationDuration, look.transitionDuration].some((time) => time.split(', ').some((part) => parseFloat(part) > 0.01))
    }).map((one) => one.className.toString()).slice(0, 5)`)
    expect(moving).toEqual([])
  })
})
