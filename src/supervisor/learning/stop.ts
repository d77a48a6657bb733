import { type ChangeSize, type Decision, decide, type GateEvent } from '#core/gate/gate.ts'
import { instructions, withNotesTold } from '#core/gate/instructions.ts'
import { type GateSession, traced } from '#core/gate/session.ts'
import type { LearningSettings } from '#core/ports/learning.ts'
import type { HookEventOf } from '#protocol/hook-event.ts'
import { failOpen } from '../fail-open.ts'
import type { Contribution } from '../handle-hook.ts'
import { type Deeds, deedsIn, noteReferences, readOn, withDeeds } from './references.ts'
import { changeSession, limitsOf, loadSession, systemsIn } from './sessions.ts'
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
  const change = await changeOf(world, session, deeds, event.stop_hook_active)
  const isRetry = event.stop_hook_active
  const stop: Stop = { type: 'stop', at: world.clock.now(), sessionId: session.sessionId, change, isRetry }

  const decision = decide(session.gate, stop, limitsOf(settings, session.system))
  // That the agent may go is saved later; that it was stopped is written down before it is said.
  const isLetGo = decision.verdict === 'approve' && decision.note !== 'breaker tripped'
  const made = isLetGo ? undefined : await settle(world, session, settings, stop)
  await world.background.run(session.sessionId, 'note a stop', async () => {
    const { decision } = made ?? (await settle(world, session, settings, stop, { letGo: true }))
    await failOpen(world.log, 'record the decision', undefined, () =>
      recordDecision(world, library, settled, decision, change),
    )
    await noteReferences(world, library, settled, lately)
  })
  if (made?.decision.verdict === 'block') return { block: instructions(made.session, world.command) }
  if (made?.decision.note !== 'breaker tripped') return undefined
  world.log.warn({ session: session.sessionId }, 'the agent was let go without reflecting: it was asked often enough')
  return { notice: 'Grove: the agent did not reflect on its work after several reminders and was let go.' }
}

type Stop = Extract<GateEvent, { type: 'stop' }>

/** Decides on the session as it is stored now, and stores what was decided. An agent that has been let go is not stopped. */
async function settle(
  world: LearningWorld,
  { sessionId, root }: GateSession,
  settings: LearningSettings,
  stop: Stop,
  { letGo = false } = {},
): Promise<{ decision: Decision; session: GateSession }> {
  let decision: Decision | undefined
  const session = await changeSession(world, sessionId, root, (before) => {
    const now = decide(before.gate, stop, limitsOf(settings, before.system))
    decision = letGo && now.verdict === 'block' ? { gate: before.gate, verdict: 'approve' } : now
    const counted = 'lines' in stop.change ? { change: stop.change } : {}
    const told = decision.verdict === 'block' ? withNotesTold(before) : before
    const what = `stop: ${decision.verdict}${decision.note ? `, ${decision.note}` : ''}`
    return traced({ ...told, ...counted, gate: decision.gate }, stop.at, what)
  })
  return { decision: decision!, session }
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

/** How much was changed; counted only where it can matter, and not again for a retry of the same stop. */
async function changeOf(
  world: LearningWorld,
  session: GateSession,
  { acting }: Deeds,
  isRetry: boolean,
): Promise<ChangeSize> {
  const { gate, system, baseline, change, root } = session
  const matters = gate.status === 'pending' || (gate.status === 'idle' && system === 'session')
  if (!matters) return change ?? { lines: 0 }
  if (isRetry && change) return change
  // A person may edit the same tree; what changed while the agent only read and talked is not its work.
  if (session.readTo > 0 && !session.acted) return { lines: 0 }
  const prefetched = await world.prefetch?.lines(session.sessionId, acting, world.clock.now())
  const count = () => world.changes.linesChanged(root, baseline)
  const lines = prefetched ?? (await failOpen(world.log, 'count changed lines', undefined, count))
  return lines === undefined ? { wrote: session.wrote === true } : { lines }
}

/** What happens by itself is logged only where there is a log, so that nothing appears in projects that do not want it. */
async function recordDecision(
  world: LearningWorld,
  library: ReturnType<LearningWorld['libraryAt']>,
  session: GateSession,
  decision: Decision,
  change: ChangeSize,
): Promise<void> {
  if (!decision.note || !library.isBegun()) return
  const at = world.clock.now()
  if (decision.note === 'breaker tripped') {
    await library.stats.append([{ type: 'tripped', at, session: session.sessionId }])
    return
  }
  const wasLogged = session.trace.some(({ what }) => what.includes('small change'))
  if (wasLogged || !('lines' in change)) return
  const reason = `auto: ${change.lines} lines changed`
  await library.stats.append([
    { type: 'skipped', at, session: session.sessionId, reason, decider: 'rule', lines: change.lines },
  ])
}
