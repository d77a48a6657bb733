import type { AgentSummary } from '#protocol/api/agents.ts'
import type { LiveEvent } from '#protocol/live.ts'

interface AgentList {
  agents: AgentSummary[]
  judge: { costTodayUsd: number }
}

/** The list of agents after an event that says all there is to know; the same list when it does not concern it. */
export function patchAgents(list: AgentList | undefined, event: LiveEvent, at: number): AgentList | undefined {
  if (!list || event.type !== 'tokens') return list
  const agents = list.agents.map((agent) =>
    agent.sessionId === event.sessionId
      ? { ...agent, contextTokens: event.contextTokens, window: event.window, lastSeenAt: at }
      : agent,
  )
  return { ...list, agents }
}
