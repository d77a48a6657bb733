import { decide, type SkipDecider } from '#core/gate/gate.ts'
import { type GateSession, observed, traced } from '#core/gate/session.ts'
import { redact } from '#core/redact/redact.ts'
import { failOpen } from '../fail-open.ts'
import { sessionFor } from './reflect.ts'
import { changeSession, isOver, isSessionId, limitsOf, loadSession } from './sessions.ts'
import type { LearningWorld } from './world.ts'

const MAX_NOTE = 2000
const MAX_REASON = 500

interface Given {
  cwd: string
  sessionId?: string
}

/** Skips the reflection: there is nothing to keep. Resolves to the session it was about, if there is one. */
export async function skip(
  world: LearningWorld,
  { cwd, sessionId, reason, decider }: Given & { reason: string; decider: SkipDecider },
): Promise<GateSession | undefined> {
  const session = await sessionFor(world, world.rootOf(cwd), sessionId, { orWaiting: true })
  if (!session) return undefined
  const settings = world.settingsAt(session.root)
  const why = redact(reason.trim()).slice(0, MAX_REASON)
  const at = world.clock.now()
  let isSkipped = false
  const after = await changeSession(world, session.sessionId, session.root, (before) => {
    const { gate } = decide(before.gate, { type: 'skip', reason: why, decider }, limitsOf(settings, before))
    isSkipped = gate !== before.gate
    const { told: _, retried: __, ...rest } = before
    return isSkipped ? traced({ ...rest, gate }, at, `skipped: ${why}`) : before
  })
  if (!isSkipped) return after
  const { stats } = world.libraryAt(session.root, settings)
  const lines = session.work?.lines
  await failOpen(world.log, 'record the skip', undefined, () =>
    stats.append([
      { type: 'skipped', at, session: session.sessionId, reason: why, decider, ...(lines !== undefined && { lines }) },
    ]),
  )
  return after
}

/** A note for the reflection; many subagents may leave one at the same moment. */
export async function observe(
  world: LearningWorld,
  { cwd, sessionId, note, agentId }: Given & { note: string; agentId?: string },
): Promise<GateSession | undefined> {
  const root = world.rootOf(cwd)
  // A named session may not have told us of itself yet; its note must not end up with another.
  const known = sessionId === undefined ? undefined : await loadSession(world, sessionId)
  const isNamed = sessionId !== undefined && isSessionId(sessionId) && !(known && isOver(known))
  const id = isNamed ? sessionId : (await sessionFor(world, root, sessionId, { orWaiting: true }))?.sessionId
  if (id === undefined) return undefined
  const observation = {
    note: redact(note.trim()).slice(0, MAX_NOTE),
    at: world.clock.now(),
    ...(agentId && { agentId }),
  }
  return changeSession(world, id, root, (before) => observed(before, observation))
}
