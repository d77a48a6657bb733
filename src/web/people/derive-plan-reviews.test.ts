import { expect, it } from 'vitest'
import type { PlanReview } from '#protocol/workflow/reviews.ts'
import { askable, askedOf, commentsOn, verdictWords } from './derive-plan-reviews.ts'

const review = (personId: string, more: Partial<PlanReview> = {}): PlanReview => ({
  id: personId,
  planVersion: 2,
  planHash: 'now',
  personId,
  person: personId.toUpperCase(),
  askedAt: '2026-01-01T00:00:00.000Z',
  verdict: null,
  comments: [],
  text: '',
  answeredAt: null,
  sentAt: null,
  ...more,
})
const plan = { hash: 'now' } as never

it('asks nobody about a plan that has changed since, or twice about the same', () => {
  const planReviews = [review('kim'), review('lee', { planHash: 'before' })]
  expect(askedOf({ planReviews, plan }, 'kim')?.id).toBe('kim')
  expect(askedOf({ planReviews, plan }, 'lee')).toBeUndefined()
  expect(askable([{ id: 'kim' }, { id: 'lee' }], { planReviews, plan })).toEqual([{ id: 'lee' }])
})

it('says what somebody said in a few words, and shows their comments on this version only', () => {
  const changes = review('kim', { verdict: 'changes', comments: [{ stepId: 'a', text: 'Smaller' }] })
  expect(verdictWords(changes)).toBe('wants changes of v2, 1 comment')
  expect(verdictWords({ ...changes, sentAt: 'x' })).toBe('wants changes of v2, 1 comment, sent to Claude')
  expect(verdictWords(review('kim', { verdict: 'fine' }))).toBe('finds v2 fine')
  const old = review('lee', { planHash: 'before', comments: [{ text: 'Old' }] })
  expect(commentsOn({ planReviews: [changes, old], plan })).toEqual([{ stepId: 'a', text: 'Smaller', person: 'KIM' }])
})
