import type { FastifyInstance } from 'fastify'
import type { Store } from '#core/ports/store.ts'
import { insightRoutes } from '#server/routes/insights.ts'
import { learningRoutes } from '#server/routes/learnings.ts'
import type { LearningWorld } from '#supervisor/learning/world.ts'

/** Adds `/api/learnings` and `/api/insights` to the web server. */
export function serveLearnings(
  app: FastifyInstance,
  { projects }: Pick<Store, 'projects'>,
  world: LearningWorld,
): void {
  const needs = { world, projects: () => projects.list() }
  app.register(learningRoutes, needs)
  app.register(insightRoutes, needs)
}
