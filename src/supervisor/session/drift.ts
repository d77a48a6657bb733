import type { RecoveryPlan } from '#core/drift/correction.ts'
import { type DriftState, type OffGoal, ON_GOAL, type OnGoal } from '#core/drift/recovery.ts'
import type { CorrectionLevel } from '#core/step.ts'
import { pushBounded } from './bounded.ts'
import type { SessionState } from './session-state.ts'

/** How the agent stands to its goal. */
export interface Drift {
  readonly standing: Standing
  /** How the newest action that could be scored was scored, rules included. */
  readonly lastScore?: number
  /** Corrections since the agent was last on goal, by the keys they are delivered under; mere reminders apart. */
  readonly corrections: readonly string[]
  readonly reminders: readonly string[]
  /** Where the agent was when it was corrected, unless it has taken that back. */
  readonly astray: readonly Astray[]
  /** Tasks in which the agent had to be corrected, and those in which it heard a correction and went on all the same. */
  readonly driftedTasks: readonly string[]
  readonly unheededTasks: readonly string[]
  /** The tool call that a person was asked about; if it runs, they have allowed it. */
  readonly askedAbout?: string
}

export interface Astray {
  readonly path: string
  /** The action removed something there. */
  readonly removed: boolean
  /** The action changed a file that had existed before, so removing the file does not undo it. */
  readonly wasThere?: boolean
  /** The task in which something forbade it. */
  readonly forbiddenIn?: string
}

/** Off the goal there is always a plan that leads back; in forced mode the judge is asked once for a better one. */
export type Standing =
  | OnGoal
  | (Extract<OffGoal, { mode: 'drifted' }> & { readonly plan: RecoveryPlan })
  | (Extract<OffGoal, { mode: 'forced' }> & { readonly plan: RecoveryPlan; readonly judgeAsked: boolean })

export const NO_DRIFT: Drift = {
  standing: ON_GOAL,
  corrections: [],
  reminders: [],
  astray: [],
  driftedTasks: [],
  unheededTasks: [],
}

const CORRECTIONS = 10
const ASTRAY = 20
const DRIFTED_TASKS = 50

/** The way back, while the agent is off the goal. */
export function planOf({ drift: { standing } }: SessionState): RecoveryPlan | undefined {
  return standing.mode === 'normal' ? undefined : standing.plan
}

/** A new instruction or the end of the task: nothing of the drift so far counts any more. */
export function startOnGoal(session: SessionState, standing = ON_GOAL): void {
  const { askedAbout: _, ...rest } = session.drift
  session.drift = { ...rest, standing, corrections: [], reminders: [] }
}

export function stayOnGoal(session: SessionState, standing: OnGoal): void {
  session.drift = { ...session.drift, standing }
}

export function noteScore(session: SessionState, score: number): void {
  session.drift = { ...session.drift, lastScore: score, ...(score >= 8 && { corrections: [], reminders: [] }) }
}

export function forgetScore(session: SessionState): void {
  const { lastScore: _, ...rest } = session.drift
  session.drift = rest
}

/** The agent is corrected, and stands from now on as `next` says. */
export function noteCorrection(
  session: SessionState,
  { key, level, next, plan }: { key: string; level: CorrectionLevel; next: DriftState; plan: RecoveryPlan },
  taskId: string,
): void {
  const { drift } = session
  session.drift = {
    ...drift,
    standing: standingAfter(drift.standing, next, plan),
    ...(level === 'nudge'
      ? { reminders: pushBounded(drift.reminders, key, CORRECTIONS) }
      : {
          corrections: pushBounded(drift.corrections, key, CORRECTIONS),
          driftedTasks: pushBounded(drift.driftedTasks, taskId, DRIFTED_TASKS),
        }),
  }
}

/** The agent heard a correction and went on all the same: the work is marked for review. */
export function noteUnheeded(session: SessionState, taskId: string): void {
  const unheededTasks = pushBounded(session.drift.unheededTasks, taskId, DRIFTED_TASKS)
  session.drift = { ...session.drift, unheededTasks }
}

/** A person is asked whether the agent may make this call. */
export function noteAskedAbout(session: SessionState, toolUseId: string): void {
  session.drift = { ...session.drift, askedAbout: toolUseId }
}

function standingAfter(before: Standing, next: DriftState, plan: RecoveryPlan): Standing {
  if (next.mode === 'normal') return next
  if (next.mode === 'drifted') return { ...next, plan }
  return { ...next, plan, judgeAsked: before.mode === 'forced' && before.judgeAsked }
}

/** The agent was corrected for what it did there. */
export function noteAstray(session: SessionState, paths: string[], what: Omit<Astray, 'path'>): void {
  const others = session.drift.astray.filter(({ path }) => !paths.includes(path))
  const astray = [...others, ...paths.map((path) => ({ path, ...what }))].slice(-ASTRAY)
  session.drift = { ...session.drift, astray }
}

/** What was done astray there has been taken back. */
export function forgetAstray(session: SessionState, isTakenBack: (path: string) => boolean): void {
  const astray = session.drift.astray.filter(({ path }) => !isTakenBack(path))
  if (astray.length < session.drift.astray.length) session.drift = { ...session.drift, astray }
}

/** Whether the judge is still to be asked for a way out of forced mode. From here on it counts as asked. */
export function takeForcedQuestion(session: SessionState): boolean {
  const { standing } = session.drift
  if (standing.mode !== 'forced' || standing.judgeAsked) return false
  session.drift = { ...session.drift, standing: { ...standing, judgeAsked: true } }
  return true
}

/** The judge knows the one action that leads out of forced mode: it takes the place of the plan's first step. */
export function replaceFirstStep(session: SessionState, action: string): void {
  const { standing } = session.drift
  if (standing.mode !== 'forced') return
  const plan = { ...standing.plan, steps: [action, ...standing.plan.steps.slice(1)] }
  session.drift = { ...session.drift, standing: { ...standing, plan } }
}
