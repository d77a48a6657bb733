import { agentRoutes } from './agents.ts'
import { approvalRoutes } from './approvals.ts'
import { canaryRoutes } from './canary.ts'
import { featureApi } from './feature-routes.ts'
import { gestureRoutes } from './gestures.ts'
import { healthRoutes } from './health.ts'
import { insightRoutes } from './insights.ts'
import { intentRoutes } from './intents.ts'
import { learningRoutes } from './learnings.ts'
import { linkRoutes } from './links.ts'
import { memoryRoutes } from './memories.ts'
import { pauseRoutes } from './pauses.ts'
import { peopleRoutes } from './people.ts'
import { projectRoutes } from './projects.ts'
import { rejectedLearningRoutes } from './rejected-learnings.ts'
import type { Route } from './route.ts'
import { settingRoutes } from './settings.ts'
import { traceRoutes } from './trace.ts'

/** Every route of the HTTP API, by noun. The server does not compile while one of them has no handler. */
export const api = {
  health: healthRoutes,
  agents: agentRoutes,
  memories: memoryRoutes,
  learnings: learningRoutes,
  rejectedLearnings: rejectedLearningRoutes,
  insights: insightRoutes,
  intents: intentRoutes,
  approvals: approvalRoutes,
  trace: traceRoutes,
  pauses: pauseRoutes,
  gestures: gestureRoutes,
  links: linkRoutes,
  people: peopleRoutes,
  canary: canaryRoutes,
  projects: projectRoutes,
  settings: settingRoutes,
  ...featureApi,
} satisfies Record<string, Record<string, Route>>

export type Api = typeof api
