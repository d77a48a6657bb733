import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { StatsEvent } from '#core/learning/stats.ts'
import type { StateStore } from '#core/ports/state.ts'
import type { Store } from '#core/ports/store.ts'
import { SLOTS } from '#supervisor/state-slots.ts'
import { openSqliteStore } from '../sqlite/open.ts'
import { anySlot } from '../testing/slots.ts'
import { statsLog } from './stats-log.ts'

let folder: string
let store: Store
const path = () => join(folder, '.grove', 'stats.log')
const open = (states: StateStore = store.states) =>
  statsLog(path(), { states, slot: SLOTS.stats, clock: { now: () => 5 } })
const shown = (learning: string, at = 1000): StatsEvent => ({ type: 'surfaced', at, learning, session: 's1' })
const used = (learning: string, at = 2000): StatsEvent => ({
  type: 'referenced',
  at,
  learning,
  session: 's1',
  how: 'ran it',
})

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'grove-stats-'))
  store = await openSqliteStore({ file: join(folder, 'grove.db') })
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('the stats log', () => {
  it('holds one event per line, for people and programs', async () => {
    await open().append([shown('lrn_a'), used('lrn_a')])
    const lines = readFileSync(path(), 'utf8').trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { at: '1970-01-01T00:00:01.000Z', type: 'surfaced', learning: 'lrn_a', session: 's1' },
      { at: '1970-01-01T00:00:02.000Z', type: 'referenced', learning: 'lrn_a', session: 's1', how: 'ran it' },
    ])
  })

  it('adds up, and reads on where it stopped', async () => {
    await open().append([shown('lrn_a'), used('lrn_a')])
    expect((await open().read()).stats.learnings.lrn_a).toMatchObject({ surfaced: 1, referenced: 1 })
    await open().append([shown('lrn_a'), shown('lrn_b')])
    const { stats } = await open().read()
    expect(stats.learnings.lrn_a).toMatchObject({ surfaced: 2, referenced: 1, lastReferencedAt: 2000 })
    expect(stats.learnings.lrn_b).toMatchObject({ surfaced: 1 })
    expect(await open().read()).toEqual({ stats, damaged: 0 })
  })

  it('is empty before anything happened', async () => {
    expect((await open().read()).stats.counts.produced).toBe(0)
  })

  it('passes over lines that make no sense, and says how many', async () => {
    await open().append([shown('lrn_a')])
    appendFileSync(
      path(),
      '{"at":"2026\n<<<<<<< HEAD\n{"type":"surfaced","at":"2026-01-01T00:00:00Z"}\n{"type":"new kind"}\n',
    )
    await open().append([shown('lrn_b')])
    const { stats, damaged } = await open().read()
    expect(damaged).toBe(4)
    expect(Object.keys(stats.learnings)).toEqual(['lrn_a', 'lrn_b'])
  })

  it('goes on after a line that was cut off', async () => {
    await open().append([shown('lrn_a')])
    appendFileSync(path(), '{"at":"2026-01-0')
    await open().read()
    await open().append([shown('lrn_b')])
    const { stats, damaged } = await open().read()
    expect(Object.keys(stats.learnings)).toEqual(['lrn_a', 'lrn_b'])
    expect(damaged).toBe(1)
  })

  it('is read on where it stopped, also when that was within a letter', async () => {
    await open().append([shown('lrn_a')])
    const line = Buffer.from(`${JSON.stringify({ ...shown('lrn_é'), at: '2026-01-01T00:00:00Z' })}\n`)
    const cut = line.indexOf('é') + 1
    appendFileSync(path(), line.subarray(0, cut))
    expect((await open().read()).stats.learnings).toHaveProperty('lrn_a')
    appendFileSync(path(), line.subarray(cut))
    const { stats, damaged } = await open().read()
    expect([Object.keys(stats.learnings), damaged]).toEqual([['lrn_a', 'lrn_é'], 0])
  })

  it('is read in pieces when it is long, whatever is in it', async () => {
    await open().append([shown('lrn_a')])
    const text = readFileSync(path(), 'utf8')
    writeFileSync(path(), `${text.repeat(30_000)}${'x'.repeat(9_000_000)}\n${text.repeat(30_000)}`)
    const { stats, damaged } = await open().read()
    expect([stats.learnings.lrn_a?.surfaced, damaged]).toEqual([60_000, 1])
    await open().append([shown('lrn_b')])
    expect((await open().read()).stats.learnings).toMatchObject({ lrn_a: { surfaced: 60_000 }, lrn_b: { surfaced: 1 } })
  })

  it('is mended by taking out what makes no sense, which is kept beside it', async () => {
    await open().append([shown('lrn_a')])
    appendFileSync(path(), 'nonsense\n')
    await open().append([shown('lrn_b')])
    expect(await open().rebuild()).toEqual({ events: 2, damaged: 1 })
    expect(readFileSync(path(), 'utf8').split('\n')).toHaveLength(3)
    expect(readFileSync(`${path()}.damaged`, 'utf8')).toBe('nonsense\n')
    expect((await open().read()).damaged).toBe(0)
    expect(await open().rebuild()).toEqual({ events: 2, damaged: 0 })
  })

  it('loses nothing that others add while it is mended', async () => {
    await open().append([shown('lrn_a')])
    appendFileSync(path(), 'nonsense\n')
    let isMended = false
    let added = 0
    const mending = open()
      .rebuild()
      .finally(() => {
        isMended = true
      })
    for (; !isMended; added++) {
      await open().append([shown('lrn_b')])
      await new Promise(setImmediate)
    }
    await mending
    expect((await open().read()).stats.learnings.lrn_b).toMatchObject({ surfaced: added })
    expect(readFileSync(`${path()}.damaged`, 'utf8')).toBe('nonsense\n')
  })

  it('is added up anew when its sums are damaged, or belong to another log', async () => {
    await open().append([shown('lrn_a'), shown('lrn_b')])
    await open().read()
    await store.states.put(anySlot('stats'), path(), { version: 1, size: 3, tail: 'x', stats: 'broken' }, 1)
    expect((await open().read()).stats.learnings.lrn_a).toMatchObject({ surfaced: 1 })
    writeFileSync(path(), readFileSync(path(), 'utf8').replaceAll('lrn_b', 'lrn_c'))
    expect(Object.keys((await open().read()).stats.learnings)).toEqual(['lrn_a', 'lrn_c'])
    writeFileSync(path(), '')
    expect((await open().read()).stats.learnings).toEqual({})
  })

  it('needs no store to be read', async () => {
    const broken = new Proxy({} as StateStore, { get: () => () => Promise.reject(new Error('no store')) })
    await open().append([shown('lrn_a')])
    expect((await open(broken).read()).stats.learnings.lrn_a).toMatchObject({ surfaced: 1 })
  })

  it('takes the newest word about a learning, whatever the order of lines after a merge', async () => {
    await open().append([
      { type: 'restored', at: 3000, learning: 'lrn_a' },
      { type: 'archived', at: 1000, learning: 'lrn_a', reason: 'unused' },
      { type: 'superseded', at: 2000, learning: 'lrn_b', by: 'lrn_c' },
    ])
    const { learnings } = (await open().read()).stats
    expect(learnings.lrn_a?.status).toBe('active')
    expect(learnings.lrn_b).toMatchObject({ status: 'superseded', supersededBy: 'lrn_c' })
  })

  it('is not led astray by names that every object has', async () => {
    for (const name of ['__proto__', 'constructor', 'toString']) await open().append([shown(name), used(name)])
    const { stats } = await open().read()
    expect(stats.learnings.constructor).toMatchObject({ surfaced: 1, referenced: 1 })
    expect(({} as Record<string, unknown>).surfaced).toBeUndefined()
  })

  it('says so when it cannot be written', async () => {
    mkdirSync(path(), { recursive: true })
    await expect(open().append([shown('lrn_a')])).rejects.toThrow()
  })
})
