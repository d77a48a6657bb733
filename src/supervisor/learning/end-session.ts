import { decide } from '#core/gate/gate.ts'
import { type GateSession, traced } from '#core/gate/session.ts'
import type { LearningSettings, Library } from '#core/ports/learning.ts'
import type { HookEventOf } from '#protocol/hook-event.ts'
import { failOpen } from '../fail-open.ts'
import { noteReferences, readOn } from './references.ts'
import { changeSession, limitsOf, loadSession, sessionsOf } from './sessions.ts'
import type { LearningWorld } from './world.ts'

/** The session is over: what was shown and not used was dismissed. */
export async function endSession(world: LearningWorld, event: HookEventOf<'SessionEnd'>): Promise<void> {
  const known = await loadSession(world, event.session_id)
  if (!known || known.endedAt !== undefined) return
  const settings = world.settingsAt(known.root)
  const library = world.libraryAt(known.root, settings)
  const session = await failOpen(world.log, 'look for references', known, async () =>
    noteReferences(world, library, known, await readOn(world, known, event)),
  )
  await close(world, library, settings, session)
  // The next session here is told what fits the files that lie changed by then.
  if (!world.prefetch || !session.acted) return
  await failOpen(world.log, 'look at the working tree', undefined, () => world.changes.treeNow(session.root))
}

/** Terminals stay open over a weekend. */
const FORGOTTEN = 7 * 24 * 3_600_000

/**
 * Ends what has not been heard of for a week: a client that was killed, or a machine that was too busy, reports no end, and
 * what was shown there would never count as dismissed.
 */
export async function endForgotten(
  world: LearningWorld,
  library: Library,
  root: string,
  settings: LearningSettings,
): Promise<void> {
  const before = world.clock.now() - FORGOTTEN
  const sessions = await sessionsOf(world, root)
  const forgotten = sessions.filter(({ endedAt, updatedAt }) => endedAt === undefined && updatedAt < before)
  for (const session of forgotten) await close(world, library, settings, session)
}

async function close(world: LearningWorld, library: Library, settings: LearningSettings, session: GateSession) {
  const at = world.clock.now()
  const unused = session.injected.filter(({ outcome }) => outcome === 'pending')
  await changeSession(world, session.sessionId, session.root, (before) => {
    const { gate } = decide(before.gate, { type: 'session-ended' }, limitsOf(settings, before))
    const injected = before.injected.map((one) =>
      one.outcome === 'pending' ? { ...one, outcome: 'dismissed' as const } : one,
    )
    return traced({ ...before, gate, injected, closing: {}, endedAt: at }, at, 'ended')
  })
  for (const personal of [true, false]) {
    const log = personal ? library.personalStats : library.stats
    const dismissed = unused.filter((one) => (one.personal === true) === personal)
    await log.append(dismissed.map(({ id }) => ({ type: 'dismissed', at, learning: id, session: session.sessionId })))
  }
}
