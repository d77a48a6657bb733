import { comparePlans } from './compare.ts'
import type { PlanStep } from './plan.ts'

/** What is known besides the plan itself: whether it is approved as it is, and which steps wait for a person. */
export interface PlanFacts {
  isApproved: boolean
  blocked: ReadonlySet<string>
}

/** How each step stands now. The same steps come back when nothing is different. */
export function stepStates(steps: readonly PlanStep[], { isApproved, blocked }: PlanFacts): PlanStep[] {
  return steps.map((step) => {
    const status = statusOf(step, isApproved, blocked.has(step.id))
    return status === step.status ? step : { ...step, status }
  })
}

function statusOf({ status }: PlanStep, isApproved: boolean, isBlocked: boolean): PlanStep['status'] {
  switch (status) {
    case 'completed':
      return status
    case 'in_progress':
    case 'blocked':
      return isBlocked ? 'blocked' : 'in_progress'
    case 'needs_review':
      return isApproved ? 'approved' : status
    case 'pending':
    case 'approved':
      return isApproved ? 'approved' : 'pending'
  }
}

/** In a new version of a plan, what is new or other than before is to be looked at again. */
export function markChanged(before: readonly PlanStep[], after: readonly PlanStep[]): PlanStep[] {
  if (before.length === 0) return [...after]
  const changed = new Set(comparePlans(before, after).map(({ stepId }) => stepId))
  return after.map((step) =>
    step.status === 'pending' && changed.has(step.id) ? { ...step, status: 'needs_review' } : step,
  )
}
