import { ENDED_SESSION, SESSION_STATE } from '../session/session-store.ts'
import type { Supervisor } from '../supervisor.ts'
import type { World } from '../world.ts'

const HOUR = 3_600_000
/** An ended session cannot be resumed after that: the client has thrown its transcript away. */
const RESUMABLE_DAYS = 40

/** Ends sessions that had no event for a day, whether or not they said so: their work is saved, their rows go. */
export async function sweepIdleSessions(
  { store, clock }: Pick<World, 'store' | 'clock'>,
  supervisor: Pick<Supervisor, 'abandon'>,
  idleHours = 24,
): Promise<number> {
  const idle = await store.states.idleSince(SESSION_STATE, clock.now() - idleHours * HOUR)
  for (const sessionId of idle) await supervisor.abandon(sessionId)
  const forgotten = clock.now() - RESUMABLE_DAYS * 24 * HOUR
  for (const sessionId of await store.states.idleSince(ENDED_SESSION, forgotten))
    await store.states.remove(ENDED_SESSION, sessionId)
  return idle.length
}
