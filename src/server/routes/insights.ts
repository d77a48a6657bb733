import type { FastifyInstance } from 'fastify'
import { insights } from '#core/learning/insights.ts'
import { allLearnings } from '#supervisor/learning/retrieve.ts'
import { type LearningNeeds, shelvesOf } from './learnings.ts'

/** `/api/insights`: how well learning works in each project, and what to change. */
export async function insightRoutes(app: FastifyInstance, { world, projects }: LearningNeeds): Promise<void> {
  app.get<{ Querystring: { project?: string } }>('/api/insights', async ({ query }) => {
    const shelves = await shelvesOf(world, projects, query.project)
    const reports = await Promise.all(
      shelves.map(async ({ project: { id, name }, library }) => {
        const { learnings, stats } = await allLearnings(world, library)
        return { project: { id, name }, ...insights(learnings, stats, world.clock.now()) }
      }),
    )
    return { projects: reports }
  })
}
