import type { SessionFile } from '#protocol/workflow/session.ts'

/** Finds the feature session that drives a Claude session. */
export interface Driving {
  driving(claudeId: string): { session: Pick<SessionFile, 'projectId' | 'featureId' | 'title'> } | undefined
}

/** What of a feature is told with the agent that works for it. */
export function drivingFeature(features: Driving, claudeId: string) {
  const session = features.driving(claudeId)?.session
  return session && { projectId: session.projectId, featureId: session.featureId, title: session.title }
}

/** Shows the feature's title as the goal of agents that Grove drives: their first prompt is Grove's own text. */
export function namedByFeature<One extends { sessionId: string }>(features: Driving, agents: One[]): One[] {
  return agents.map((agent) => {
    const feature = features.driving(agent.sessionId)
    return feature ? { ...agent, goal: feature.session.title } : agent
  })
}
