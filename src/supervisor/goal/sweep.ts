import type { Supervisor } from '../supervisor.ts'
import type { World } from '../world.ts'
import { LEFT, MIND } from './sessions.ts'

const HOUR = 3_600_000
/** Nobody resumes a session after that; the client has thrown its transcript away. */
const RESUMABLE_DAYS = 40

/** Sessions that nobody has touched for a day are over, whether or not anybody said so: their work is saved, their rows go. */
export async function sweepIdleSessions(
  { store, clock }: Pick<World, 'store' | 'clock'>,
  supervisor: Pick<Supervisor, 'abandon'>,
  idleHours = 24,
): Promise<number> {
  const idle = await store.states.idleSince(MIND, clock.now() - idleHours * HOUR)
  for (const sessionId of idle) await supervisor.abandon(sessionId)
  const forgotten = clock.now() - RESUMABLE_DAYS * 24 * HOUR
  for (const sessionId of await store.states.idleSince(LEFT, forgotten)) await store.states.remove(LEFT, sessionId)
  return idle.length
}
