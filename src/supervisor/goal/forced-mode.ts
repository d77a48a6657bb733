import type { ToolReading } from '#core/action/reading.ts'
import { neutralise } from '#core/context/fence.ts'
import { covers } from '#core/drift/checks.ts'
import { recovers } from '#core/drift/correction.ts'
import { type DriftAction, judgeAction } from '#core/drift/score.ts'
import { refusal } from '#core/refusal.ts'
import { refusalText } from '#protocol/refusal.ts'
import { callIn, type SeenUse } from '../action/tool-call.ts'
import type { Contribution } from '../handle-hook.ts'
import { planOf } from '../session/drift.ts'
import type { SessionState } from '../session/session-state.ts'
import { activeTask, activeWork } from '../session/work.ts'
import type { World } from '../world.ts'
import { boundsOf, driftActionsOf, whatItDoes } from './note-action.ts'
import { takesBack } from './take-back.ts'

/**
 * A halt really halts: in forced mode only the recovery step, work that clearly serves the goal, or taking back what was
 * done astray may write, with a tool or through the shell. Reading, and commands that write nothing here, are free.
 */
export async function guardForced(
  world: World,
  session: SessionState,
  toolUse: SeenUse,
): Promise<Contribution | undefined> {
  const { standing } = session.drift
  if (standing.mode !== 'forced') return undefined
  const action = await whatItDoes(world, session, toolUse)
  const stray = action.kind === 'bash' ? strayInShell(session, action) : strayOf(session, action)
  if (stray === undefined) return undefined
  world.tools.deny(callIn(toolUse))
  const way = standing.plan.steps[0] ?? 'Return to the goal.'
  return {
    deny: refusalText(
      refusal(
        'recovery_required',
        neutralise(
          `${stray}: this write does not serve the goal, and earlier corrections were not followed: ${activeTask(session)?.goal ?? ''}`,
        ),
        `${neutralise(way)} A new instruction from the user lifts this at once.`,
      ),
    ),
  }
}

/** The file that an edit should not touch. */
function strayOf(session: SessionState, action: ToolReading): string | undefined {
  if ((action.kind !== 'edit' && action.kind !== 'write') || recovers(planOf(session), action.files)) return undefined
  const active = activeWork(session)
  const writes = driftActionsOf(session, action)
  const isGood = (write: DriftAction) =>
    active && judgeAction(active.trail, write, boundsOf(active.task, write)).reading.score >= 8
  return writes.length > 0 && writes.every(isGood) ? undefined : (writes[0]?.path ?? 'a file')
}

/** The first file inside the project that a command should not touch. Its text is unknown, so only its place counts. */
function strayInShell(session: SessionState, { command = '', effect }: ToolReading): string | undefined {
  const { place } = session
  if (!place || effect.kind !== 'shell') return undefined
  const { cwd, root } = place
  const inside = effect.script.writes
    .filter(({ path }) => path.startsWith(`${root}/`))
    .map(({ path }) => path.slice((path.startsWith(`${cwd}/`) ? cwd : root).length + 1))
  const ours = [
    ...(planOf(session)?.backTo ?? []),
    ...(activeTask(session)?.expectedScope ?? []),
    ...session.work.onGoalFiles,
  ]
  return inside.find((path) => !covers(ours, path) && !takesBack(session, command, path))
}
