import { autoSkipReason, type Decision, decide, type GateEvent } from '#core/gate/gate.ts'
import { asked, instructions, type Telling } from '#core/gate/instructions.ts'
import { type ChangeSize, type LinesByFile, NO_CHANGE, sizeOf } from '#core/gate/own-work.ts'
import { type GateSession, traced } from '#core/gate/session.ts'
import type { LearningSettings } from '#core/ports/learning.ts'
import type { HookEventOf } from '#protocol/hook-event.ts'
import { failOpen } from '../fail-open.ts'
import type { Contribution } from '../handle-hook.ts'
import { type Deeds, deedsIn, noteReferences, readOn, withDeeds } from './references.ts'
import { changeSession, isAboutTask, isWorkCounted, limitsOf, loadSession, systemsIn } from './sessions.ts'
import { settleClosings } from './tool-use.ts'
import type { LearningWorld } from './world.ts'

/** The agent wants to stop: it may, or it is asked to reflect first. Subagents are never asked. */
export async function onStop(world: LearningWorld, event: HookEventOf<'Stop'>): Promise<Contribution | undefined> {
  // While it plans, an agent can neither finish work nor run anything to reflect.
  if (event.agent_id || !event.cwd || event.permission_mode === 'plan') return undefined
  const stored = await loadSession(world, event.session_id)
  // An agent may have gone elsewhere; the session stays that of the project it began in.
  const root = stored?.root ?? world.rootOf(event.cwd)
  const settings = world.settingsAt(root)
  if (!settings.gate.enabled) return undefined
  const library = world.libraryAt(root, settings)
  const known = await withSystem(world, stored, { sessionId: event.session_id, root }, settings)
  const lately = await readOn(world, known, event)
  const settled = await settleClosings(world, known, lately.lines, settings)
  const deeds = deedsIn(lately)
  const session = { ...withDeeds(settled, deeds), readTo: Math.max(settled.readTo, lately.to) }
  const own = await ownWork(world, session, deeds, settings, event.stop_hook_active)
  const change = own ? sizeOf(own, session.accounted) : NO_CHANGE
  const stop: Stop = {
    ...{ type: 'stop', at: world.clock.now(), sessionId: session.sessionId },
    ...{ change, isRetry: event.stop_hook_active, isAboutTask: isAboutTask(session) },
  }

  const decision = decide(session.gate, stop, limitsOf(settings, session))
  // That the agent may go is saved later; that it was stopped is written down before it is said.
  const isLetGo = decision.verdict === 'approve' && decision.note !== 'breaker tripped'
  const made = isLetGo ? undefined : await settle(world, session, settings, { stop, deeds, own })
  await world.background.run(session.sessionId, 'note a stop', async () => {
    const { decision } = made ?? (await settle(world, session, settings, { stop, deeds, own, letGo: true }))
    await failOpen(world.log, 'record the decision', undefined, () =>
      recordDecision(world, library, settled, decision, change),
    )
    await noteReferences(world, library, settled, lately)
  })
  if (made?.decision.verdict === 'block') return { goOn: instructions(made.session, world.command, made.telling) }
  if (made?.decision.note !== 'breaker tripped') return undefined
  world.log.warn({ session: session.sessionId }, 'the agent was let go without reflecting: it was asked often enough')
  return { notice: 'Grove: the agent did not reflect on its work after several reminders and was let go.' }
}

type Stop = Extract<GateEvent, { type: 'stop' }>

interface Stopping {
  stop: Stop
  deeds: Deeds
  own: LinesByFile | undefined
  letGo?: boolean
}

/** Decides on the session as it is stored now, and stores what was decided. An agent that has been let go is not stopped. */
async function settle(
  world: LearningWorld,
  { sessionId, root }: GateSession,
  settings: LearningSettings,
  { stop, deeds: { attended }, own, letGo = false }: Stopping,
): Promise<{ decision: Decision; session: GateSession; telling: Telling }> {
  let decision: Decision | undefined
  let telling: Telling = {}
  const session = await changeSession(world, sessionId, root, (stored) => {
    const before = { ...stored, ...(attended !== undefined && { attended }), ...(own && { own }) }
    const now = decide(before.gate, stop, limitsOf(settings, before))
    decision = letGo && now.verdict === 'block' ? { gate: before.gate, verdict: 'approve' } : now
    telling = before.told
      ? { isReminder: true, notes: before.observations.filter((one) => !one.told) }
      : { isShown: before.attended ?? false }
    const after = decision.verdict === 'block' ? asked(before) : before
    const what = `stop: ${decision.verdict}${decision.note ? `, ${decision.note}` : ''}`
    return traced({ ...after, gate: decision.gate }, stop.at, what)
  })
  return { decision: decision!, session, telling }
}

/** Hooks may be attached to a session that already runs, and a fork goes on under a name that was not told. */
async function withSystem(
  world: LearningWorld,
  stored: GateSession | undefined,
  { sessionId, root }: Pick<GateSession, 'sessionId' | 'root'>,
  settings: LearningSettings,
): Promise<GateSession> {
  if (stored && stored.system !== 'none') return stored
  const system = await world.tickets.detectSystem(root, systemsIn(settings))
  if (stored && system === 'none') return stored
  return changeSession(world, sessionId, root, (session) => ({ ...session, system }))
}

/** What the agent has changed; counted only where it can matter, and not again for a retry of the same stop. */
async function ownWork(
  world: LearningWorld,
  session: GateSession,
  { acting }: Deeds,
  settings: LearningSettings,
  isRetry: boolean,
): Promise<LinesByFile | undefined> {
  const { baseline, root, own, written = {} } = session
  if (!isWorkCounted(settings, session) || (isRetry && own)) return own
  // A person may edit the same tree; what changed while the agent only read and talked is not its work.
  if (session.readTo > 0 && !session.acted) return {}
  const prefetched = await world.prefetch?.own(session.sessionId, acting, world.clock.now())
  const count = () => world.changes.ownLines(root, baseline)
  return prefetched ?? (await failOpen(world.log, 'count changed lines', undefined, count)) ?? written
}

/** What happened by itself is counted too: give-ups, and changes that were too small. */
async function recordDecision(
  world: LearningWorld,
  library: ReturnType<LearningWorld['libraryAt']>,
  session: GateSession,
  decision: Decision,
  change: ChangeSize,
): Promise<void> {
  if (!decision.note) return
  const at = world.clock.now()
  if (decision.note === 'breaker tripped') {
    await library.stats.append([{ type: 'tripped', at, session: session.sessionId }])
    return
  }
  if (session.trace.some(({ what }) => what.includes('small change'))) return
  const reason = autoSkipReason(change)
  await library.stats.append([
    { type: 'skipped', at, session: session.sessionId, reason, decider: 'rule', lines: change.lines },
  ])
}
