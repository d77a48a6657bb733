import type { GuardedProject } from '#core/ports/guard.ts'
import { refusal } from '#core/refusal.ts'
import type { Project } from '#core/session.ts'
import type { GuardWorld } from '#supervisor/guard/world.ts'

export interface GuardedNeeds {
  guard: GuardWorld
  projects(): Promise<Project[]>
}

/** A project with intents, by the names that the API gives it. */
interface Named {
  project: Pick<Project, 'id' | 'name'>
  guarded: GuardedProject
}

/** Projects with intents: all, or the one that was asked for by id or name. */
export async function guardedProjects({ guard, projects }: GuardedNeeds, wanted: string | undefined): Promise<Named[]> {
  const all = await projects()
  return all
    .filter(({ id, name }) => wanted === undefined || id === wanted || name === wanted)
    .flatMap(({ id, name, root }) => {
      const guarded = guard.projects.at(root)
      return guarded ? [{ project: { id, name }, guarded }] : []
    })
}

/** Projects whose changes are recorded; those with intents come first. */
export async function tracedProjects({ guard, projects }: GuardedNeeds, wanted: string | undefined): Promise<Named[]> {
  const all = await projects()
  const found = all
    .filter(({ id, name }) => wanted === undefined || id === wanted || name === wanted)
    .flatMap(({ id, name, root }) => {
      const guarded = guard.projects.traced(root)
      return guarded ? [{ project: { id, name }, guarded }] : []
    })
  return [...found.filter(({ guarded }) => !guarded.undeclared), ...found.filter(({ guarded }) => guarded.undeclared)]
}

/** The same answer for every route that is asked about a project without intents. */
export function noProject(project: string | undefined) {
  return refusal(
    'project_not_found',
    project === undefined ? 'No project with intents is known.' : `No project ${project} with intents is known.`,
    'GET /api/intents lists those that are; `grove intent add` in a project makes it one.',
  )
}
