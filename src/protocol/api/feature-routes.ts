import { inboxRoutes } from './inbox.ts'
import type { Route } from './route.ts'
import { sessionPlanRoutes } from './session-plans.ts'
import { sessionQuestionRoutes } from './session-questions.ts'
import { sessionRecordRoutes } from './session-records.ts'
import { sessionRoutes } from './sessions.ts'

/** The routes of feature sessions, by noun. */
export const featureApi = {
  sessions: sessionRoutes,
  sessionPlans: sessionPlanRoutes,
  sessionQuestions: sessionQuestionRoutes,
  sessionRecords: sessionRecordRoutes,
  inbox: inboxRoutes,
} satisfies Record<string, Record<string, Route>>
