import type { Locator, Page } from 'playwright-core'

/** More than any page has to offer. */
const MOST = 300

/** Presses Tab until something has the focus, as a person without a mouse does; false when it goes away meanwhile. */
export async function tabTo(page: Page, wanted: Locator): Promise<boolean> {
  for (let presses = 0; presses < MOST; presses++) {
    const [isFocused] = await wanted.evaluateAll((found) => found.map((one) => one === one.ownerDocument.activeElement))
    if (isFocused === undefined) return false
    if (isFocused) return true
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${wanted}`)
}
