import { expect, it } from 'vitest'
import type { SessionSnapshot } from '#protocol/api/sessions.ts'
import { stageMarks } from './derive-stages.ts'

/** What the rail says below the second stage. */
const reviewsIn = (stage: number, reviewCount: number) => {
  const summary = {
    stage,
    reviewCount,
    recommendedReviews: 10,
    status: 'active',
    waiting: [],
    stepsDone: 0,
    stepsTotal: 1,
  }
  const snapshot = { summary, plan: null, pr: { pullRequest: null, ci: 'none' }, questions: [], reviews: [{}] }
  return stageMarks(snapshot as unknown as SessionSnapshot)[1]!.detail
}

it('counts reviews against what is recommended while they go on, and alone when the plan is approved', () => {
  expect([reviewsIn(2, 0), reviewsIn(2, 3)]).toEqual(['no review yet', 'review 3 of 10'])
  expect([reviewsIn(3, 0), reviewsIn(3, 1), reviewsIn(3, 10)]).toEqual(['no review', '1 review', '10 reviews'])
})
