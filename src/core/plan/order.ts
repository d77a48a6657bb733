import type { Plan, PlanStep } from './plan.ts'

/** Steps as they are worked through: a parent before its children, in their order. */
export function inOrder(steps: readonly PlanStep[]): PlanStep[] {
  const children = (parentId: string | null) =>
    steps.filter((step) => step.parentId === parentId).sort((a, b) => a.orderIndex - b.orderIndex)
  const below = (step: PlanStep): PlanStep[] => [step, ...children(step.id).flatMap(below)]
  return children(null).flatMap(below)
}

/** The step that is next: the first that is not done and has everything done that it needs. Null when none is left. */
export function nextStep({ steps }: Pick<Plan, 'steps'>): PlanStep | null {
  const ordered = inOrder(steps)
  const open = ordered.filter(({ status }) => status !== 'completed')
  const isDone = (id: string) =>
    ordered.find((step) => step.id === id)?.status !== undefined && !open.some((step) => step.id === id)
  return open.find(({ dependsOn }) => dependsOn.every(isDone)) ?? open[0] ?? null
}

export function progressOf({ steps }: Pick<Plan, 'steps'>): { done: number; total: number } {
  return { done: steps.filter(({ status }) => status === 'completed').length, total: steps.length }
}
