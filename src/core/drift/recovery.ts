import type { CorrectionLevel } from '../step.ts'

/**
 * Drift with teeth, as one machine. An action's score decides whether it is kept as a step, how firmly the agent is
 * corrected, and when the guard takes over. It watches the agent, never the user: a new instruction starts afresh.
 *
 * Teeth need proof. A score that only statistics speak for is answered with a correction at most; to reject an action, to
 * grow firmer and to force the agent takes evidence that can be shown.
 */
export type DriftState = OnGoal | OffGoal

/** A limit in the user's own words, the scope of an intent, a judge's verdict, or the plan that the agent declared itself. */
export type Proof = 'limit' | 'intent' | 'judge' | 'plan'

/** `escalation` counts the corrections in a row that were not followed. */
export interface OnGoal {
  mode: 'normal'
  escalation: number
}

/** The agent was corrected and is to come back; once it has failed to too often, it is forced. */
export type OffGoal =
  | { mode: 'drifted'; escalation: number; failedRecoveries: number }
  | { mode: 'forced'; escalation: number }

export const ON_GOAL: OnGoal = { mode: 'normal', escalation: 0 }

export type DriftInput =
  /** A scored action; `recovers` when it is the recovery plan's first step. What says nothing either way is no input. */
  { type: 'action'; score: number; recovers: boolean; proof?: Proof | undefined } | { type: 'instruction' }

/**
 * `keep` says whether the action belongs into the history of steps; `recovered` is true on the action that brought the
 * agent back. Whatever leaves the agent off its goal is answered with a correction.
 */
export type DriftDecision = Fine | { state: DriftState; keep: boolean; level: CorrectionLevel; recovered: false }

interface Fine {
  state: OnGoal
  keep: true
  level?: undefined
  recovered: boolean
}

const FORCED_AFTER = 3

export function decideDrift(state: DriftState, input: { type: 'instruction' }): Fine
export function decideDrift(state: DriftState, input: DriftInput): DriftDecision
export function decideDrift(state: DriftState, input: DriftInput): DriftDecision {
  if (input.type === 'instruction') return { state: ON_GOAL, keep: true, recovered: state.mode !== 'normal' }
  switch (state.mode) {
    case 'normal':
      return normal(state, input)
    case 'drifted':
      return drifted(state, input)
    case 'forced':
      return forced(state, input)
  }
}

type Action = Extract<DriftInput, { type: 'action' }>
type Drifted = Extract<DriftState, { mode: 'drifted' }>
type Forced = Extract<DriftState, { mode: 'forced' }>

function normal(state: OnGoal, { score, proof }: Action): DriftDecision {
  if (score >= 8) return { state: calmer(state), keep: true, recovered: false }
  const level = proof ? raised(levelOf(score), state.escalation) : unproven(score)
  if (score === 7) return { state, keep: true, level, recovered: false }
  const escalation = state.escalation + 1
  if (score >= 5 || !proof) return { state: { ...state, escalation }, keep: true, level, recovered: false }
  return {
    state: { mode: 'drifted', escalation, failedRecoveries: 0 },
    keep: false,
    level,
    recovered: false,
  }
}

function drifted(state: Drifted, { score, recovers, proof }: Action): DriftDecision {
  if (recovers || score >= 7) return { state: back(state), keep: true, recovered: true }
  if (!proof) return { state, keep: true, level: unproven(score), recovered: false }
  const failedRecoveries = state.failedRecoveries + 1
  const escalation = state.escalation + 1
  if (failedRecoveries >= FORCED_AFTER) {
    return {
      state: { mode: 'forced', escalation },
      keep: false,
      level: 'halt',
      recovered: false,
    }
  }
  return {
    state: { ...state, escalation, failedRecoveries },
    keep: false,
    level: raised(levelOf(score), escalation),
    recovered: false,
  }
}

/** In forced mode a good score alone does not do: only the recovery step itself, or clearly being back on the goal. */
function forced(state: Forced, { score, recovers, proof }: Action): DriftDecision {
  if (recovers || score >= 8) return { state: back(state), keep: true, recovered: true }
  if (!proof) return { state, keep: true, level: unproven(score), recovered: false }
  return { state, keep: score >= 5, level: 'halt', recovered: false }
}

function back(state: OffGoal): OnGoal {
  return { ...ON_GOAL, escalation: Math.max(0, Math.min(state.escalation, 2) - 1) }
}

function calmer(state: OnGoal): OnGoal {
  return state.escalation === 0 ? state : { ...state, escalation: state.escalation - 1 }
}

const LEVELS: CorrectionLevel[] = ['nudge', 'correct', 'intervene', 'halt']

/** The level a score alone asks for; only scores under 8 have one. */
export function levelOf(score: number): CorrectionLevel {
  if (score >= 7) return 'nudge'
  if (score >= 5) return 'correct'
  return score >= 3 ? 'intervene' : 'halt'
}

/** The most that statistics alone can say. */
function unproven(score: number): CorrectionLevel {
  return score >= 7 ? 'nudge' : 'correct'
}

/** A correction that was not followed is repeated one level firmer. */
function raised(level: CorrectionLevel, escalation: number): CorrectionLevel {
  if (escalation === 0 || level === 'nudge') return level
  return LEVELS[Math.min(LEVELS.indexOf(level) + 1, LEVELS.length - 1)]!
}
