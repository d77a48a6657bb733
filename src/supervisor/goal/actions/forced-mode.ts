import { neutralise } from '#core/context/fence.ts'
import { recovers } from '#core/drift/correction.ts'
import { whyForeign } from '#core/drift/explain.ts'
import { type DriftAction, judgeAction } from '#core/drift/score.ts'
import { wordsOf } from '#core/goal/limits/answer-only.ts'
import { limitOn } from '#core/goal/orders.ts'
import { refusal } from '#core/refusal.ts'
import type { Task } from '#core/task.ts'
import { covers } from '#core/text/covers.ts'
import { refusalText } from '#protocol/refusal.ts'
import { callIn, type SeenUse } from '../../action/tool-call.ts'
import type { Contribution } from '../../handle-hook.ts'
import { noteAskedAbout, planOf } from '../../session/drift.ts'
import type { SessionState } from '../../session/session-state.ts'
import { activeTask, activeWork } from '../../session/work.ts'
import type { World } from '../../world.ts'
import { boundsOf, breaksLimit, driftActionsOf } from './drift-actions.ts'
import { knownWork } from './goal-files.ts'
import { heardCorrections, score, whatItDoes, worst } from './score-action.ts'

/**
 * A halt really halts: in forced mode only the recovery step, work that serves the goal, or taking back what was done
 * astray may write, with a tool or through the shell. Reading, and commands that write nothing here, are free.
 */
export async function guardForced(
  world: World,
  session: SessionState,
  toolUse: SeenUse,
): Promise<Contribution | undefined> {
  const { standing } = session.drift
  if (standing.mode !== 'forced') return undefined
  const action = await whatItDoes(world, session, toolUse)
  if (action.readsOnly) return undefined
  const stray = driftActionsOf(session, action).find((one) => isWrite(one) && isStray(session, one))
  if (stray === undefined) return undefined
  world.tools.deny(callIn(toolUse))
  const way = standing.plan.steps.slice(0, -1).join(' ') || 'Return to the goal.'
  return {
    deny: refusalText(
      refusal(
        'recovery_required',
        neutralise(`${stray.path}: ${whyDenied(activeTask(session), stray.path!)}`),
        `${neutralise(way)} A new instruction from the user lifts this at once.`,
      ),
    ),
  }
}

function whyDenied(task: Task | undefined, path: string): string {
  const limit = task && limitOn(task, path)
  const why = limit === undefined ? 'this write does not serve the goal' : `the user said “${wordsOf(limit)}”`
  return `${why}, and earlier corrections were not followed. Asked for: “${task?.goal ?? ''}”`
}

function isWrite({ kind, path }: DriftAction): boolean {
  return (kind === 'edit' || kind === 'write') && path !== undefined && !path.startsWith('/')
}

/** What breaks a limit is, and what would be corrected by itself; what the task names or has touched on goal is not. */
function isStray(session: SessionState, write: DriftAction): boolean {
  const active = activeWork(session)
  if (!active) return true
  if (breaksLimit(active.task, write)) return true
  const path = write.path!
  if (recovers(planOf(session), [path])) return false
  if (covers([...active.task.expectedScope, ...session.work.onGoalFiles], path)) return false
  return judgeAction(active.trail, write, boundsOf(active.task, write)).reading.score < 7
}

const ASKS_AFTER = 3

/**
 * Statistics deny nothing. Where they stay bad after three corrections that the agent heard, a person decides, if one sits
 * before the client; in a headless run the prompt would be a denial, so there the work is only marked for review.
 */
export async function askPerson(
  world: World,
  session: SessionState,
  toolUse: SeenUse,
): Promise<Contribution | undefined> {
  const active = activeWork(session)
  if (!active || session.transcript.attended !== true || heardCorrections(session) < ASKS_AFTER) return undefined
  const action = await whatItDoes(world, session, toolUse)
  const writes = driftActionsOf(session, action).filter(isWrite)
  const judged = await worst(writes.map((write) => score(world, session, active, write)))
  if (!judged || judged.reading.score > 6) return undefined
  noteAskedAbout(session, toolUse.id)
  const [path] = writes.flatMap((write) => write.path ?? [])
  const why = judged.reading.reasons[0]?.why ?? whyForeign({ path }, knownWork(session, active, judged.reading.proof))
  return {
    ask: neutralise(
      `Grove: ${heardCorrections(session)} corrections did not help. The agent wants to change ${path}; ${why}. Asked for: “${active.task.goal}”. Allow it only if you want it.`,
    ),
  }
}
