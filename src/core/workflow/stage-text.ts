import { inOrder, progressOf } from '../plan/order.ts'
import type { PlanStep } from '../plan/plan.ts'
import type { Flow } from './flow.ts'
import { STAGE_TITLES, stageName } from './stage.ts'

/** The stage as a list shows it: "Plan review (3/10)". */
export function stageText(flow: Flow, steps: readonly PlanStep[]): string {
  const title = STAGE_TITLES[stageName(flow.currentStage)]
  if (flow.currentStage === 2 && flow.recommendedReviews > 0)
    return `${title} (${flow.reviewCount}/${flow.recommendedReviews})`
  if (flow.currentStage !== 3) return title
  const { done, total } = progressOf({ steps: [...steps] })
  return `${title} (${done}/${total})`
}

/** The title of the step at hand. */
export function currentStep(flow: Flow, steps: readonly PlanStep[]): PlanStep | undefined {
  const task = flow.task
  return task && 'stepId' in task ? inOrder(steps).find(({ id }) => id === task.stepId) : undefined
}
