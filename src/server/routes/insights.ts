import { insights } from '#core/learning/insights.ts'
import type { insightRoutes } from '#protocol/api/insights.ts'
import { allLearnings } from '#supervisor/learning/retrieve.ts'
import type { Agents } from '../agents.ts'
import { fewAtATime } from '../few-at-a-time.ts'
import type { Handlers } from '../serve-route.ts'
import { type LearningNeeds, librariesOf } from './learnings.ts'

/** `/api/insights`: how well learning works in each project, and what to change. */
export function insightHandlers(
  needs: LearningNeeds & { agents: Pick<Agents, 'days'> },
): Handlers<typeof insightRoutes> {
  const { learning, agents } = needs
  return {
    async days({ query: { days, project } }) {
      const libraries = await librariesOf(needs, project)
      const reports = await fewAtATime(libraries, ({ library }) => allLearnings(learning, library))
      // A person's own learnings are in the library of every project.
      const once = new Map(reports.flatMap(({ learnings }) => learnings).map((one) => [one.id, one.at]))
      const gate = {
        learned: [...once.values()],
        turnedDown: reports.flatMap(({ stats }) => stats.rejected.map(({ at }) => at)),
      }
      return { days: await agents.days(days, project, gate) }
    },

    async list({ query }) {
      const libraries = await librariesOf(needs, query.project)
      const reports = await fewAtATime(libraries, async ({ project: { id, name }, library }) => {
        const { learnings, stats } = await allLearnings(learning, library)
        return { project: { id, name }, ...insights(learnings, stats, learning.clock.now()) }
      })
      return { projects: reports }
    },
  }
}
