import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Store } from '#core/ports/store.ts'
import { openSqliteStore } from './sqlite/open.ts'
import { StorageError } from './storage-error.ts'
import { anySlot } from './testing/slots.ts'
import { writeBehind } from './write-behind.ts'

const notes = anySlot('notes')
const numbers = anySlot<number>('k')
const silent = { debug() {}, info() {}, warn() {}, error() {} }

const TURN = {
  sessionId: 's1',
  model: 'm-1',
  usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
  toolUses: 0,
}

async function setUp() {
  const store = await openSqliteStore({ file: ':memory:' })
  const jobs: (() => void)[] = []
  const warnings: string[] = []
  const log = { ...silent, warn: (_: object, message: string) => void warnings.push(message) }
  const behind = writeBehind(store, { later: (job) => void jobs.push(job), log })
  return { store, behind, warnings, rest: () => jobs.splice(0).forEach((job) => void job()) }
}

describe('a store that writes behind', () => {
  it('writes when nobody waits for an answer any more', async () => {
    const { store, behind, rest } = await setUp()
    await behind.sessions.see({ id: 's1', at: 1, through: 'hooks' })
    await behind.states.put(notes, 's1', { goal: 'tea' }, 1)
    expect(await store.states.get(notes, 's1')).toBeUndefined()
    rest()
    await expect.poll(() => store.states.get(notes, 's1')).toEqual({ goal: 'tea' })
    expect(await store.sessions.get('s1')).toMatchObject({ id: 's1' })
  })

  it('looks no different to whoever reads through it', async () => {
    const key = fc.constantFrom('a', 'b', 'c')
    const operation = fc.oneof(
      fc.record({ does: fc.constant('put' as const), key, value: fc.nat(9) }),
      fc.record({ does: fc.constant('add' as const), key }),
      fc.record({ does: fc.constant('remove' as const), key }),
      fc.record({ does: fc.constant('get' as const), key }),
      fc.record({ does: fc.constant('list' as const) }),
      fc.record({ does: fc.constant('rest' as const) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 30 }), async (operations) => {
        const plain = await openSqliteStore({ file: ':memory:' })
        const { behind, rest } = await setUp()
        let at = 0
        for (const operation of operations) {
          at++
          if (operation.does === 'rest') rest()
          const [seen, expected] = await Promise.all(
            [behind, plain].map(async ({ states }) => {
              if (operation.does === 'put') return states.put(numbers, operation.key, operation.value, at)
              if (operation.does === 'remove') return states.remove(numbers, operation.key)
              if (operation.does === 'get') return states.get(numbers, operation.key)
              if (operation.does === 'list') return states.list(numbers, 10)
              if (operation.does !== 'add') return undefined
              return states.update(numbers, operation.key, at, (before) =>
                typeof before === 'number' ? before + 1 : 0,
              )
            }),
          )
          expect(seen).toEqual(expected)
        }
        await Promise.all([behind.close(), plain.close()])
      }),
      { numRuns: 60 },
    )
  })

  it('logs what could not be written, and goes on with the rest', async () => {
    const { store, behind, warnings, rest } = await setUp()
    // JSON knows no such number.
    await behind.states.put(notes, 's1', 1n, 1)
    await behind.states.put(notes, 's2', 'kept', 1)
    rest()
    await expect.poll(() => store.states.get(notes, 's2')).toBe('kept')
    expect(warnings).toEqual(['could not be written to the store'])
  })

  it('writes only the newest of what is put again and again, in the place of the first', async () => {
    const { store, behind, rest } = await setUp()
    for (const at of [1, 2, 3]) {
      await behind.sessions.see({ id: 's1', at, through: 'proxy', ...(at === 2 && { model: 'm-2' }) })
      await behind.turns.append({ ...TURN, id: `t${at}`, at })
      await behind.states.put(notes, 's1', { at }, at)
    }
    await behind.states.put(notes, 's2', 'gone', 4)
    await behind.states.remove(notes, 's2')
    await behind.states.put(notes, 's2', 'back', 5)
    rest()
    await expect.poll(() => store.states.get(notes, 's2')).toBe('back')
    expect(await store.states.get(notes, 's1')).toEqual({ at: 3 })
    expect(await store.sessions.get('s1')).toMatchObject({ model: 'm-2', lastSeenAt: 3, attachments: ['proxy'] })
    expect(await store.turns.totals('s1')).toMatchObject({ turns: 3 })
  })

  it('writes each for itself when they cannot be written together', async () => {
    const store = await openSqliteStore({ file: ':memory:' })
    const broken = { ...store, together: () => Promise.reject(new Error('the disk is full')) }
    const behind = writeBehind(broken, { later: (job) => job(), log: silent })
    for (const key of ['a', 'b', 'c']) await behind.states.put(numbers, key, 1, 1)
    await expect.poll(async () => (await store.states.list(numbers, 10)).map(({ key }) => key)).toEqual(['a', 'b', 'c'])
  })

  it('keeps what a full disk does not take, goes on reading, and writes it when there is room', async () => {
    const store = await openSqliteStore({ file: ':memory:' })
    let isFull = true
    const full = new StorageError('full', 'The disk is full.', 'Free some space.')
    const states = {
      ...store.states,
      put: (...given: Parameters<typeof store.states.put>) =>
        isFull ? Promise.reject(full) : store.states.put(...given),
    }
    const warnings: string[] = []
    const log = { ...silent, warn: (_: object, message: string) => void warnings.push(message) }
    const together = (work: (on: Store) => Promise<void>) => work({ ...store, states })
    const behind = writeBehind({ ...store, states, together, close: async () => {} }, { later: (job) => job(), log })
    for (const key of ['a', 'b', 'c']) await behind.states.put(numbers, key, 1, 1)
    expect(await behind.states.list(numbers, 10)).toEqual([])
    expect(await behind.states.get(numbers, 'a')).toBeUndefined()
    expect(warnings).toEqual(['the store cannot be written; what is noted waits until it can'])
    isFull = false
    await behind.close()
    expect((await store.states.list(numbers, 10)).map(({ key }) => key)).toEqual(['a', 'b', 'c'])
    expect(warnings.at(-1)).toBe('the store can be written again')
  })

  it('does not wait for room when it is closed', async () => {
    const store = await openSqliteStore({ file: ':memory:' })
    const full = () => Promise.reject(new StorageError('full', 'The disk is full.', 'Free some space.'))
    const errors: string[] = []
    const log = { ...silent, error: (_: object, message: string) => void errors.push(message) }
    const broken = { ...store, states: { ...store.states, put: full }, together: full }
    const behind = writeBehind(broken, { later: () => {}, log })
    await behind.states.put(numbers, 'a', 1, 1)
    await behind.close()
    expect(errors).toEqual(['some of what was noted could not be written'])
  })

  it('loses nothing when it is closed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'grove-behind-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, 'grove.db')
    const behind = writeBehind(await openSqliteStore({ file }), { later: () => {}, log: silent })
    for (const key of ['a', 'b', 'c']) await behind.states.put(notes, key, key, 1)
    await behind.close()
    const opened = await openSqliteStore({ file })
    expect((await opened.states.list(notes, 10)).map(({ key }) => key)).toEqual(['a', 'b', 'c'])
    await opened.close()
  })
})
