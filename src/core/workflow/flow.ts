import type { Hold } from './hold.ts'
import type { SessionStatus, Stage } from './stage.ts'

/**
 * What decides where a feature session goes next. Everything in it is kept in session.json, so that a process that starts
 * anew goes on where the last one was stopped.
 */
export interface Flow {
  status: SessionStatus
  currentStage: Stage
  /** What Grove has to do now; null while a person is waited for, and when all is done. */
  task: Task | null
  hold: Hold | null
  currentPlanVersion: number
  /** Of the current plan; empty while there is none. */
  planHash: string
  /** A person's word for exactly this plan; any change of the plan voids it. */
  approval: { planHash: string; planVersion: number; signedOff: boolean; at: string; by?: string } | null
  /** The plan that may be started without a click once a review of it is clean. */
  startWhenClean: string | null
  /** The last review of the current plan found nothing that a person has to decide. */
  isClean: boolean
  reviewCount: number
  recommendedReviews: number
  replanningCount: number
  /** What stage 2 has to work into the plan: decisions, with their context. */
  carried: Carried[]
  /** Automatic attempts to fix failing checks since a person spoke last. */
  fixAttempts: number
  /** The person accepts that checks fail, for this pass. */
  acceptsFailure: boolean
  localReview: boolean
  /** How the newest base branch comes in before a push. */
  baseUpdate: 'rebase' | 'merge' | 'skip'
  /** A person has said that the branch may be pushed although it is not done by itself. */
  mayPush: boolean
}

/** Something that was decided elsewhere and must change the plan, or be told to Claude. */
export interface Carried {
  from: 'answer' | 'change_request' | 'blocker' | 'todo' | 'pr_review' | 'ci' | 'final_approval' | 'guidance'
  text: string
}

export type Task =
  | { type: 'open' }
  | { type: 'discover' }
  | { type: 'revise' }
  | { type: 'review' }
  | { type: 'validate' }
  | { type: 'implement'; stepId: string }
  | { type: 'collect'; stepId: string }
  | { type: 'check' }
  | { type: 'fix'; detail: string }
  | { type: 'commit' }
  | { type: 'describe' }
  | { type: 'publish' }
  | { type: 'watch' }
  | { type: 'pr_review' }

export type TaskType = Task['type']
