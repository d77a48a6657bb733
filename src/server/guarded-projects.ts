import type { GuardedProject } from '#core/ports/guard.ts'
import { placeName } from '#core/project.ts'
import { refusal } from '#core/refusal.ts'
import type { Project } from '#core/session.ts'
import type { GuardWorld } from '#supervisor/guard/world.ts'
import type { MemoryWorld } from '#supervisor/memory/world.ts'
import { fewAtATime } from './few-at-a-time.ts'
import { type KnownProjects, projectsAtHand } from './projects-at-hand.ts'

export interface GuardedNeeds {
  guard: GuardWorld
  projects: KnownProjects
  memory: Pick<MemoryWorld, 'store'>
}

/** A project with intents, by the names that the API gives it. */
interface Named {
  project: Pick<Project, 'id' | 'name'>
  guarded: GuardedProject
}

/** Projects with intents: all, or the one that was asked for by id or name. */
export function guardedProjects(needs: GuardedNeeds, wanted: string | undefined): Promise<Named[]> {
  return found(needs, wanted, (root) => needs.guard.projects.at(root))
}

/** Projects whose changes are recorded; those with intents come first. */
export async function tracedProjects(needs: GuardedNeeds, wanted: string | undefined): Promise<Named[]> {
  const all = await found(needs, wanted, (root) => needs.guard.projects.traced(root))
  return [...all.filter(({ guarded }) => !guarded.undeclared), ...all.filter(({ guarded }) => guarded.undeclared)]
}

/** Intents and traces are files of one clone: that in which the project was worked on last, and it is named. */
async function found(
  { projects, memory }: GuardedNeeds,
  wanted: string | undefined,
  at: (root: string) => GuardedProject | undefined,
): Promise<Named[]> {
  const folders = await memory.store.projects.folders()
  const nameOf = (project: Project) => placeName(project, folders.get(project.id) ?? [], project.root)
  const isWanted = (project: Project) => [project.id, nameOf(project), project.name].includes(wanted!)
  const there = await projectsAtHand(projects, wanted === undefined ? undefined : isWanted)
  const guarded = await fewAtATime(there, ({ root }) => at(root))
  return there.flatMap((project, n) => {
    const found = guarded[n]
    return found ? [{ project: { id: project.id, name: nameOf(project) }, guarded: found }] : []
  })
}

/** The same answer for every route that is asked about a project without intents. */
export function noProject(project: string | undefined) {
  return refusal(
    'project_not_found',
    project === undefined ? 'No project with intents is known.' : `No project ${project} with intents is known.`,
    'GET /api/intents lists those that are; `grove intent add` in a project makes it one.',
  )
}
