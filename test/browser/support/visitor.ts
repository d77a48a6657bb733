import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, onTestFinished } from 'vitest'
import type { SessionSnapshot } from '../../../src/protocol/api/sessions.ts'
import { withApp } from './app.ts'
import { serveFeatures } from './edge.ts'

export const at = ({ summary }: SessionSnapshot, tab = '') =>
  `/features/${summary.projectId}/${summary.featureId}${tab}`

/** A desk and a phone that know the app; each page begins with nothing kept, and is closed with its test. */
export function withVisitor() {
  const { app, open } = withApp()
  const contexts = {} as { desk: BrowserContext; phone: BrowserContext }
  beforeAll(async () => {
    const letIn = async (more: object) => {
      const context = await app.browser.newContext({ reducedMotion: 'reduce', ...more })
      context.setDefaultTimeout(15_000)
      const page = await context.newPage()
      await page.goto(app.scene.link)
      // Of the same origin, and nothing runs in it.
      await page.goto(`${app.scene.url}/icon.svg`)
      return context
    }
    const hand = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
    Object.assign(contexts, { desk: await letIn({}), phone: await letIn(hand) })
  })
  const visit = async (path: string, prepare?: (page: Page) => Promise<unknown>, context = contexts.desk) => {
    await context.pages()[0]!.evaluate('localStorage.clear()')
    return another(path, prepare, context)
  }
  /** One more page beside those that are open: what is kept stays. */
  const another = async (path: string, prepare?: (page: Page) => Promise<unknown>, context = contexts.desk) => {
    const page = await open(context, path, prepare)
    onTestFinished(() => page.close())
    return page
  }
  /** With features that the network's edge tells of; what was sent to them is in `sent`. */
  const served = async (
    path: string,
    list: SessionSnapshot[],
    options: Parameters<typeof serveFeatures>[2] = {},
    context = contexts.desk,
  ) => {
    let sent: Awaited<ReturnType<typeof serveFeatures>>['sent'] = []
    const page = await visit(
      path,
      async (tab) => {
        sent = (await serveFeatures(tab, list, options)).sent
      },
      context,
    )
    return { page, sent }
  }
  const touched = (path: string, list: SessionSnapshot[], options = {}) => served(path, list, options, contexts.phone)
  return { app, contexts, visit, another, served, touched }
}

/** Many of the same, each with a name of its own. */
export const copies = (count: number, of: SessionSnapshot): SessionSnapshot[] =>
  Array.from({ length: count }, (_, index) => {
    const own = { id: `ses_${index}`, featureId: `f${index}`, title: `Feature number ${index}` }
    const waiting = of.summary.waiting.map((one) => ({ ...one, featureId: own.featureId, sessionTitle: own.title }))
    return { ...of, summary: { ...of.summary, ...own, waiting } }
  })
