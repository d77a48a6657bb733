import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { launchChromium } from '../test/browser/support/chromium.ts'
import { openScene } from '../test/browser/support/daemon.ts'
import { outputLine, serveFeatures } from '../test/browser/support/edge.ts'
import { FEATURES } from '../test/browser/support/edge-features/features.ts'
import { feature } from '../test/browser/support/edge-features/session.ts'
import { AGENT } from '../test/browser/support/scene.ts'

/**
 * npm run bench web [-- --lines 60000]: what the app costs to load, how fast it answers, and whether it stays small. 60,000
 * lines are an hour of a busy session, which writes about sixteen a second.
 */

const { values } = parseArgs({ options: { lines: { type: 'string', default: '60000' } } })
const root = join(import.meta.dirname, '..', '..')
const scene = await openScene(join(root, 'dist'))
const browser = await launchChromium()
const context = await browser.newContext({ viewport: { width: 1440, height: 1000 } })
const first = await context.newPage()
await first.goto(scene.link)
await first.close()
const at = ({ summary }: (typeof FEATURES)[keyof typeof FEATURES]) =>
  `/features/${summary.projectId}/${summary.featureId}`
const features = Object.values(FEATURES)
const many = Array.from({ length: 500 }, (_, index) =>
  feature(`f-${index}`, `Feature number ${index}`, ((index % 6) + 1) as 1),
)

const ROUTES: [name: string, path: string][] = [
  ['a bare answer (/health)', '/health'],
  ['inbox', '/inbox'],
  ['features', '/features'],
  ['new feature', '/features/new'],
  ['feature', at(FEATURES.review)],
  ['agents', '/agents'],
  ['agent', `/agents/${AGENT}`],
  ['memory', '/memory'],
  ['learnings', '/learnings'],
  ['intents', '/intents'],
  ['insights', '/insights'],
  ['settings', '/settings'],
  ['team', '/settings/team'],
]

console.log('\nLoading, with an empty cache\n')
table(['view', 'requests', 'transferred', 'ready after'], await eachRoute())

console.log('\nFrom a key to the next paint, worst of 20\n')
table(
  ['where', 'worst', 'median'],
  [
    ['bare page', ...(await latency('/health', undefined))],
    ['500 features, search', ...(await latency('/features', 'Search features', many))],
    ['500 features, palette', ...(await latency('/features', 'Go anywhere', many, 240, 'Control+k'))],
    [
      '200,000 lines, search',
      ...(await latency(`${at(FEATURES.implementing)}/output`, 'Search the output', features, 200_000)),
    ],
    ['form, title', ...(await latency('/features/new', 'Title'))],
  ],
)

console.log(
  `\nMemory while ${Number(values.lines).toLocaleString('en-US')} lines of output arrive (heap after collection)\n`,
)
table(['moment', 'heap', 'nodes'], await memory(Number(values.lines)))

await browser.close()
await scene.close()

async function eachRoute(): Promise<string[][]> {
  const rows: string[][] = []
  for (const [name, path] of ROUTES) {
    const page = await fresh(context)
    let bytes = 0
    let requests = 0
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.setCacheDisabled', { cacheDisabled: true })
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength
      requests++
    })
    const before = performance.now()
    await page.goto(scene.url + path)
    if (path !== '/health') {
      await page.locator('h1').first().waitFor()
      await page.locator('[aria-busy]').first().waitFor({ state: 'detached' })
    }
    rows.push([
      name,
      String(requests),
      `${Math.round(bytes / 1024)} KB`,
      `${Math.round(performance.now() - before)} ms`,
    ])
    await page.close()
  }
  return rows
}

/** A page whose features come from the edge, so that every view has something in it. */
async function fresh(within: BrowserContext, sessions = features, lines = 240): Promise<Page> {
  const page = await within.newPage()
  await serveFeatures(page, sessions, { lines })
  return page
}

async function latency(
  path: string,
  label: string | undefined,
  sessions = features,
  lines = 240,
  /** The key that opens what is typed into. */
  opens?: string,
): Promise<[string, string]> {
  const page = await fresh(context, sessions, lines)
  await page.goto(scene.url + path)
  if (opens) {
    await page.locator('h1').first().waitFor()
    await page.keyboard.press(opens)
    await page.getByRole('dialog').waitFor()
  } else if (label) {
    await page.getByLabel(label).first().focus()
    await page.waitForTimeout(500)
  }
  await page.evaluate(`
    globalThis.paints = []
    addEventListener('keydown', (event) => {
      const from = event.timeStamp
      requestAnimationFrame(() => setTimeout(() => globalThis.paints.push(performance.now() - from)))
    }, true)`)
  for (let press = 0; press < 20; press++) {
    await page.keyboard.press('abcdefghij'[press % 10]!)
    await page.waitForTimeout(60)
  }
  const paints = (await page.evaluate<number[]>('globalThis.paints')).sort((a, b) => a - b)
  await page.close()
  return [`${Math.round(paints.at(-1) ?? 0)} ms`, `${Math.round(paints[Math.floor(paints.length / 2)] ?? 0)} ms`]
}

/** Lines come over the socket as a busy hour would bring them, only faster. */
async function memory(lines: number): Promise<string[][]> {
  const rows = [['bare page', ...(await bareHeap())]]
  const page = await fresh(context, features, 1_000)
  let say: (text: string) => void = () => {}
  await page.routeWebSocket(/\/ws/, (socket) => {
    say = (text) => socket.send(text)
  })
  await page.goto(`${scene.url}${at(FEATURES.implementing)}/output`)
  await page.getByText(/lines/).first().waitFor()
  const session = await context.newCDPSession(page)
  rows.push(['before', ...(await heap(session))])
  const { id: sessionId, projectId, featureId } = FEATURES.implementing.summary
  for (let part = 0; part < 4; part++) {
    for (let index = 0; index < lines / 4; index++) {
      const number = 1_001 + part * (lines / 4) + index
      const event = { type: 'output.line', sessionId, projectId, featureId, line: outputLine(number) }
      say(JSON.stringify({ seq: number, at: Date.now(), event }))
      if (index % 500 === 0) await page.waitForTimeout(5)
    }
    await page.waitForTimeout(500)
    rows.push([`after ${(((part + 1) * lines) / 4).toLocaleString('en-US')}`, ...(await heap(session))])
  }
  await page.close()
  return rows
}

/** What a page that does nothing takes, to hold the others against. */
async function bareHeap(): Promise<[string, string]> {
  const page = await context.newPage()
  await page.goto(`${scene.url}/health`)
  const measured = await heap(await context.newCDPSession(page))
  await page.close()
  return measured
}

async function heap(session: CDPSession): Promise<[string, string]> {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const { nodes } = await session.send('Memory.getDOMCounters')
  return [`${(usedSize / 1024 / 1024).toFixed(1)} MB`, String(nodes)]
}

function table(heads: string[], rows: string[][]): void {
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column]!.length)))
  const line = (cells: string[]) =>
    cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('   ')
  console.log([line(heads), ...rows.map(line)].join('\n'))
}
