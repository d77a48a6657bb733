import type { Action } from '#core/actions.ts'
import { neutralise } from '#core/context/fence.ts'
import { covers } from '#core/drift/checks.ts'
import { recovers } from '#core/drift/correction.ts'
import { judgeAction } from '#core/drift/score.ts'
import type { ToolUse } from '#core/turn.ts'
import { refusal, refusalText } from '#protocol/refusal.ts'
import { failOpen } from './fail-open.ts'
import type { Contribution } from './handle-hook.ts'
import type { Mind } from './mind.ts'
import { boundsOf, driftActionOf, whatItDoes } from './note-action.ts'
import type { World } from './world.ts'

/**
 * A halt really halts: in forced mode only the recovery step, work that clearly serves the goal, or taking back what was
 * done astray may write, with a tool or through the shell. Reading, and commands that write nothing here, are free.
 */
export async function guardForced(world: World, mind: Mind, toolUse: ToolUse): Promise<Contribution | undefined> {
  if (mind.drift.mode !== 'forced') return undefined
  const action = whatItDoes(toolUse, mind.cwd)
  const stray = action.kind === 'bash' ? await strayInShell(world, mind, action.command ?? '') : strayOf(mind, action)
  if (stray === undefined) return undefined
  const way = mind.plan?.steps[0] ?? 'Return to the goal.'
  return {
    deny: refusalText(
      refusal(
        'recovery_required',
        neutralise(
          `${stray}: this write does not serve the goal, and earlier corrections were not followed: ${mind.task?.goal ?? ''}`,
        ),
        `${neutralise(way)} A new instruction from the user lifts this at once.`,
      ),
    ),
  }
}

/** The file that an edit should not touch. */
function strayOf(mind: Mind, action: Action): string | undefined {
  if ((action.kind !== 'edit' && action.kind !== 'write') || recovers(mind.plan, action.files)) return undefined
  const { trail, task } = mind
  const write = driftActionOf(action)
  const isGood = write && trail && task && judgeAction(trail, write, boundsOf(task, write)).reading.score >= 8
  return isGood ? undefined : (action.files[0] ?? 'a file')
}

/** The first file inside the project that a command should not touch. Its text is unknown, so only its place counts. */
async function strayInShell(world: World, mind: Mind, command: string): Promise<string | undefined> {
  const { cwd, root, task } = mind
  if (!cwd || !root) return undefined
  const { writes } = await failOpen(world.log, 'read a shell command', { writes: [] }, () =>
    world.shellWrites(command, { cwd, root }),
  )
  const inside = writes
    .filter(({ path }) => path.startsWith(`${root}/`))
    .map(({ path }) => path.slice((path.startsWith(`${cwd}/`) ? cwd : root).length + 1))
  const ours = [...(mind.plan?.backTo ?? []), ...(task?.expectedScope ?? []), ...mind.onGoalFiles]
  const strays = inside.filter((path) => !covers(ours, path))
  if (strays.length === 0 || !UNDOES.test(command)) return strays[0]
  const rejected = await world.store.driftEvents.ofSession(mind.sessionId, REJECTED)
  return strays.find((path) => !rejected.some(({ files }) => files.includes(path)))
}

const REJECTED = 20
/** What takes back: it is allowed for what was rejected, because the way back asks for it. */
const UNDOES = /^\s*(?:git\s+(?:checkout|restore|rm|clean)|rm)\b/
