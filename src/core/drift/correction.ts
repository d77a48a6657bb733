import { cap, neutralise } from '../context/fence.ts'
import type { CorrectionLevel } from '../step.ts'

/** What the agent should do to come back; the first step is the one that recovery is checked against. */
export interface RecoveryPlan {
  /** Files whose opening or editing counts as coming back. */
  backTo: string[]
  steps: string[]
}

export interface Drifted {
  /** The instruction in force, short. */
  goal: string
  constraints: string[]
  /** One sentence naming file and reason. */
  reason: string
  file?: string
}

/** The way back: leave the stray file, return to the files the goal is about, finish what was asked. */
export function recoveryPlan(drift: Drifted, onGoalFiles: string[]): RecoveryPlan {
  const backTo = [...new Set(onGoalFiles)].filter((file) => file !== drift.file).slice(0, 3)
  const first =
    backTo.length > 0
      ? `Return to ${listed(backTo)}.`
      : 'Name the files that the goal needs, and open the first of them.'
  const leave = drift.file
    ? `Leave ${drift.file} as it was; undo your change there unless the goal needs it.`
    : undefined
  return { backTo, steps: [first, ...(leave ? [leave] : []), `Finish what was asked: ${drift.goal}`] }
}

/** Whether an action does what the plan asks for first. */
export function recovers(plan: RecoveryPlan | undefined, files: string[]): boolean {
  return plan?.backTo.some((file) => files.includes(file)) ?? false
}

// Whatever goal, limits, names or a judge's words are made of, a correction stays under 2,000 characters.
const MAX = { reason: 300, goal: 400, limits: 400, step: 200, steps: 4 }

/** The words that reach the agent, firmer with each level, never longer than they must be, and without foreign markers. */
export function correctionText(level: CorrectionLevel, drift: Drifted, plan: RecoveryPlan): string {
  const reason = cap(drift.reason, MAX.reason)
  const goal = `The instruction in force: ${cap(drift.goal, MAX.goal)}`
  const limits =
    drift.constraints.length > 0 ? [`Limits the user set: ${cap(drift.constraints.join('; '), MAX.limits)}.`] : []
  const steps = plan.steps.slice(0, MAX.steps).map((step) => cap(step, MAX.step))
  const numbered = steps.map((step, index) => `${index + 1}. ${step}`)
  switch (level) {
    case 'nudge':
      return lines(`A reminder: ${reason}`, goal, 'Carry on if this serves it; otherwise return to it.')
    case 'correct':
      return lines(`You may be leaving the goal: ${reason}`, goal, ...limits, 'To come back:', ...numbered)
    case 'intervene':
      return lines(
        `You have left the goal: ${reason}`,
        goal,
        ...limits,
        `Your next action must be this one: ${steps[0]}`,
        'Then:',
        ...numbered.slice(1),
        'If you are sure that this work is needed for the goal, say why in one sentence before you go on.',
      )
    case 'halt':
      return lines(
        `Stop. Several actions in a row do not serve the goal: ${reason}`,
        goal,
        ...limits,
        `Do this now and nothing else: ${steps[0]}`,
        'Other writes may be refused until you do. If the user asked for this, quote their words; a new instruction from the user lifts it.',
      )
  }
}

function lines(...parts: string[]): string {
  return neutralise(parts.join('\n'))
}

function listed(files: string[]): string {
  return files.length < 2 ? (files[0] ?? '') : `${files.slice(0, -1).join(', ')} or ${files.at(-1)}`
}
