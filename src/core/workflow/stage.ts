/** The six stages of a feature session. Files and events have the number and the word. */
export const STAGES = ['discovery', 'review', 'implementation', 'pr_creation', 'pr_review', 'final_approval'] as const
export type StageName = (typeof STAGES)[number]
export type Stage = 1 | 2 | 3 | 4 | 5 | 6

export function stageName(stage: Stage): StageName {
  return STAGES[stage - 1]!
}

/** As people read it. */
export const STAGE_TITLES: Record<StageName, string> = {
  discovery: 'Feature discovery',
  review: 'Plan review',
  implementation: 'Implementation',
  pr_creation: 'Pull request',
  pr_review: 'Pull request review',
  final_approval: 'Final approval',
}

export const SESSION_STATUSES = [
  'active',
  'paused',
  'completed',
  'expired',
  'error',
  'rolled_back',
  'interrupted',
  'corrupted',
] as const
export type SessionStatus = (typeof SESSION_STATUSES)[number]
