import type { ToolReading } from '#core/action/reading.ts'
import { type Bounds, type DriftAction, type DriftReading, judgeAction } from '#core/drift/score.ts'
import type { Task } from '#core/task.ts'
import { callIn, type SeenUse } from '../../action/tool-call.ts'
import { failOpen } from '../../fail-open.ts'
import { isDelivered } from '../../session/deliveries.ts'
import type { SessionState } from '../../session/session-state.ts'
import { type ActiveWork, activeWork, isNoted } from '../../session/work.ts'
import type { World } from '../../world.ts'
import { planBounds } from '../tasks/declared-plan.ts'
import { boundsOf, breaksLimit, driftActionsOf } from './drift-actions.ts'
import { evidenceFor } from './evidence.ts'
import { announce, announcedReading } from './scored-ahead.ts'
import { takesBack } from './take-back.ts'

export async function judge(
  world: World,
  session: SessionState,
  work: ActiveWork,
  action: ToolReading,
  id: string,
  agentId: string | undefined,
) {
  const all = driftActionsOf(session, action)
  // A subagent works for its own prompt, so its distance from the goal says nothing; what the user forbade holds for it too.
  const scored = agentId === undefined ? all : all.filter((one) => breaksLimit(work.task, one))
  const judged = await worst(scored.map((one) => score(world, session, work, one, id)))
  // Taking a stray change back is what the correction asked for, so it scores full.
  const { removes = [], restores = [] } = action
  const places = [...removes, ...restores]
  const isTakenBack = places.length > 0 && places.every((path) => takesBack(session, action, path))
  return judged && isTakenBack ? { ...judged, reading: { ...judged.reading, score: 10, reasons: [] } } : judged
}

/** What a call does, read from where the session works. */
export function whatItDoes(world: World, { place }: SessionState, toolUse: SeenUse): Promise<ToolReading> {
  return world.tools.read(callIn(toolUse), place ?? {})
}

/** The action's reading, with what the repository has to say for it; undefined when scoring itself has trouble. */
export function score(world: World, session: SessionState, { task, trail }: ActiveWork, action: DriftAction, id = '') {
  return failOpen(world.log, 'score an action', undefined, async () => {
    const bounds = boundsNow(session, task, action)
    const first = announcedReading(session, id, trail, bounds) ?? judgeAction(trail, action, bounds)
    // Evidence can only speak for an action, so it is looked up only where something speaks against it.
    if (first.reading.score >= GOOD || action.path === undefined) return first
    const known = await evidenceFor(world, session, task, action.path)
    return judgeAction(trail, action, { ...bounds, evidence: { ...known, ...bounds.evidence } })
  })
}

/** A command that changes several places is as good as the worst of it. */
export async function worst<Judged extends { reading: DriftReading }>(
  each: Promise<Judged | undefined>[],
): Promise<Judged | undefined> {
  const known = (await Promise.all(each)).filter((one) => one !== undefined)
  return known.toSorted((a, b) => a.reading.score - b.reading.score)[0]
}

function boundsNow(session: SessionState, task: Task, action: DriftAction): Bounds {
  const delivered = activeWork(session)?.trail.delivered
  const isOther = delivered !== undefined && action.path !== undefined && !session.work.changed.includes(action.path)
  return {
    ...planBounds(session, action),
    ...boundsOf(task, action),
    ...(isOther && { delivered }),
    ...ignoredBy(session),
  }
}

/** The agent is about to act; what can be said of it by now is worked out while the tool runs. */
export async function scoreAhead(world: World, session: SessionState, toolUse: SeenUse): Promise<void> {
  const active = activeWork(session)
  if (!active || isNoted(session, toolUse.id)) return
  const { task, trail } = active
  const cwd = session.place?.cwd
  const action = await whatItDoes(world, session, toolUse)
  if (action.outcome === 'denied') return
  const [scored, ...more] = driftActionsOf(session, action)
  const bounds = scored && more.length === 0 && boundsNow(session, task, scored)
  const judged = bounds && { trail, bounds, outcome: judgeAction(trail, scored, bounds) }
  announce(session, { toolUse, cwd, action, ...(judged && { judged }) })
}

/** Only what the agent has heard can be ignored. Once it is forced, the way back alone counts. */
function ignoredBy(session: SessionState): Pick<Bounds, 'ignoredCorrections' | 'ignoredReminders'> {
  const { standing, reminders } = session.drift
  if (standing.mode === 'forced') return {}
  return { ignoredCorrections: heardCorrections(session), ignoredReminders: heardOf(session, reminders) }
}

/** How many corrections the agent has heard since it was last on goal. */
export function heardCorrections(session: SessionState): number {
  return heardOf(session, session.drift.corrections)
}

function heardOf(session: SessionState, keys: readonly string[]): number {
  return keys.filter((key) => isDelivered(session, key)).length
}

/** From here on nothing is said. */
export const GOOD = 8
