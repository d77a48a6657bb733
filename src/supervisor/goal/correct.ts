import { correctionText, type Drifted, type RecoveryPlan } from '#core/drift/correction.ts'
import { extractGoal } from '#core/goal/goal.ts'
import type { CorrectionLevel, Step } from '#core/step.ts'
import type { Task } from '#core/task.ts'
import type { World } from '../world.ts'
import { type Mind, pushBounded } from './mind.ts'

const TASKS = 50
const CORRECTIONS = 10

export interface Correction {
  key: string
  level: CorrectionLevel
  score: number
  drift: Drifted
  plan: RecoveryPlan
  /** The action, where it is not kept as a step. */
  rejected?: Step
}

/** Puts a correction in line for the agent, and on record. Only the newest counts: nobody can act on two at once. */
export async function correct(world: World, mind: Mind, task: Task, correction: Correction): Promise<void> {
  const { key, level, score, drift, plan, rejected } = correction
  const { reason } = drift
  const { sessionId } = mind
  const text = correctionText(level, drift, plan)
  mind.plan = plan
  mind.corrections = pushBounded(mind.corrections ?? [], key, CORRECTIONS)
  if (level !== 'nudge') mind.drifted = pushBounded(mind.drifted, task.id, TASKS)
  mind.pending = [
    ...mind.pending.filter(({ kind }) => kind !== 'correction'),
    { key, kind: 'correction', text, why: `${level}: ${reason}` },
  ]
  if (rejected) {
    const { id: stepId, tool, kind, files, at } = rejected
    const said = { level, reason, correction: text, recoveryPlan: plan.steps, recovered: false }
    const id = world.newId('drift')
    await world.store.driftEvents.append({
      id,
      sessionId,
      taskId: task.id,
      stepId,
      tool,
      kind,
      files,
      score,
      at,
      ...said,
    })
  }
  world.publish({ type: 'drift', sessionId, taskId: task.id, level, score, reason, mode: mind.drift.mode })
}

/** The task's row says how it stands, for whoever looks. */
export async function saveMode(world: World, mind: Mind, task: Task): Promise<void> {
  const { mode, escalation } = mind.drift
  const change = { mode, escalation, updatedAt: world.clock.now() }
  mind.task = { ...task, ...change }
  await world.store.tasks.change(task.id, change)
}

/** What the agent is to do now, in one line: the user's newest words, and the task that they belong to. */
export function inForce({ trail }: Mind, { goal, instruction }: Task): string {
  if (!trail || trail.goal === instruction) return goal
  return `${extractGoal(trail.goal).goal} (part of: ${goal})`
}
