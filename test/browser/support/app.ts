import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { shared } from '../../support/run/shared.ts'
import { launchChromium } from './chromium.ts'
import { openScene, type Scene, type SceneOptions } from './daemon.ts'

/** One browser and one daemon for a test file; each test has pages of its own. */
export function withApp(options: SceneOptions = {}) {
  const app = {} as { browser: Browser; scene: Scene }
  beforeAll(async () => {
    const dist = (await shared('binary'))!
    const [browser, scene] = await Promise.all([launchChromium(), openScene(dist, options)])
    Object.assign(app, { browser, scene })
  }, 900_000)
  afterAll(async () => {
    await app.browser?.close()
    await app.scene?.close()
  })

  /** A person's browser: it has opened the link once, and complains about nothing. */
  async function person(
    whenFinished: (work: () => Promise<void>) => void,
    more: Parameters<Browser['newContext']>[0] = {},
  ): Promise<BrowserContext> {
    const context = await app.browser.newContext({ reducedMotion: 'reduce', ...more })
    context.setDefaultTimeout(60_000)
    whenFinished(() => context.close())
    const page = await context.newPage()
    await page.goto(app.scene.link)
    await page.close()
    return context
  }

  /** A page that fails the test when something in it fails. */
  async function open(
    context: BrowserContext,
    path: string,
    prepare?: (page: Page) => Promise<unknown>,
  ): Promise<Page & { complaints: string[] }> {
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => {
      // A status is what the server says, and the page shows it; everything else is a mistake of ours.
      if (message.type() === 'error' && !/status of|ERR_CONNECTION|WebSocket connection/.test(message.text()))
        complaints.push(message.text())
    })
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url())
      if (origin !== app.scene.url && !protocol.startsWith('data') && !protocol.startsWith('blob'))
        complaints.push(`asked ${request.url()}`)
    })
    await prepare?.(page)
    await page.goto(app.scene.url + path)
    await page.locator('h1:visible').first().waitFor()
    return Object.assign(page, { complaints })
  }
  return { app, person, open }
}

/** Waits until something holds. */
export async function until<T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  for (let tries = 0; tries < 200; tries++) {
    const value = await read()
    if (holds(value)) return value
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  expect.fail('it never came true')
}
