import { describe, expect, it, onTestFinished } from 'vitest'
import type { Slot } from '#core/ports/state.ts'
import { readHookEvent } from '#protocol/hook-event.ts'
import { openSqliteStore } from '#storage/sqlite/open.ts'
import { everyState, stateSamples } from '../../test/support/state-samples.ts'
import { SLOTS } from './state-slots.ts'
import { sweepPart, sweepStates } from './sweep-idle.ts'

const DAY = 86_400_000
const NOW = 1000 * DAY

async function setUp() {
  const store = await openSqliteStore({ file: ':memory:' })
  onTestFinished(() => store.close())
  const dropped: string[] = []
  const closed: string[] = []
  const needs = {
    store,
    clock: { now: () => NOW },
    dropCopies: async (name: string) => void dropped.push(name),
    closeSession: async (sessionId: string) => void closed.push(sessionId),
  }
  const keys = async (slot: Slot<unknown>) => (await store.states.list(slot, 99)).map(({ key }) => key)
  return { store, needs, dropped, closed, keys }
}

describe('what the state store keeps', () => {
  it('has a kind of its own, and a value that its reader takes', async () => {
    const { store } = await setUp()
    const states = everyState('text')
    expect(new Set(states.map(({ slot }) => slot.kind)).size).toBe(states.length)
    for (const { slot, value } of states) {
      await store.states.put(slot, 'k', value, 1)
      expect(await store.states.get(slot, 'k'), slot.kind).toEqual(value)
    }
  })

  it.each(everyState('text').map(({ slot }) => slot))(
    '$kind reads as absent, or as such, when it is damaged',
    ({ read }) => {
      for (const damaged of [null, true, []]) expect([undefined, 'unreadable']).toContain(read(damaged))
      expect(() => read({ odd: 1 })).not.toThrow()
    },
  )
})

describe('a sweep', () => {
  it('removes what has outlived its life, whatever it is, and nothing else', async () => {
    const { store, needs, keys } = await setUp()
    const states = everyState('text').filter(({ slot }) => 'idleMs' in slot.life)
    for (const { slot, value } of states) {
      const { idleMs } = slot.life as { idleMs: number }
      await store.states.put(slot, 'old', value, NOW - idleMs - 1)
      await store.states.put(slot, 'young', value, NOW - idleMs)
    }
    await sweepStates(needs)
    for (const { slot } of states) expect(await keys(slot), slot.kind).toEqual(['young'])
  })

  it('knows the life of everything, or why it has none', () => {
    for (const { slot } of everyState('text')) {
      const { life } = slot
      if ('kept' in life) expect(life.kept).toMatch(/\w{3}/)
      else expect('idleMs' in life ? life.idleMs : life.sessionIdleMs).toBeGreaterThan(0)
    }
  })

  it('closes idle sessions, and leaves their rows to that', async () => {
    const { store, needs, closed, keys } = await setUp()
    const { session } = stateSamples('text')
    await store.states.put(SLOTS.session, 'silent', session, NOW - 2 * DAY)
    await store.states.put(SLOTS.session, 'busy', session, NOW)
    await sweepStates(needs)
    expect(closed).toEqual(['silent'])
    expect(await keys(SLOTS.session)).toEqual(['busy', 'silent'])
  })

  it('leaves a request in the inbox for as long as it waits for a person', async () => {
    const { store, needs, keys } = await setUp()
    const { approval } = stateSamples('text')
    await store.states.put(SLOTS.approval, 'answered', approval, 1)
    await store.states.put(SLOTS.approval, 'waiting', { ...approval, status: 'pending' }, 1)
    await sweepStates(needs)
    expect(await keys(SLOTS.approval)).toEqual(['waiting'])
  })

  it('drops the copies of files that were kept for calls', async () => {
    const { store, needs, dropped } = await setUp()
    const { guardWindow, guardViolation } = stateSamples('text')
    await store.states.put(SLOTS.guardWindow, 'toolu_1', guardWindow, 1)
    await store.states.put(SLOTS.guardViolation, 'toolu_2', guardViolation, 1)
    await sweepStates(needs)
    expect(dropped).toEqual(['toolu_1', 'toolu_2'])
  })

  it('happens once a day at the start of a session where no daemon does it', async () => {
    const { store, needs, keys } = await setUp()
    const { closeSession: _, ...alone } = needs
    let now = NOW
    const part = sweepPart({ ...alone, clock: { now: () => now } })
    const start = () =>
      part.handle(readHookEvent({ hook_event_name: 'SessionStart', session_id: 's1', source: 'startup' }))
    const left = async () => {
      await store.states.put(SLOTS.lease, 'old', { holder: 's1', until: 1 }, 1)
      await start()
      return keys(SLOTS.lease)
    }
    expect(await left()).toEqual([])
    now += DAY - 1
    expect(await left()).toEqual(['old'])
    now += 1
    expect(await left()).toEqual([])
  })
})
