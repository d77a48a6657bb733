import { refusal } from '#core/refusal.ts'
import type { agentRoutes } from '#protocol/api/agents.ts'
import type { Agents } from '../agents.ts'
import type { Handlers } from '../serve-route.ts'

/** `/api/agents`: the live ones, and one of them in detail. */
export function agentHandlers({ agents }: { agents: Agents }): Handlers<typeof agentRoutes> {
  return {
    finished: async () => ({ finished: await agents.finished() }),
    list: async () => ({ agents: await agents.live(), judge: { costTodayUsd: await agents.costToday() } }),

    show: async ({ params: { sessionId } }) =>
      (await agents.detail(sessionId)) ??
      refusal('agent_not_found', `No agent session ${sessionId} is known.`, 'GET /api/agents lists the live ones.'),
  }
}
