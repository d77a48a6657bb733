import type { PlanStep } from './plan.ts'

/** Everything that an approval is for, as one text in one form: what became of a step is no part of it. */
export function approvedText(steps: readonly PlanStep[]): string {
  return JSON.stringify(
    steps.map((step) => [
      step.id,
      step.parentId,
      step.orderIndex,
      step.title,
      step.description,
      step.dependsOn,
      step.complexity,
      step.criteria,
      step.ownedPaths,
    ]),
  )
}

export interface StepDifference {
  stepId: string
  change: 'added' | 'removed' | 'changed' | 'moved'
  before: PlanStep | null
  after: PlanStep | null
  fields: { field: string; before: string; after: string }[]
}

/** What a version changes, step by step; moved is a step that only stands elsewhere. */
export function comparePlans(before: readonly PlanStep[], after: readonly PlanStep[]): StepDifference[] {
  const removed = before
    .filter(({ id }) => !after.some((step) => step.id === id))
    .map((step): StepDifference => ({ stepId: step.id, change: 'removed', before: step, after: null, fields: [] }))
  const order = (steps: readonly PlanStep[], others: readonly PlanStep[]) =>
    steps.filter(({ id }) => others.some((step) => step.id === id)).map(({ id }) => id)
  const oldOrder = order(before, after)
  const newOrder = order(after, before)
  const rest = after.flatMap((step): StepDifference[] => {
    const earlier = before.find(({ id }) => id === step.id)
    if (!earlier) return [{ stepId: step.id, change: 'added', before: null, after: step, fields: [] }]
    const fields = changedFields(earlier, step)
    const hasMoved = earlier.parentId !== step.parentId || oldOrder.indexOf(step.id) !== newOrder.indexOf(step.id)
    if (fields.length === 0 && !hasMoved) return []
    return [{ stepId: step.id, change: fields.length > 0 ? 'changed' : 'moved', before: earlier, after: step, fields }]
  })
  return [...rest, ...removed]
}

const FIELDS = ['title', 'description', 'complexity', 'dependsOn', 'criteria', 'ownedPaths'] as const

function changedFields(before: PlanStep, after: PlanStep): StepDifference['fields'] {
  return FIELDS.flatMap((field) => {
    const [old, now] = [shown(before[field]), shown(after[field])]
    return old === now ? [] : [{ field, before: old, after: now }]
  })
}

function shown(value: string | string[] | null): string {
  return Array.isArray(value) ? value.join(', ') : (value ?? '')
}
