import { refusal } from '#core/refusal.ts'
import type { agentRoutes } from '#protocol/api/agents.ts'
import type { Agents } from '../agents.ts'
import { type Driving, namedByFeature } from '../feature-titles.ts'
import type { Handlers } from '../serve-route.ts'

interface Needs {
  agents: Agents
  features: Driving
}

/** `/api/agents`: the live ones, what they have finished, and one of them in detail. */
export function agentHandlers({ agents, features }: Needs): Handlers<typeof agentRoutes> {
  return {
    finished: async () => ({ finished: namedByFeature(features, await agents.finished()) }),
    list: async () => ({
      agents: namedByFeature(features, await agents.live()),
      judge: { costTodayUsd: await agents.costToday() },
    }),

    async show({ params: { sessionId } }) {
      const detail = await agents.detail(sessionId)
      if (!detail)
        return refusal(
          'agent_not_found',
          `No agent session ${sessionId} is known.`,
          'GET /api/agents lists the live ones.',
        )
      const driver = features.driving(sessionId)?.session
      if (!driver) return detail
      const { projectId, featureId, title } = driver
      return { ...detail, feature: { projectId, featureId, title } }
    },
  }
}
