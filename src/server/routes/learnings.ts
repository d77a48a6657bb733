import type { Library } from '#core/ports/learning.ts'
import { refusal } from '#core/refusal.ts'
import type { Project } from '#core/session.ts'
import type { LearningEntry, learningRoutes } from '#protocol/api/learnings.ts'
import { learningEntry } from '#protocol/learning-json.ts'
import { isRefusal } from '#protocol/refusal.ts'
import { type Entry, editLearning, findEntry, listLearnings, setAside } from '#supervisor/learning/catalogue.ts'
import { supersede } from '#supervisor/learning/supersede.ts'
import type { LearningWorld } from '#supervisor/learning/world.ts'
import { fewAtATime } from '../few-at-a-time.ts'
import { type KnownProjects, projectsAtHand } from '../projects-at-hand.ts'
import type { Handlers } from '../serve-route.ts'

export interface LearningNeeds {
  learning: LearningWorld
  projects: KnownProjects
}

/** `/api/learnings`: list and search, show, change, archive and restore. */
export function learningHandlers({ learning: world, projects }: LearningNeeds): Handlers<typeof learningRoutes> {
  /** Does something with a learning, in the library of whichever project it is. */
  async function inLibrary<T extends object>(
    project: string | undefined,
    id: string,
    work: (library: Library, entry: Entry) => Promise<Entry | T>,
  ) {
    for (const { library } of await librariesOf({ learning: world, projects }, project)) {
      const entry = await findEntry(world, library, id)
      if (isRefusal(entry)) continue
      const done = await work(library, entry)
      return isRefusal(done) ? done : { learning: learningEntry(done as Entry) }
    }
    return refusal(
      'learning_not_found',
      `There is no learning ${id}.`,
      'GET /api/learnings?status=any lists all of them.',
    )
  }

  return {
    async list({ query: { project, status, q, tag, category, limit } }) {
      const libraries = await librariesOf({ learning: world, projects }, project)
      const found = await fewAtATime(libraries, async ({ project: { id, name }, library }) => {
        const entries = await listLearnings(world, library, {
          status,
          limit,
          ...(q && { text: q }),
          ...(tag && { tag }),
          ...(category && { category }),
        })
        return entries.map((entry) => ({ project: { id, name }, ...learningEntry(entry) }))
      })
      const order = ({ at, relevance = 0 }: LearningEntry) => (q === undefined ? at : relevance)
      // A person's own learnings are in the library of every project.
      const once = [...new Map(found.flat().map((entry) => [entry.id, entry])).values()]
      return { learnings: once.sort((a, b) => order(b) - order(a)).slice(0, limit) }
    },

    show: ({ params, query }) => inLibrary<never>(query.project, params.id, async (_, entry) => entry),

    edit: ({ params, query, body }) =>
      inLibrary(query.project, params.id, (library, { id }) => editLearning(world, library, id, body)),

    archive: ({ params, query, body }) =>
      inLibrary(query.project, params.id, (library, { id }) => setAside(world, library, id, 'archived', body?.reason)),

    restore: ({ params, query, body }) =>
      inLibrary(query.project, params.id, (library, { id }) => setAside(world, library, id, 'restored', body?.reason)),

    supersede: ({ params, query, body }) =>
      inLibrary(query.project, params.id, (library, { id }) =>
        supersede(world, library, { older: id, newer: body.by }),
      ),
  }
}

/** The libraries of the projects that are meant: all, or one by id or name. */
export async function librariesOf(
  { learning, projects }: LearningNeeds,
  wanted: string | undefined,
): Promise<{ project: Project; library: Library }[]> {
  const isWanted = ({ id, name }: Project) => id === wanted || name === wanted
  const there = await projectsAtHand(projects, wanted === undefined ? undefined : isWanted)
  return fewAtATime(there, (project) => ({
    project,
    library: learning.libraryAt(project.root, learning.settingsAt(project.root)),
  }))
}
