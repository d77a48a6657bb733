import type { SessionFile } from '#protocol/workflow/session.ts'

/** Knows the feature session that drives a Claude session. */
export interface Driving {
  driving(claudeId: string): { session: Pick<SessionFile, 'projectId' | 'featureId' | 'title'> } | undefined
}

/** What Grove itself tells an agent that it drives is no goal that anybody would know again: the feature's title is. */
export function namedByFeature<One extends { sessionId: string }>(features: Driving, agents: One[]): One[] {
  return agents.map((agent) => {
    const feature = features.driving(agent.sessionId)
    return feature ? { ...agent, goal: feature.session.title } : agent
  })
}
