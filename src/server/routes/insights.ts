import { insights } from '#core/learning/insights.ts'
import type { insightRoutes } from '#protocol/api/insights.ts'
import { allLearnings } from '#supervisor/learning/retrieve.ts'
import type { Agents } from '../agents.ts'
import type { Handlers } from '../serve-route.ts'
import { type LearningNeeds, librariesOf } from './learnings.ts'

/** `/api/insights`: how well learning works in each project, and what to change. */
export function insightHandlers(
  needs: LearningNeeds & { agents: Pick<Agents, 'days'> },
): Handlers<typeof insightRoutes> {
  const { learning, agents } = needs
  return {
    days: async ({ query: { days, project } }) => ({ days: await agents.days(days, project) }),

    async list({ query }) {
      const libraries = await librariesOf(needs, query.project)
      const reports = await Promise.all(
        libraries.map(async ({ project: { id, name }, library }) => {
          const { learnings, stats } = await allLearnings(learning, library)
          return { project: { id, name }, ...insights(learnings, stats, learning.clock.now()) }
        }),
      )
      return { projects: reports }
    },
  }
}
