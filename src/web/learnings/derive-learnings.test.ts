import { expect, it } from 'vitest'
import { type Rejected, rejectedBecause } from './derive-learnings.ts'

it('tells the reasons of a rejection apart', () => {
  const rejected = (more: Partial<Rejected>) => rejectedBecause({ stage: 'schema', reasons: [], ...more } as Rejected)
  expect(rejected({ reasons: ['tags must be a list: it has 0', 'the summary is too short'] })).toBe(
    'not in shape: tags must be a list: it has 0; the summary is too short',
  )
  expect(rejected({})).toBe('not in shape')
})
