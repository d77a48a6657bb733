/** A plan as people approve it and agents work through it: a tree of steps, in order, with what each of them owns. */
export interface Plan {
  planVersion: number
  steps: PlanStep[]
}

export interface PlanStep {
  /** As the agent named it; reports refer to it. */
  id: string
  /** Ours, in case an agent uses a name twice in the life of a plan. */
  uid: string
  parentId: string | null
  orderIndex: number
  title: string
  description: string
  status: StepStatus
  dependsOn: string[]
  complexity: Complexity | null
  /** The acceptance criteria it serves, in the words of the form. */
  criteria: string[]
  /** Globs of what it may change. */
  ownedPaths: string[]
  metadata: StepRecord
}

export const STEP_STATUSES = ['pending', 'in_progress', 'needs_review', 'approved', 'blocked', 'completed'] as const
export type StepStatus = (typeof STEP_STATUSES)[number]

export const COMPLEXITIES = ['low', 'medium', 'high'] as const
export type Complexity = (typeof COMPLEXITIES)[number]

/** What became of a step; no part of what is approved. */
export interface StepRecord {
  doneBy?: 'agent' | 'grove'
  summary?: string
  startedAt?: string
  completedAt?: string
  /** The state of the work tree after it, as a commit under a hidden ref. */
  checkpoint?: string
  intentId?: string
}

/** A step as an agent proposes it. */
export interface ProposedStep {
  id: string
  parent?: string | undefined
  title: string
  description: string
  dependsOn?: string[] | undefined
  complexity?: Complexity | undefined
  criteria?: string[] | undefined
  paths?: string[] | undefined
}
