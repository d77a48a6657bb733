import type { PlanStep, ProposedStep } from './plan.ts'

/** The step that Grove itself has done before there was a plan. */
export const BRANCH_STEP = 'branch'

/** What is wrong with a proposal, in words for the agent that made it; empty when nothing is. */
export function faultsOf(proposed: readonly ProposedStep[]): string[] {
  const ids = proposed.map(({ id }) => id)
  const known = new Set([...ids, BRANCH_STEP])
  const faults: string[] = []
  if (proposed.length === 0) faults.push('The plan has no steps.')
  for (const step of proposed) {
    if (step.id.trim() === '') faults.push(`The step "${step.title}" has no id.`)
    if (step.title.trim() === '') faults.push(`Step ${step.id} has no title.`)
    if (step.parent && !known.has(step.parent))
      faults.push(`Step ${step.id} names the parent ${step.parent}, which is not in the plan.`)
    for (const needed of step.dependsOn ?? []) {
      if (!known.has(needed)) faults.push(`Step ${step.id} depends on ${needed}, which is not in the plan.`)
    }
  }
  for (const id of new Set(ids.filter((id, index) => ids.indexOf(id) !== index))) {
    faults.push(`The id ${id} is used more than once.`)
  }
  if (faults.length > 0) return faults
  const circle = circleIn(proposed)
  return circle ? [`These steps wait for each other: ${circle.join(' → ')}.`] : []
}

function circleIn(steps: readonly ProposedStep[]): string[] | undefined {
  const needs = new Map(
    steps.map(({ id, parent, dependsOn = [] }) => [id, [...(parent ? [parent] : []), ...dependsOn]]),
  )
  const settled = new Set<string>()
  const walk = (id: string, path: string[]): string[] | undefined => {
    if (path.includes(id)) return [...path.slice(path.indexOf(id)), id]
    if (settled.has(id)) return undefined
    for (const next of needs.get(id) ?? []) {
      const circle = walk(next, [...path, id])
      if (circle) return circle
    }
    settled.add(id)
    return undefined
  }
  for (const { id } of steps) {
    const circle = walk(id, [])
    if (circle) return circle
  }
  return undefined
}

/**
 * The steps of the next version. What is done stays done, whatever it is called now; the branch is Grove's own step, and
 * a step that has it for a parent only comes after it.
 */
export function stepsOf(
  proposed: readonly ProposedStep[],
  before: readonly PlanStep[],
  facts: { branch: string; newId(): string; at: string },
): PlanStep[] {
  const isBranch = ({ id, title }: ProposedStep) => id === BRANCH_STEP || BRANCHES.test(title)
  const own = proposed.find((step, index) => index === 0 && isBranch(step))
  const rest = proposed.filter((step) => step !== own)
  const branchId = own?.id ?? BRANCH_STEP
  const branch: PlanStep = {
    id: branchId,
    uid: before.find(({ id }) => id === branchId)?.uid ?? facts.newId(),
    parentId: null,
    orderIndex: 0,
    title: `Create the branch ${facts.branch}`,
    description: 'Done by Grove when the session began.',
    status: 'completed',
    dependsOn: [],
    complexity: 'low',
    criteria: [],
    ownedPaths: [],
    metadata: {
      doneBy: 'grove',
      completedAt: before.find(({ id }) => id === branchId)?.metadata.completedAt ?? facts.at,
    },
  }
  const steps = rest.map((step, index): PlanStep => {
    const earlier = before.find(({ id }) => id === step.id)
    const underBranch = step.parent === branchId
    return {
      id: step.id,
      uid: earlier?.uid ?? facts.newId(),
      parentId: step.parent && !underBranch ? step.parent : null,
      orderIndex: index + 1,
      title: step.title.trim(),
      description: step.description.trim(),
      status: earlier?.status === 'completed' ? 'completed' : 'pending',
      dependsOn: unique([...(underBranch ? [branchId] : []), ...(step.dependsOn ?? [])]),
      complexity: step.complexity ?? null,
      criteria: unique(step.criteria ?? []),
      ownedPaths: unique(step.paths ?? []),
      metadata: earlier?.status === 'completed' ? earlier.metadata : {},
    }
  })
  return [branch, ...steps]
}

const BRANCHES = /^(?:create|make|set up|check ?out)\b.*\bbranch\b/i

function unique(values: string[]): string[] {
  return [...new Set(values)]
}

/** What a reviewer would say of the plan's form: no faults, but worth a finding. */
export function gapsOf(steps: readonly PlanStep[], criteria: readonly string[]): string[] {
  const own = steps.filter(({ metadata }) => metadata.doneBy !== 'grove')
  const unrated = own.filter(({ complexity }) => complexity === null).map(({ id }) => id)
  const unscoped = own.filter(({ ownedPaths }) => ownedPaths.length === 0).map(({ id }) => id)
  const served = new Set(own.flatMap((step) => step.criteria))
  const unmapped = criteria.filter((criterion) => !served.has(criterion))
  return [
    ...(unrated.length > 0 ? [`Without a complexity: ${unrated.join(', ')}`] : []),
    ...(unscoped.length > 0 ? [`Without paths that they may change: ${unscoped.join(', ')}`] : []),
    ...unmapped.map((criterion) => `No step serves the criterion "${criterion}"`),
  ]
}
