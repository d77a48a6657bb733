import { correctionLine, correctionText, type Drifted, type RecoveryPlan, reasonOf } from '#core/drift/correction.ts'
import type { DriftState } from '#core/drift/recovery.ts'
import { extractGoal } from '#core/goal/goal.ts'
import { isSimplePrompt } from '#core/goal/instruction.ts'
import type { CorrectionLevel, Step } from '#core/step.ts'
import type { Task } from '#core/task.ts'
import { queueCorrection, queueNotice } from '../../session/deliveries.ts'
import { noteCorrection } from '../../session/drift.ts'
import type { SessionState } from '../../session/session-state.ts'
import { type ActiveWork, changeTask } from '../../session/work.ts'
import type { World } from '../../world.ts'

export interface Correction {
  key: string
  level: CorrectionLevel
  score: number
  /** How the agent stands from now on. */
  next: DriftState
  drift: Drifted
  plan: RecoveryPlan
  /** The action, where it is not kept as a step. */
  rejected?: Step
}

/** Queues a correction for the agent in place of an earlier one and a line for the user, and puts it on record. Answers with its words. */
export async function correct(
  world: World,
  session: SessionState,
  task: Task,
  { key, level, score, next, drift, plan, rejected }: Correction,
): Promise<string> {
  const reason = reasonOf(drift)
  const { sessionId } = session
  const text = correctionText(level, drift, plan)
  noteCorrection(session, { key, level, next, plan }, task.id)
  queueCorrection(session, { key, text, why: `${level}: ${reason}` })
  if (world.settings.tellsUser) queueNotice(session, correctionLine(level, drift))
  world.log.info({ sessionId, correction: level, score }, reason)
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
  world.publish({ type: 'drift', sessionId, taskId: task.id, level, score, reason, mode: next.mode })
  return text
}

/** Writes how the agent stands into the task's row, where the page and the CLI read it. */
export async function saveMode(world: World, session: SessionState, task: Task): Promise<void> {
  const { mode, escalation } = session.drift.standing
  const change = { mode, escalation, updatedAt: world.clock.now() }
  changeTask(session, change)
  await world.store.tasks.change(task.id, change)
}

/** What the agent is to do now: the user's newest words, and the task that they belong to where they are not all of it. */
export function asked({ task, trail }: ActiveWork): { goal: string; partOf?: string } {
  const { goal, instruction, kind, parentId } = task
  // Finished work that was taken up again has its old goal, and newer words.
  const isTakenUp = kind === 'main' && parentId !== undefined && !isSimplePrompt(instruction)
  if (trail.goal === instruction && !isTakenUp) return { goal }
  const newest = extractGoal(trail.goal).goal
  return newest === goal ? { goal } : { goal: newest, partOf: goal }
}
