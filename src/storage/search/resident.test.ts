import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import type { Memory } from '#core/memory/memory.ts'
import { retrieve } from '#core/search/retrieve.ts'
import { cachedReads } from '../cached-reads.ts'
import { openSqliteStore } from '../sqlite/open.ts'
import { anySlot } from '../testing/slots.ts'
import { sqliteIndexes } from './indexes.ts'
import { residentIndexes } from './resident.ts'

async function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'grove-resident-'))
  const file = join(folder, 'grove.db')
  const opened = await openSqliteStore({ file })
  const elsewhere = await openSqliteStore({ file })
  const { store, memoriesAsOf } = cachedReads(opened, opened.writtenElsewhere)
  const stored = sqliteIndexes(file)
  const indexes = residentIndexes(stored, memoriesAsOf)
  onTestFinished(async () => {
    indexes.close()
    await opened.close()
    await elsewhere.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const isResident = async () => (await indexes.of('p')) !== (await stored.of('p'))
  const find = async (text: string) => {
    const query = { text, files: ['src/a.ts'], now: 1e12 }
    const hits = await retrieve(await indexes.of('p'), query, { minAnswer: 0, limit: 20 })
    // Whatever answers, the database would have answered the same.
    expect(hits).toEqual(await retrieve(await stored.of('p'), query, { minAnswer: 0, limit: 20 }))
    return hits.map(({ id }) => id)
  }
  return { store, elsewhere, indexes, isResident, find }
}

const memory = (n: number, goal: string, more: Partial<Memory> = {}): Memory => ({
  id: `m${n}`,
  projectId: 'p',
  sessionId: `s${n % 3}`,
  instruction: goal,
  goal,
  reasoningTrace: [`Looked at part ${n}`],
  decisions: [],
  constraints: [],
  files: ['src/a.ts', `src/part-${n % 4}/b.ts`],
  tags: [],
  status: 'complete',
  trigger: 'complete',
  createdAt: 1000 + n,
  ...more,
})

it('answers from memory what it has read ahead', async () => {
  const { store, indexes, isResident, find } = await setUp()
  await store.memories.put(memory(1, 'Parse the date'), memory(2, 'Cache the token'))
  expect(await isResident()).toBe(false)
  await indexes.readAhead('p')
  expect(await isResident()).toBe(true)
  expect(await find('the token cache')).toContain('m2')
})

it('finds what was written since, here or by another process, and then reads ahead again', async () => {
  const { store, elsewhere, indexes, isResident, find } = await setUp()
  await store.memories.put(memory(1, 'Parse the date'))
  await indexes.readAhead('p')
  for (const [n, writer] of [store, elsewhere, store, elsewhere].entries()) {
    await writer.memories.put(memory(n + 2, `Cache the token ${n}`))
    // Another process's write is seen through data_version, which is asked once per turn of the event loop.
    await nextTurn()
    expect(await find(`token ${n}`)).toContain(`m${n + 2}`)
    await indexes.readAhead('p')
    expect(await isResident()).toBe(true)
    expect(await find(`token ${n}`)).toContain(`m${n + 2}`)
  }
})

it('forgets what was deleted, and knows what was changed or came late', async () => {
  const { store, indexes, isResident, find } = await setUp()
  await store.memories.put(memory(5, 'Parse the date'), memory(6, 'Cache the token'), memory(7, 'Draw a chart'))
  await indexes.readAhead('p')
  await store.memories.remove('m6')
  await store.memories.put(memory(7, 'Draw a legend'), memory(1, 'Parse the time zone'))
  await indexes.readAhead('p')
  expect(await isResident()).toBe(true)
  expect(await find('cache the token')).not.toContain('m6')
  expect(await find('time zone')).toContain('m1')
  expect(await find('legend')).toContain('m7')
})

it('is not outdated by what has nothing to do with memories, however many sessions read ahead at once', async () => {
  const { store, indexes, isResident, find } = await setUp()
  await store.memories.put(...Array.from({ length: 30 }, (_, n) => memory(n, `Cache the token ${n}`)))
  await Promise.all([1, 2, 3].map(() => indexes.readAhead('p')))
  await store.states.put(anySlot('gate'), 's1', {}, 1)
  await store.sessions.see({ id: 's1', at: 1, through: 'hooks' })
  expect(await isResident()).toBe(true)
  expect(new Set(await find('token')).size).toBe((await find('token')).length)
})
