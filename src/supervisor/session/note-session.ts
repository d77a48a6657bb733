import type { Attachment } from '#core/session.ts'
import type { World } from '../world.ts'
import { enterProject } from './place.ts'
import type { SessionState } from './session-state.ts'
import { activeTask, changeTask } from './work.ts'

/** Records that the session was seen, and finds its project as soon as its folder is known. */
export async function noteSession(
  world: World,
  session: SessionState,
  through: Attachment,
  known: { cwd?: string; model?: string },
): Promise<void> {
  const at = world.clock.now()
  if (known.cwd && known.cwd !== session.place?.cwd) {
    const project = await world.projectAt(known.cwd)
    // The folder may be on another machine, or not exist: the session works there, but it is not kept as a project to look into.
    if (world.isFolder(project.root)) await world.store.projects.put(project)
    enterProject(session, known.cwd, project)
    const task = activeTask(session)
    if (task && !task.projectId) {
      const change = { projectId: project.id, updatedAt: at }
      changeTask(session, change)
      await world.store.tasks.change(task.id, change)
    }
  }
  const { sessionId, place, window } = session
  await world.store.sessions.see({
    id: sessionId,
    at,
    through,
    ...(place && { projectId: place.projectId, cwd: place.cwd }),
    ...(known.model && { model: known.model }),
    ...(window.tokens > 0 && { contextTokens: window.tokens }),
  })
  world.publish({ type: 'session:seen', sessionId })
}
