import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readNumber } from '#core/state/read-object.ts'
import type { LocalStore } from './sqlite/store.ts'
import { everyStore } from './testing/every-store.ts'
import { anySlot, countSlot } from './testing/slots.ts'

describe.each(everyStore())('$name keeps states', ({ open }) => {
  let store: LocalStore
  beforeEach(async () => {
    store = await open()
  })
  afterEach(() => store.close())

  const notes = anySlot('notes')
  const gate = anySlot('gate')

  it('whatever their shape, until they are removed', async () => {
    await store.states.put(notes, 's1', { plan: ['a', { b: null }], 'odd "key"': 1.5 }, 1)
    await store.states.put(notes, 's2', 'text', 2)
    await store.states.put(gate, 's1', false, 3)
    expect(await store.states.get(notes, 's1')).toEqual({ plan: ['a', { b: null }], 'odd "key"': 1.5 })
    expect(await store.states.get(notes, 's3')).toBeUndefined()
    expect(await store.states.list(notes, 10)).toEqual([
      { key: 's2', value: 'text', at: 2 },
      { key: 's1', value: expect.anything(), at: 1 },
    ])

    await store.states.remove(notes, 's1')
    expect(await store.states.get(notes, 's1')).toBeUndefined()
    expect(await store.states.get(gate, 's1')).toBe(false)
  })

  it('of fields that are only ever replaced, the newest of each', async () => {
    const slot = { ...notes, hasImmutableFields: true as const, exact: { fields: ['id'], because: 'an id' } }
    const secret = `sk-ant-api03-${'Ab3dEf6hIj9k'.repeat(4)}`
    const shared = { said: [secret] }
    const first = { id: { said: [secret] }, words: shared, gone: undefined, count: 1 }
    await store.states.put(slot, 's1', first, 1)
    await store.states.put(slot, 's1', { ...first, id: shared, words: shared, more: { a: null }, count: 2 }, 2)
    expect(await store.states.get(slot, 's1')).toEqual({
      id: { said: [secret] },
      words: { said: ['[redacted]'] },
      more: { a: null },
      count: 2,
    })
  })

  it('and knows which were not touched since', async () => {
    for (const at of [3, 1, 2]) await store.states.put(notes, `s${at}`, at, at)
    expect(await store.states.idleSince(notes, 3)).toEqual(['s1', 's2'])
  })

  it('until they have not been touched for long enough, unless they are spared', async () => {
    for (const at of [3, 1, 2]) await store.states.put(notes, `s${at}`, at, at)
    const sparing = { ...notes, life: { idleMs: 1, spares: (value: unknown) => value === 1 } }
    expect(await store.states.expire(sparing, 3)).toEqual(['s2'])
    expect(await store.states.expire(notes, 3)).toEqual(['s1'])
    expect(await store.states.idleSince(notes, 9)).toEqual(['s3'])
  })

  it('without secrets, but for what a slot keeps exactly', async () => {
    const secret = `sk-ant-api03-${'Ab3dEf6hIj9k'.repeat(4)}`
    const slot = { ...notes, exact: { fields: ['path'], because: 'compared with the disk' } }
    const value = { command: `curl -H 'x-api-key: ${secret}'`, path: `/p/${secret}`, list: [{ deep: secret }] }
    const stored = {
      command: "curl -H 'x-api-key: [redacted]'",
      path: `/p/${secret}`,
      list: [{ deep: '[redacted]' }],
    }
    await store.states.put(slot, 's1', value, 1)
    expect(await store.states.get(slot, 's1')).toEqual(stored)
    expect(await store.states.update(slot, 's2', 1, () => value)).toEqual(stored)
    expect(await store.states.get(slot, 's2')).toEqual(stored)
  })

  it('and counts what its slot cannot read as absent', async () => {
    const numbers = { ...anySlot<number>('notes'), read: readNumber }
    await store.states.put(notes, 's1', 'text', 1)
    await store.states.put(notes, 's2', 2, 2)
    expect(await store.states.get(numbers, 's1')).toBeUndefined()
    expect(await store.states.list(numbers, 9)).toEqual([{ key: 's2', value: 2, at: 2 }])
    expect(await store.states.update(numbers, 's1', 3, (before = 0) => before + 1)).toBe(1)
  })

  it('and loses no change when many change one at once', async () => {
    const more = (before = 0) => before + 1
    await Promise.all(Array.from({ length: 30 }, () => store.states.update(countSlot, 'one', 1, more)))
    expect(await store.states.get(countSlot, 'one')).toBe(30)

    expect(await store.states.update(countSlot, 'one', 2, () => undefined)).toBeUndefined()
    expect(await store.states.get(countSlot, 'one')).toBeUndefined()
  })

  it('as they were when a change fails', async () => {
    await store.states.put(countSlot, 'one', 1, 1)
    const failing = store.states.update(countSlot, 'one', 2, () => {
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await store.states.list(countSlot, 1)).toEqual([{ key: 'one', value: 1, at: 1 }])
  })
})
