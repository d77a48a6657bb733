import { expect, it } from 'vitest'
import { readCandidate } from '#core/learning/validate.ts'
import { type Judgement, judge } from '#core/learning/write-gate.ts'
import { rejectionWords } from './rejection-words.ts'

/** Reasons as the gate itself words them. */
function reasonsOf(raw: unknown): string[] {
  const read = readCandidate(raw)
  if ('rejection' in read) return read.rejection.reasons
  const judged: Judgement = judge(read.candidate, { userAskedToRemember: false })
  return 'reasons' in judged ? judged.reasons : []
}

const whole = {
  category: 'pitfall',
  summary: 'Seeds run before the migrations here.',
  detail: 'The seeds insert into tables that only the migrations create.',
  tags: ['db'],
  criteria_met: ['stable_fact'],
}

it.each([
  [7, ['it could not be read']],
  [{ ...whole, category: 'idea' }, ['there is no category "idea"']],
  [{ ...whole, category: undefined, tags: [] }, ['it has no category', 'it has no tags']],
  [{ ...whole, summary: 'x' }, ['its summary is too short: 1 character, at least 10']],
  [{ ...whole, detail: 'y'.repeat(3000) }, ['its detail is too long: 3000 characters, at most 2000']],
  [{ ...whole, detail: whole.summary }, ['its detail repeats the summary']],
  [{ ...whole, criteria_met: ['nice'] }, ['it does not say why it is worth keeping']],
])('says without the name of a field why a candidate was rejected: %j', (raw, said) => {
  expect(reasonsOf(raw).map(rejectionWords)).toEqual(said)
})

it('names no criterion by its key', () => {
  const reasons = reasonsOf({
    ...whole,
    summary: 'We should write good code here.',
    detail: 'Good code is better than bad code.',
  })
  expect(reasons.length).toBeGreaterThan(0)
  expect(reasons.map(rejectionWords).join(' ')).not.toMatch(/[a-z]_[a-z]/)
})
