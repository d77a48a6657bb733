import type { Attachment } from '#core/session.ts'
import { freshMind, type Mind } from './mind.ts'
import type { World } from './world.ts'

/** The kind of state that a mind is. */
export const MIND = 'mind'

/** Loads what we have in mind about a session; a session never seen, or seen by an older Grove, starts afresh. */
export async function recall(world: World, sessionId: string): Promise<Mind> {
  const kept = (await world.store.states.get(MIND, sessionId)) as Partial<Mind> | undefined
  return { ...freshMind(sessionId), ...kept, sessionId }
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
