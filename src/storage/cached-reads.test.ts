import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import type { Store } from '#core/ports/store.ts'
import { cachedReads } from './cached-reads.ts'
import { openSqliteStore } from './sqlite/open.ts'
import { memory } from './testing/memory.ts'
import { anySlot } from './testing/slots.ts'

const gate = anySlot('gate')
const numbers = anySlot<number>('k')

/** A store that knows what it has read, how often it had to ask, and the same file as another process sees it. */
async function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'grove-known-'))
  const file = join(folder, 'grove.db')
  const opened = await openSqliteStore({ file })
  const elsewhere = await openSqliteStore({ file })
  onTestFinished(async () => {
    await opened.close()
    await elsewhere.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const asked: string[] = []
  const noting =
    <Given extends unknown[], T>(call: (...given: Given) => T, name: (...given: NoInfer<Given>) => string) =>
    (...given: Given) => {
      asked.push(name(...given))
      return call(...given)
    }
  const { stateRows, memories, memoryUses } = opened
  const counting = {
    ...opened,
    stateRows: { ...stateRows, get: noting(stateRows.get, () => 'state'), list: noting(stateRows.list, () => 'list') },
    memories: { ...memories, byIds: noting(memories.byIds, (ids) => ids.join()) },
    memoryUses: { ...memoryUses, ofProject: noting(memoryUses.ofProject, () => 'uses') },
  }
  return { ...cachedReads(counting, opened.writtenElsewhere), elsewhere: asAnotherProcess(elsewhere), asked }
}

async function countingQuestions() {
  const opened = await openSqliteStore({ file: ':memory:' })
  onTestFinished(() => opened.close())
  const writtenElsewhere = { asked: 0 }
  const { store } = cachedReads(opened, () => {
    writtenElsewhere.asked++
    return 1
  })
  return { store, writtenElsewhere }
}

/** Another process's write is seen when the event loop turns, not within one turn. */
function asAnotherProcess({ states, memories, ...store }: Store): Store {
  const heardOf =
    <Given extends unknown[], T>(write: (...given: Given) => Promise<T>) =>
    async (...given: Given) => {
      const done = await write(...given)
      await nextTurn()
      return done
    }
  return {
    ...store,
    states: { ...states, put: heardOf(states.put), remove: heardOf(states.remove) },
    memories: { ...memories, put: heardOf(memories.put) },
  }
}

it('asks for a value once, and not at all for one that it wrote', async () => {
  const { store, elsewhere, asked } = await setUp()
  await elsewhere.states.put(gate, 'a', { status: 'idle' }, 1)
  for (let n = 0; n < 3; n++) expect(await store.states.get(gate, 'a')).toEqual({ status: 'idle' })
  for (let n = 0; n < 3; n++) expect(await store.states.get(gate, 'none')).toBeUndefined()
  expect(asked).toHaveLength(2)
  await store.states.update(gate, 'a', 2, () => ({ status: 'pending' }))
  await store.states.put(gate, 'b', 'kept', 2)
  expect(await store.states.get(gate, 'a')).toEqual({ status: 'pending' })
  expect(await store.states.get(gate, 'b')).toBe('kept')
  expect(asked).toHaveLength(2)
})

it('reads a long value again rather than keep it', async () => {
  const { store, asked } = await setUp()
  const long = 'word '.repeat(2000)
  await store.states.put(gate, 'a', long, 1)
  expect(await store.states.get(gate, 'a')).toBe(long)
  expect(await store.states.get(gate, 'a')).toBe(long)
  expect(asked).toEqual(['state', 'state'])
})

it('sees at once what another process has written', async () => {
  const { store, elsewhere } = await setUp()
  await store.states.put(gate, 'a', 1, 1)
  for (let n = 2; n < 6; n++) {
    await elsewhere.states.put(gate, 'a', n, n)
    expect(await store.states.get(gate, 'a')).toBe(n)
  }
  await elsewhere.states.remove(gate, 'a')
  expect(await store.states.get(gate, 'a')).toBeUndefined()
})

it('asks whether another process has written once for all that is done in one go', async () => {
  const { store, writtenElsewhere } = await countingQuestions()
  await Promise.all(['a', 'b', 'c'].map((key) => store.states.get(gate, key)))
  await store.states.get(gate, 'd')
  expect(writtenElsewhere.asked).toBe(1)
  await nextTurn()
  await store.states.get(gate, 'a')
  expect(writtenElsewhere.asked).toBe(2)
})

it('asks for a list once, until one of its values is changed, here or elsewhere', async () => {
  const { store, elsewhere, asked } = await setUp()
  const keys = async () => (await store.states.list(gate, 9)).map(({ key }) => key)
  await store.states.put(gate, 'a', 1, 1)
  expect([await keys(), await keys()]).toEqual([['a'], ['a']])
  await store.states.put(numbers, 'another kind', 1, 1)
  expect(await keys()).toEqual(['a'])
  expect(asked).toEqual(['list'])
  await store.states.update(gate, 'b', 2, () => 1)
  expect([await keys(), await keys()]).toEqual([
    ['b', 'a'],
    ['b', 'a'],
  ])
  await elsewhere.states.put(gate, 'c', 1, 3)
  expect(await keys()).toEqual(['c', 'b', 'a'])
  await store.together(({ states }) => states.remove(gate, 'b'))
  expect(await keys()).toEqual(['c', 'a'])
  await store.states.expire(anySlot('gate'), 2)
  expect(await keys()).toEqual(['c'])
  expect(asked).toHaveLength(5)
})

it('hands out values that nobody else can change', async () => {
  const { store } = await setUp()
  await store.states.put(gate, 'a', { files: ['one'] }, 1)
  const mine = (await store.states.get(anySlot<{ files: string[] }>('gate'), 'a'))!
  mine.files.push('two')
  expect(await store.states.get(gate, 'a')).toEqual({ files: ['one'] })
})

it('asks only for the memories that it has not read, and anew for those that were changed', async () => {
  const { store, elsewhere, asked } = await setUp()
  await store.memories.put(memory('a', 1, { goal: 'a' }), memory('b', 1, { goal: 'b' }))
  const goals = async (...ids: string[]) => (await store.memories.byIds(ids)).map(({ goal }) => goal)
  expect(await goals('a')).toEqual(['a'])
  expect(await goals('b', 'gone', 'a')).toEqual(['b', 'a'])
  expect(asked).toEqual(['a', 'b,gone'])
  await store.memories.put({ ...memory('a'), goal: 'new' })
  expect(await goals('a')).toEqual(['new'])
  await elsewhere.memories.put({ ...memory('a'), goal: 'newer' })
  expect(await goals('a')).toEqual(['newer'])
  await store.memories.remove('a')
  expect(await goals('a')).toEqual([])
})

it('knows what became of what was shown, until more is known', async () => {
  const { store, asked } = await setUp()
  await store.memories.put(memory('a'))
  const shown = async () => [...(await store.memoryUses.ofProject('p')).keys()]
  expect([await shown(), await shown()]).toEqual([[], []])
  expect(await store.memoryUses.ofSession('s1')).toEqual([])
  await store.memoryUses.shown('s1', ['a'], 1)
  expect(await store.memoryUses.ofSession('s1')).toMatchObject([{ memoryId: 'a' }])
  expect(await shown()).toEqual([])
  expect(asked.filter((one) => one === 'uses')).toHaveLength(1)
  await store.memoryUses.settled('s1', ['a'], 2)
  expect([await shown(), await shown()]).toEqual([['a'], ['a']])
  expect(asked.filter((one) => one === 'uses')).toHaveLength(2)
  expect(await store.memoryUses.ofSession('s1')).toMatchObject([{ settledAt: 2 }])
  await store.memoryUses.used('s1', 'a', 'words', 2)
  expect(await store.memoryUses.ofSession('s1')).toMatchObject([{ memoryId: 'a', how: 'words' }])
})

it('tells whether anybody has written a memory', async () => {
  const { store, elsewhere, memoriesAsOf } = await setUp()
  const before = memoriesAsOf()
  await store.states.put(gate, 'a', 1, 1)
  await store.sessions.see({ id: 's1', at: 1, through: 'hooks' })
  expect(memoriesAsOf()).toBe(before)
  await store.memories.put(memory('a'))
  const after = memoriesAsOf()
  expect(after).not.toBe(before)
  await elsewhere.memories.put(memory('b'))
  expect(memoriesAsOf()).not.toBe(after)
})

it('answers as the store itself would, whoever writes, also when nobody waits for an answer before asking again', async () => {
  const operation = fc.record({
    does: fc.constantFrom('put', 'add', 'remove', 'get', 'list', 'elsewhere'),
    key: fc.constantFrom('a', 'b'),
    value: fc.nat(9),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(operation, { maxLength: 4 }), { maxLength: 8 }), async (batches) => {
      const { store, elsewhere } = await setUp()
      let at = 0
      for (const batch of batches) {
        const mine = batch.filter(({ does }) => does !== 'elsewhere')
        await Promise.all(
          mine.map(({ does, key, value }): Promise<unknown> => {
            if (does === 'put') return store.states.put(numbers, key, value, ++at)
            if (does === 'remove') return store.states.remove(numbers, key)
            if (does === 'get') return store.states.get(numbers, key)
            if (does === 'list') return store.states.list(numbers, 9)
            return store.states.update(numbers, key, ++at, (before) => (typeof before === 'number' ? before + 1 : 0))
          }),
        )
        for (const { does, key, value } of batch)
          if (does === 'elsewhere') await elsewhere.states.put(numbers, key, value + 100, ++at)
        for (const key of ['a', 'b'])
          expect(await store.states.get(numbers, key)).toEqual(await elsewhere.states.get(numbers, key))
        expect(await store.states.list(numbers, 9)).toEqual(await elsewhere.states.list(numbers, 9))
      }
    }),
    { numRuns: 25 },
  )
})
