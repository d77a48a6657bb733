import type { SessionSnapshot } from '#protocol/api/sessions.ts'
import type { PlanReview } from '#protocol/workflow/reviews.ts'

/** What this person was asked to look at and has not answered. */
export function askedOf(snapshot: Pick<SessionSnapshot, 'planReviews' | 'plan'>, id: string | undefined) {
  return snapshot.planReviews.find(
    (one) => one.personId === id && one.verdict === null && one.planHash === snapshot.plan?.hash,
  )
}

/** What a teammate said about the plan, in a few words. */
export function verdictWords({ verdict, comments, sentAt, planVersion }: PlanReview): string {
  if (verdict === null) return `was asked to look at v${planVersion}`
  if (verdict === 'fine') return `finds v${planVersion} fine`
  const many = comments.length > 0 ? `, ${comments.length} ${comments.length === 1 ? 'comment' : 'comments'}` : ''
  return `wants changes of v${planVersion}${many}${sentAt ? ', sent to Claude' : ''}`
}

/** What teammates have said about the lines of this version. */
export function commentsOn(snapshot: Pick<SessionSnapshot, 'planReviews' | 'plan'>) {
  return snapshot.planReviews
    .filter(({ planHash }) => planHash === snapshot.plan?.hash)
    .flatMap(({ person, comments }) => comments.map((comment) => ({ ...comment, person })))
}

/** Teammates who were not asked about this version yet. */
export function askable<P extends { id: string }>(
  people: P[],
  { planReviews, plan }: Pick<SessionSnapshot, 'planReviews' | 'plan'>,
): P[] {
  const busy = new Set(planReviews.filter(({ planHash }) => planHash === plan?.hash).map(({ personId }) => personId))
  return people.filter(({ id }) => !busy.has(id))
}
