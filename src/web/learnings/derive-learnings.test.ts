import { expect, it } from 'vitest'
import { type Rejected, rejectedBecause, usageOf } from './derive-learnings.ts'

it('tells the reasons of a rejection apart', () => {
  const rejected = (more: Partial<Rejected>) => rejectedBecause({ stage: 'schema', reasons: [], ...more } as Rejected)
  expect(rejected({ reasons: ['tags must be a list of 1 to 8 words, it has 0', 'it speaks of nothing here'] })).toBe(
    'not in shape: it has no tags; it speaks of nothing here',
  )
  expect(rejected({})).toBe('not in shape')
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
