import type { Attachment } from '#core/session.ts'
import { SLOTS } from '../state-slots.ts'
import type { World } from '../world.ts'
import { freshMind, type Mind } from './mind.ts'

/** Loads what we have in mind about a session; a session never seen, or seen by an older Grove, starts afresh. */
export async function recall({ store }: World, sessionId: string): Promise<Mind> {
  const kept = await store.states.get(SLOTS.mind, sessionId)
  if (kept) return kept
  const left = await store.states.get(SLOTS.mindLeft, sessionId)
  // A session that is resumed goes on with what it did last.
  const tasks = await store.tasks.ofSession(sessionId)
  const finished = tasks.toSorted((a, b) => a.updatedAt - b.updatedAt).at(-1)
  return { ...freshMind(sessionId), ...(finished && { finished }), ...left, sessionId }
}

/** The session is over. What was put into its conversation is kept: when it is resumed, that must stand where it stood. */
export async function forget({ store, clock }: World, mind: Mind): Promise<void> {
  const { sessionId, system, systemWhy, conversations } = mind
  if (system !== undefined) {
    const left = { system, ...(systemWhy && { systemWhy }), conversations }
    await store.states.put(SLOTS.mindLeft, sessionId, left, clock.now())
  }
  await store.states.remove(SLOTS.mind, sessionId)
}

/** Records that the session was seen, and finds its project as soon as its folder is known. */
export async function noteSession(
  world: World,
  mind: Mind,
  through: Attachment,
  known: { cwd?: string; model?: string },
): Promise<void> {
  const at = world.clock.now()
  if (known.cwd && known.cwd !== mind.cwd) {
    const project = await world.projectAt(known.cwd)
    await world.store.projects.put(project)
    mind.cwd = known.cwd
    mind.projectId = project.id
    mind.root = project.root
    if (mind.task && !mind.task.projectId) {
      mind.task = { ...mind.task, projectId: project.id }
      await world.store.tasks.change(mind.task.id, { projectId: project.id, updatedAt: at })
    }
  }
  await world.store.sessions.see({
    id: mind.sessionId,
    at,
    through,
    ...(mind.projectId && { projectId: mind.projectId }),
    ...(mind.cwd && { cwd: mind.cwd }),
    ...(known.model && { model: known.model }),
    ...(mind.contextTokens > 0 && { contextTokens: mind.contextTokens }),
  })
  world.publish({ type: 'session:seen', sessionId: mind.sessionId })
}
