import type { PlanStep } from '#protocol/workflow/plan.ts'
import type { Shape } from '../ui/mark.tsx'

/** A step in the tree, with how deep it lies and whether anything lies under it. */
export interface StepRow {
  step: PlanStep
  depth: number
  hasChildren: boolean
  isOpen: boolean
}

/** The tree as rows from top to bottom, without what lies under closed steps. A step whose parent is missing is a root. */
export function planRows(steps: PlanStep[], closed: ReadonlySet<string>): StepRow[] {
  const ids = new Set(steps.map(({ id }) => id))
  const under = new Map<string, PlanStep[]>()
  for (const step of steps) {
    const parent = step.parentId !== null && ids.has(step.parentId) && step.parentId !== step.id ? step.parentId : ''
    under.set(parent, [...(under.get(parent) ?? []), step])
  }
  const rows: StepRow[] = []
  const seen = new Set<string>()
  const inOrder = (list: PlanStep[]) => list.toSorted((a, b) => a.orderIndex - b.orderIndex)
  const walk = (list: PlanStep[], depth: number) => {
    for (const step of inOrder(list)) {
      if (seen.has(step.id)) continue
      seen.add(step.id)
      const hasChildren = under.has(step.id)
      const isOpen = hasChildren && !closed.has(step.id)
      rows.push({ step, depth, hasChildren, isOpen })
      if (isOpen) walk(under.get(step.id)!, depth + 1)
      else hide(step.id)
    }
  }
  // What lies under a closed step counts as shown; what no root leads to is shown as a root.
  const hide = (id: string) => {
    for (const step of under.get(id) ?? []) {
      if (seen.has(step.id)) continue
      seen.add(step.id)
      hide(step.id)
    }
  }
  walk(under.get('') ?? [], 0)
  walk(
    steps.filter(({ id }) => !seen.has(id)),
    0,
  )
  return rows
}

/** The steps that a step lies under, from the nearest on. */
export function stepsAbove(steps: PlanStep[], id: string): string[] {
  const parents = new Map(steps.map((step) => [step.id, step.parentId]))
  const above: string[] = []
  for (let parent = parents.get(id); parent && !above.includes(parent); parent = parents.get(parent)) above.push(parent)
  return above
}

const SHAPES: Record<PlanStep['status'], Shape> = {
  pending: 'open',
  approved: 'open',
  in_progress: 'works',
  needs_review: 'turn',
  blocked: 'wrong',
  completed: 'done',
}

export function stepShape({ status }: Pick<PlanStep, 'status'>): Shape {
  return SHAPES[status]
}

/** Files and complexity in a few words, at the end of a row. Paths that are shown themselves need not be counted. */
export function stepFacts({ complexity, ownedPaths, metadata }: PlanStep, isCounted = true): string {
  if (metadata.doneBy === 'grove') return 'done by Grove'
  const paths =
    isCounted && ownedPaths.length > 0 ? `${ownedPaths.length} ${ownedPaths.length === 1 ? 'path' : 'paths'}` : ''
  return [paths, complexity && `${complexity} complexity`].filter(Boolean).join(' · ')
}

export interface Column {
  title: string
  steps: PlanStep[]
}

/** The leaves of the plan by how they stand, and a parent while it is worked on itself. */
export function boardColumns(steps: PlanStep[], isExecuting = true): Column[] {
  const parents = new Set(steps.map(({ parentId }) => parentId))
  const leaves = steps
    .filter(({ id, status }) => !parents.has(id) || status === 'in_progress')
    .toSorted((a, b) => a.orderIndex - b.orderIndex)
  const of = (...wanted: PlanStep['status'][]) => leaves.filter(({ status }) => wanted.includes(status))
  return [
    { title: 'Done', steps: of('completed') },
    { title: isExecuting ? 'Working' : 'At hand', steps: of('in_progress') },
    { title: 'Next', steps: of('pending', 'approved', 'needs_review') },
    { title: 'Blocked', steps: of('blocked') },
  ]
}

/** A step as a bar over time, in shares of the whole. */
export interface Bar {
  step: PlanStep
  start: number
  length: number
  ms: number
  isRunning: boolean
}

/** Steps that have begun, as bars between the first beginning and now. */
export function timelineBars(steps: PlanStep[], now: number): { bars: Bar[]; from: number; to: number } {
  const begun = steps.filter(({ metadata }) => metadata.startedAt !== undefined)
  const from = Math.min(now, ...begun.map(({ metadata }) => Date.parse(metadata.startedAt!)))
  const ends = begun.map(({ metadata }) => (metadata.completedAt ? Date.parse(metadata.completedAt) : now))
  const to = Math.max(from + 1, ...ends)
  const bars = begun
    .map((step, index) => {
      const start = Date.parse(step.metadata.startedAt!)
      const end = ends[index]!
      return {
        step,
        start: (start - from) / (to - from),
        length: Math.max(0.004, (end - start) / (to - from)),
        ms: end - start,
        isRunning: step.metadata.completedAt === undefined,
      }
    })
    .sort((a, b) => a.start - b.start)
  return { bars, from, to }
}

/** Why a version was made, one answer in a line. */
export function reasonWords(reason: string): string {
  return reason
    .split(/; (?=Question: )/)
    .map((one) => one.replace(/^Question: /, 'Answered: '))
    .join('\n')
}

/** A comment on a line of the plan that Claude has not seen yet. */
export interface Comment {
  stepId?: string
  quote?: string
  text: string
}

/** The lines of a step that can be commented on: its title, then each line of its description. */
export function linesOf({
  title,
  description,
  metadata,
}: Pick<PlanStep, 'title' | 'description' | 'metadata'>): string[] {
  // Who did it stands beside it already.
  if (metadata.doneBy === 'grove') return [title]
  return [title, ...description.split('\n').filter((line) => line.trim() !== '')]
}
