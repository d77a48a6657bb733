import { refusal } from '#core/refusal.ts'
import type { AgentSummary, agentRoutes } from '#protocol/api/agents.ts'
import type { Engine } from '#workflow/engine.ts'
import { waitingOf } from '#workflow/view.ts'
import type { Agents } from '../agents.ts'
import { drivingFeature, namedByFeature } from '../feature-titles.ts'
import type { Handlers } from '../serve-route.ts'

interface Needs {
  agents: Agents
  features: Pick<Engine, 'driving'>
}

/** `/api/agents`: the live ones, what they have finished, and one of them in detail. */
export function agentHandlers({ agents, features }: Needs): Handlers<typeof agentRoutes> {
  return {
    finished: async () => ({ finished: namedByFeature(features, await agents.finished()) }),
    list: async () => ({
      agents: namedByFeature(features, await agents.live()).map((agent) => waitingToo(features, agent)),
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
      const feature = drivingFeature(features, sessionId)
      return { ...detail, ...(feature && { feature }) }
    },
  }
}

/** An agent that works for a feature waits where the feature does; those that have worked for it before do not, and no feature out of the list does. */
function waitingToo(features: Needs['features'], agent: AgentSummary): AgentSummary {
  const driver = features.driving(agent.sessionId)
  if (!driver || agent.waitsFor) return agent
  const { claudeSessionId, archivedAt, deletedAt } = driver.session
  if (claudeSessionId !== agent.sessionId || archivedAt || deletedAt) return agent
  const [first, ...more] = waitingOf(driver)
  const feature = drivingFeature(features, agent.sessionId)!
  return first ? { ...agent, waitsFor: { what: first.title, count: 1 + more.length, feature } } : agent
}
