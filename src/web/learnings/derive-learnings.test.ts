import { expect, it } from 'vitest'
import { type Rejected, rejectedBecause, rejectedWith, usageOf } from './derive-learnings.ts'

it('tells the reasons of a rejection apart', () => {
  const rejected = (more: Partial<Rejected>) => rejectedBecause({ stage: 'schema', reasons: [], ...more } as Rejected)
  expect(rejected({ reasons: ['tags must be a list of 1 to 8 words, it has 0', 'it speaks of nothing here'] })).toBe(
    'Incomplete: it has no tags; it speaks of nothing here',
  )
  expect(rejected({})).toBe('Incomplete')
})

it('searches what was rejected too', () => {
  const one = { summary: 'Seeds run first', detail: 'The tables are theirs' } as Rejected
  const other = { summary: 'Tests are slow', contradicts: { id: 'l', summary: 'Tests are fast' } } as Rejected
  expect(rejectedWith([one, other], ['tables', 'seeds'])).toEqual([one])
  expect(rejectedWith([one, other], ['fast'])).toEqual([other])
  expect(rejectedWith([one, other], [])).toEqual([one, other])
})

const usage = { surfaced: 1, referenced: 0, dismissed: 1, corrected: 0 }

it.each([
  [{}, 'Not shown to an agent yet.'],
  [{ usage }, 'Shown once, rejected once.'],
  [
    { usage: { ...usage, surfaced: 4, corrected: 2 }, hitRate: 0.25 },
    'Shown 4 times, used 25 % of the time, rejected 3 times.',
  ],
])('says how often a learning was used: %j', (learning, said) => {
  expect(usageOf(learning)).toBe(said)
})
