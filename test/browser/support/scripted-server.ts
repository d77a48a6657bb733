import { mkdir, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import type { BrowserContext } from 'playwright-core'
import { loadConfig } from '../../../src/config/load.ts'
import { openWorld } from '../../../src/daemon/compose/world.ts'
import { agentsIn } from '../../../src/server/agents.ts'
import { keysOf } from '../../../src/server/keys.ts'
import { LiveFeed } from '../../../src/server/live.ts'
import { buildServer } from '../../../src/server/server.ts'
import { explainedFindings } from '../../../src/supervisor/canary/findings.ts'
import { person } from '../../support/checked-api.ts'
import { setFeatureStage } from '../../support/feature-stage.ts'
import { shared } from '../../support/run/shared.ts'
import { type Script, scriptedAgent, type Turn } from '../../support/scripted-agent.ts'
import { launchChromium } from './chromium.ts'

type WhenFinished = (work: () => Promise<void> | void) => void
const silent = { debug() {}, info() {}, warn() {}, error() {} }

export const step = (id: string, path: string) => ({
  id,
  title: `Write ${path}`,
  description: 'As decided',
  complexity: 'low',
  criteria: ['All tests pass'],
  paths: [path],
})

export async function put({ run }: Turn, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(run.cwd, path)), { recursive: true })
  await writeFile(join(run.cwd, path), text)
}

/** The real server and the real engine on a real repository; only Claude's turns are written down. */
export async function serveScripted(
  whenFinished: WhenFinished,
  scripts: Script[] | ((turn: Turn) => Script | undefined),
  options: Parameters<typeof setFeatureStage>[2] = {},
) {
  const dist = (await shared('binary'))!
  const next = Array.isArray(scripts) ? () => scripts.shift() : scripts
  const stage = await setFeatureStage(whenFinished, scriptedAgent(next), options)
  const config = loadConfig({ env: { GROVE_HOME: stage.home }, cwd: stage.home })
  const live = new LiveFeed(Date.now)
  stage.events.push = (...events) => {
    for (const event of events) live.publish(event)
    return 0
  }
  const world = openWorld({ config, log: silent })
  whenFinished(() => world.close())
  const [store, memory, learning, guard, trace, pauses] = await Promise.all([
    world.store(),
    world.memory(),
    world.learning(),
    world.guard(),
    world.trace(),
    world.pauses(),
  ])
  const keys = keysOf('a-token-of-this-test')
  const app = buildServer({
    config,
    version: '1.2.3',
    keys,
    peers: person,
    webFolder: join(dist, 'web'),
    live,
    log: silent,
    agents: agentsIn(store, Date.now),
    projects: () => store.projects.list(),
    findings: () => explainedFindings(store.states),
    memory,
    learning,
    guard,
    trace,
    pauses,
    features: stage.engine,
    self: {
      settings: () => ({ settings: [], problems: [] }),
      doctor: async () => [],
      fix: async () => 'done',
      scene: () => null,
    },
  })
  whenFinished(() => app.close())
  await app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const browser = await launchChromium()
  whenFinished(() => browser.close())
  const complaints: string[] = []
  /** A browser of somebody, let in by a link. */
  const visit = async (path = `/?token=${keys.link}`, context?: BrowserContext) => {
    const within = context ?? (await browser.newContext({ reducedMotion: 'reduce' }))
    within.setDefaultTimeout(60_000)
    const page = await within.newPage()
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(url + path)
    return page
  }
  return { url, visit, complaints, project: stage.project, engine: stage.engine, home: stage.home, begin: stage.begin }
}
