import { describe, expect, it } from 'vitest'
import { NOBODY } from '#core/people.ts'
import type { StateStore } from '#core/ports/state.ts'
import { isRefusal } from '#protocol/refusal.ts'
import { openSqliteStore } from '#storage/sqlite/open.ts'
import { SLOTS } from '#supervisor/state-slots.ts'
import { peopleIn } from './teammates.ts'

describe('who works with this Grove', () => {
  async function book(whenFinished: (work: () => Promise<void>) => void) {
    const store = await openSqliteStore({ file: ':memory:' })
    whenFinished(() => store.close())
    const states: StateStore = store.states
    return { states, people: peopleIn({ states, clock: { now: () => 5 } }) }
  }

  it('has a name once they have said it, also for a server that was started anew', async ({ onTestFinished }) => {
    const { people, states } = await book(onTestFinished)
    const { id, name } = await people.join()
    expect(name).toBeNull()
    expect(await people.call(id, '  Kim  Lee ')).toMatchObject({ id, name: 'Kim Lee' })
    expect(await peopleIn({ states, clock: { now: () => 9 } }).find(id)).toEqual({ id, name: 'Kim Lee', pairedAt: 5 })
  })

  it('cannot take the name of somebody else, nor one that is none', async ({ onTestFinished }) => {
    const { people } = await book(onTestFinished)
    await people.call('owner', 'Kim')
    const { id } = await people.join()
    expect(await people.call(id, 'kim')).toMatchObject({ code: 'name_taken' })
    expect(await people.call(id, '<i>')).toMatchObject({ code: 'bad_name' })
    expect((await people.find(id))?.name).toBeNull()
  })

  it('is not known any more when the pairing was taken back; the owner always is', async ({ onTestFinished }) => {
    const { people, states } = await book(onTestFinished)
    const { id } = await people.join()
    expect(await people.remove(id)).toBe(true)
    expect(await people.remove(id)).toBe(false)
    const owner = await people.call('owner', 'Kim')
    expect(isRefusal(owner)).toBe(false)
    expect(await people.remove('owner')).toBe(false)
    expect(await states.get(SLOTS.people, 'all')).not.toEqual(NOBODY)
  })
})
