import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { readConfig } from '../../src/config/load.ts'
import type { Log } from '../../src/core/ports/runtime.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { gitOn } from '../../src/daemon/compose/git.ts'
import { guardWorld } from '../../src/daemon/compose/guard.ts'
import { learningWorld } from '../../src/daemon/compose/learning.ts'
import { traceWorld } from '../../src/daemon/compose/trace.ts'
import { workflowEngine } from '../../src/daemon/compose/workflow.ts'
import { agentsIn } from '../../src/server/agents.ts'
import { keysOf } from '../../src/server/keys.ts'
import { LiveFeed } from '../../src/server/live.ts'
import { buildServer } from '../../src/server/server.ts'
import { openSqliteStore } from '../../src/storage/sqlite/open.ts'
import { explainedFindings } from '../../src/supervisor/canary/findings.ts'
import type { MemoryWorld } from '../../src/supervisor/memory/world.ts'
import { checkAnswers, person } from './checked-api.ts'

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} }

export const NOW = 1_800_000_000_000
export const keys = keysOf('the-token')
export const TOOL = { authorization: 'Bearer the-token' }
export const at = (url: string, headers: Record<string, string> = TOOL) => ({
  url,
  headers: { host: 'localhost:3333', ...headers },
})

export const SCRIPT = 'export {}\n'.repeat(100)
const webFolder = mkdtempSync(join(tmpdir(), 'grove-web-'))
mkdirSync(join(webFolder, 'assets'))
writeFileSync(join(webFolder, 'index.html'), '<!doctype html><meta name="grove-page" content="%GROVE_PAGE_KEY%">')
writeFileSync(join(webFolder, 'assets', 'main-abc.js'), SCRIPT)
writeFileSync(join(webFolder, 'icon.svg'), '<svg/>')

/** A store in memory for each test of a file. */
export function storeForEach(take: (store: Store) => void): void {
  let store: Store
  beforeEach(async () => {
    store = await openSqliteStore({ file: ':memory:' })
    take(store)
  })
  afterEach(() => store.close())
}

/** The whole server over a store, of version 1.2.3, at a time that stands still; nothing of the machine is read. */
export function apiServer(store: Store, env: Record<string, string> = {}, log: Log = silent) {
  const { config } = readConfig({ env: { GROVE_HOME: '/nowhere', ...env }, cwd: tmpdir() })
  const agents = agentsIn(store, () => NOW)
  const { states, injections } = store
  const parts = { config, settingsAt: () => config, states, injections, clock: { now: () => NOW }, log }
  const git = gitOn(states, parts.clock)
  const guard = guardWorld({ ...parts, notify() {} })
  const learning = learningWorld({ ...parts, git })
  const memory: MemoryWorld = {
    store,
    clock: { now: () => NOW },
    log: silent,
    user: 'ada',
    // Retrieval has its own tests; here the newest are the best.
    find: async (projectId, { limit }) =>
      (await store.memories.list(projectId, { limit })).map(({ id }) => ({
        memoryId: id,
        confidence: 0.5,
        why: 'new',
        shared: { words: 1, files: 0 },
      })),
    workPlace: async () => ({}),
    mergedAmong: async () => new Set(),
    settingsAt: () => ({ remember: true, perSession: 5, confidence: 0.5 }),
  }
  const app = buildServer({
    config,
    agents,
    guard,
    learning,
    trace: traceWorld(config),
    projects: () => store.projects.list(),
    findings: () => explainedFindings(store.states),
    memory,
    features: workflowEngine({ ...parts, guard, learning, memory, publish() {} }),
    version: '1.2.3',
    keys,
    peers: person,
    webFolder,
    live: new LiveFeed(() => NOW),
    log,
    pauses: { list: async () => [], pause: async () => {}, resume: async () => [] },
    self: {
      settings: () => ({ settings: [], problems: [] }),
      doctor: async () => [],
      fix: async () => 'done',
      scene: () => null,
    },
  })
  checkAnswers(app)
  return app
}
