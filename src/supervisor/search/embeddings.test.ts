import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { loadConfig } from '#config/load.ts'
import type { Memory } from '#core/memory/memory.ts'
import type { OpenMemory } from '#daemon/compose/memory.ts'
import { type OpenWorld, openWorld } from '#daemon/compose/world.ts'
import { keepIndexed } from '#daemon/process/keep-indexed.ts'

let home: string
let world: OpenWorld
let memory: OpenMemory
let server: Server
let answers: boolean
let asked: string[]
const log = { debug() {}, info() {}, warn() {}, error() {} }
const clock = { now: () => 1_000 * 86_400_000 }

beforeEach(async () => {
  answers = true
  asked = []
  server = createServer(async (request, response) => {
    const { input } = JSON.parse(await text(request)) as { input: string[] }
    asked.push(...input)
    if (!answers) return
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ data: input.map((one, index) => ({ index, embedding: meaning(one) })) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  home = mkdtempSync(join(tmpdir(), 'grove-embeddings-'))
})

afterEach(async () => {
  await world.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  rmSync(home, { recursive: true, force: true })
})

/** A model that knows two things: signing in, and money. */
function meaning(text: string): number[] {
  return [/login|sign|credential/i.test(text) ? 1 : 0, /price|invoice|pay/i.test(text) ? 1 : 0, 0.1]
}

async function remembering(goals: string[], url?: string) {
  const config = loadConfig({ env: { GROVE_HOME: home, ...(url && { GROVE_EMBEDDINGS_URL: url }) }, cwd: home })
  world = openWorld({ config, clock, log })
  memory = await world.memory()
  await (await world.store()).memories.put(...goals.map(memoryOf))
  return { config, indexing: keepIndexed(memory.indexes, log, memory.embedder()) }
}

const memoryOf = (goal: string, n: number): Memory => ({
  id: `m${n}`,
  projectId: 'p',
  instruction: goal,
  goal,
  reasoningTrace: [],
  decisions: [],
  constraints: [],
  files: [`src/f${n}.ts`],
  tags: [],
  status: 'complete',
  trigger: 'complete',
  createdAt: (900 + n) * 86_400_000,
})

const GOALS = [
  'Remember the login for a week',
  'Round every price down',
  'Draw the map',
  'Sort the list',
  'Write invoices',
]
const serviceUrl = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
const first = async (text: string) => (await memory.find('p', { text, limit: 5 }))[0]?.memoryId

it('finds by meaning what shares no word, once every memory has its vector', async () => {
  const { indexing } = await remembering(GOALS, serviceUrl())
  await expect.poll(() => memory.indexes.vectors.missing('nomic-embed-text', 9)).toEqual([])
  await indexing.stop()
  expect(await first('credentials are forgotten')).toBe('m0')
  expect(asked).toContain('credentials are forgotten')
})

it('finds as without it when the service is silent', async () => {
  answers = false
  const { config, indexing } = await remembering(GOALS, serviceUrl())
  await expect.poll(() => asked).not.toEqual([])
  await indexing.stop()
  expect(config.embeddings.timeoutMs).toBeLessThan(1_000)
  expect(await first('the map is blank')).toBe('m2')
})

it('asks nobody unless an address is set', async () => {
  const { indexing } = await remembering(GOALS)
  await indexing.stop()
  expect(await first('the map is blank')).toBe('m2')
  expect(asked).toEqual([])
})
