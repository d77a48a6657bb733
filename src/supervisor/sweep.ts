import { MIND } from './sessions.ts'
import type { Supervisor } from './supervisor.ts'
import type { World } from './world.ts'

const HOUR = 3_600_000

/** Sessions that nobody has touched for a day are over, whether or not anybody said so: their work is saved, their rows go. */
export async function sweepIdleSessions(
  { store, clock }: Pick<World, 'store' | 'clock'>,
  supervisor: Pick<Supervisor, 'abandon'>,
  idleHours = 24,
): Promise<number> {
  const idle = await store.states.idleSince(MIND, clock.now() - idleHours * HOUR)
  for (const sessionId of idle) await supervisor.abandon(sessionId)
  return idle.length
}
