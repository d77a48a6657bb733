import { SLOTS } from '../state-slots.ts'
import type { World } from '../world.ts'
import { freshSessionState, type SessionState } from './session-state.ts'
import { endTask } from './work.ts'

/** Loads the state of a session. One that has ended is resumed with its last task and with what was injected. */
export async function loadSession({ store }: World, sessionId: string): Promise<SessionState> {
  const kept = await store.states.get(SLOTS.session, sessionId)
  if (kept) return { ...kept, sessionId }
  const session = freshSessionState(sessionId)
  const injected = await store.states.get(SLOTS.endedSession, sessionId)
  const tasks = await store.tasks.ofSession(sessionId)
  const last = tasks.toSorted((a, b) => a.updatedAt - b.updatedAt).at(-1)
  if (last) endTask(session, last)
  return injected ? { ...session, injected } : session
}

export function saveSession({ store, clock }: World, session: SessionState): Promise<void> {
  return store.states.put(SLOTS.session, session.sessionId, session, clock.now())
}

/**
 * The session is over. What was put into its conversation is kept where work may be: when it is resumed, that must stand
 * where it stood.
 */
export async function dropSession(
  { store, clock }: World,
  { sessionId, injected }: SessionState,
  keepsWork: boolean,
): Promise<void> {
  if (keepsWork && injected.conversations.length > 0)
    await store.states.put(SLOTS.endedSession, sessionId, injected, clock.now())
  await store.states.remove(SLOTS.session, sessionId)
}
