import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, onTestFinished } from 'vitest'
import type { SessionSnapshot } from '../../../src/protocol/api/sessions.ts'
import { withApp } from './app.ts'
import { serveFeatures } from './edge.ts'
import { FEATURES } from './edge-features/features.ts'
import { AGENT } from './scene.ts'

interface Asked {
  id: string
  what: string
  status: string
}

/** Pages of a browser in which nothing is kept yet, on features that a test makes up and an agent that asks for approvals. */
export function withFreshPages() {
  const { app, open } = withApp({ settings: 'allowed_hosts = ["grove.test"]\n' })
  let context: BrowserContext
  let calls = 0

  /** The agent wants to write; what it waits for is answered when the test is over. */
  function write(name: string): Promise<unknown> {
    const asked = app.scene.hook('pre-tool-use', {
      session_id: AGENT,
      hook_event_name: 'PreToolUse',
      cwd: app.scene.dir,
      tool_name: 'Write',
      tool_input: { file_path: join(app.scene.dir, name), content: 'x' },
      tool_use_id: `toolu_fresh_${++calls}`,
    })
    asked.catch(() => {})
    onTestFinished(clear)
    return asked
  }

  const pending = async () =>
    ((await app.scene.get('/api/approvals')) as { approvals: Asked[] }).approvals.filter(
      ({ status }) => status === 'pending',
    )

  async function clear() {
    const left = await pending()
    if (left.length === 0) return
    const person = await app.browser.newContext()
    const page = await person.newPage()
    await page.goto(app.scene.link)
    for (const { id } of left)
      await page.evaluate(`(async () => {
        const headers = { 'x-grove-page': document.querySelector('meta[name=grove-page]').content, 'content-type': 'application/json' }
        const ask = (url, body, more) => fetch(url, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) })
        const { gesture } = await (await ask('/api/gestures', { for: 'POST /api/approvals/${id}' })).json()
        await ask('/api/approvals/${id}', { answer: 'reject' }, { 'x-grove-gesture': gesture })
      })()`)
    await person.close()
  }

  beforeAll(async () => {
    await app.scene.grove('intent', 'select', 'INT-014', '--session', AGENT)
    context = await app.browser.newContext({ reducedMotion: 'reduce' })
    context.setDefaultTimeout(30_000)
    const first = await context.newPage()
    await first.goto(app.scene.link)
    // A page of the same origin in which nothing runs, and nothing is sent.
    await first.goto(`${app.scene.url}/icon.svg`)
  })

  /** A page of a browser in which nothing is kept yet. */
  const visit = async (path: string, prepare?: (page: Page) => Promise<unknown>) => {
    await context.pages()[0]!.evaluate('localStorage.clear()')
    const page = await open(context, path, prepare)
    onTestFinished(() => page.close())
    return page
  }

  const served = (path: string, list: SessionSnapshot[] = allFeatures, options = {}) =>
    visit(path, (tab) => serveFeatures(tab, list, options))

  return { app, open, write, pending, visit, served, context: () => context }
}

export const allFeatures: SessionSnapshot[] = Object.values(FEATURES)

export const addressOf = ({ summary }: SessionSnapshot, tab = '') =>
  `/features/${summary.projectId}/${summary.featureId}${tab}`

/** Many of the same, each with a name of its own. */
export const copies = (count: number, of: SessionSnapshot): SessionSnapshot[] =>
  Array.from({ length: count }, (_, index) => {
    const own = { id: `ses_${index}`, featureId: `f${index}`, title: `Feature number ${index}` }
    const waiting = of.summary.waiting.map((one) => ({ ...one, featureId: own.featureId, title: `Plan ${index}` }))
    return { ...of, summary: { ...of.summary, ...own, waiting } }
  })
