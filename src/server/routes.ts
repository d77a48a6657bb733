import type { IncomingMessage } from 'node:http'
import websocket from '@fastify/websocket'
import type { FastifyInstance } from 'fastify'
import type { Peers } from '#core/ports/peers.ts'
import type { ClientFinding } from '#protocol/api/canary.ts'
import type { Route } from '#protocol/api/route.ts'
import { type Api, api } from '#protocol/api/routes.ts'
import type { TraceWorld } from '#supervisor/guard/trace/world.ts'
import type { GuardWorld } from '#supervisor/guard/world.ts'
import type { LearningWorld } from '#supervisor/learning/world.ts'
import type { MemoryWorld } from '#supervisor/memory/world.ts'
import type { Pauses } from '#supervisor/pause/pauses.ts'
import type { Engine } from '#workflow/engine.ts'
import type { Agents } from './agents.ts'
import { answersOnce } from './idempotency.ts'
import type { HomeKeys } from './keys.ts'
import { type LiveFeed, liveRoute, type OnRecord } from './live.ts'
import type { OneTimeCodes } from './one-time-codes.ts'
import { peopleOnly } from './people-only.ts'
import type { KnownProjects } from './projects-at-hand.ts'
import { agentHandlers } from './routes/agents.ts'
import { approvalHandlers } from './routes/approvals.ts'
import { canaryHandlers } from './routes/canary.ts'
import { gestureHandlers } from './routes/gestures.ts'
import { healthHandlers } from './routes/health.ts'
import { inboxHandlers } from './routes/inbox.ts'
import { insightHandlers } from './routes/insights.ts'
import { intentHandlers } from './routes/intents.ts'
import { learningHandlers } from './routes/learnings.ts'
import { linkHandlers } from './routes/links.ts'
import { memoryHandlers } from './routes/memories.ts'
import { pageRoute } from './routes/page.ts'
import { pauseHandlers } from './routes/pauses.ts'
import { peopleHandlers } from './routes/people.ts'
import { projectHandlers } from './routes/projects.ts'
import { rejectedLearningHandlers } from './routes/rejected-learnings.ts'
import { sessionPlanHandlers } from './routes/session-plans.ts'
import { sessionQuestionHandlers } from './routes/session-questions.ts'
import { sessionRecordHandlers } from './routes/session-records.ts'
import { sessionHandlers } from './routes/sessions.ts'
import { type InstallationFacts, settingHandlers } from './routes/settings.ts'
import { traceHandlers } from './routes/trace.ts'
import { type Handlers, serveNoun } from './serve-route.ts'
import type { People } from './teammates.ts'

/** What the routes of the API work on. */
export interface ApiNeeds {
  version: string
  /** The secrets that visitors are authenticated with. */
  keys: HomeKeys
  /** Finds the process at the other end of a connection. */
  peers: Peers
  /** One-time codes for links, invitations and clicks. */
  codes: OneTimeCodes
  people: People
  /** The address that the server listens at, and its port. */
  listening: { host: string; port: number }
  agents: Agents
  memory: MemoryWorld
  learning: LearningWorld
  guard: GuardWorld
  trace: TraceWorld
  pauses: Pick<Pauses, 'list' | 'pause' | 'resume'>
  /** What the daemon knows of its own settings and health. */
  self: InstallationFacts
  /** Feature sessions. */
  features: Engine
  /** What Grove does not understand of client versions, newest first. */
  findings(): Promise<ClientFinding[]>
  projects: KnownProjects
}

type ApiHandlers = { [Noun in keyof Api]: Handlers<Api[Noun]> }

/** Every route of the API: one line for each noun. */
function handlers(needs: ApiNeeds): ApiHandlers {
  return {
    health: healthHandlers(needs),
    agents: agentHandlers(needs),
    memories: memoryHandlers(needs),
    learnings: learningHandlers(needs),
    rejectedLearnings: rejectedLearningHandlers(needs),
    insights: insightHandlers(needs),
    intents: intentHandlers({ ...needs, files: (root, limit) => needs.features.world.repository.files(root, limit) }),
    approvals: approvalHandlers(needs),
    trace: traceHandlers(needs),
    pauses: pauseHandlers(needs),
    gestures: gestureHandlers(needs),
    links: linkHandlers(needs),
    people: peopleHandlers(needs),
    canary: canaryHandlers(needs),
    projects: projectHandlers(needs),
    settings: settingHandlers(needs),
    sessions: sessionHandlers(needs),
    sessionPlans: sessionPlanHandlers(needs),
    sessionQuestions: sessionQuestionHandlers(needs),
    sessionRecords: sessionRecordHandlers(needs),
    inbox: inboxHandlers(needs),
  }
}

export interface RouteNeeds extends ApiNeeds {
  /** Where the built web app lies. */
  webFolder: string
  live: LiveFeed
  /**
   * Adds the route of Claude Code's http hooks; an authenticated request is answered ahead of the server's lifecycle.
   */
  serveHooks?(app: FastifyInstance, isAdmitted: IsAdmitted): void
}

type IsAdmitted = (request: IncomingMessage) => boolean

/** Registers the page, the HTTP API and the live socket. */
export function registerRoutes(app: FastifyInstance, needs: RouteNeeds, isAdmitted: IsAdmitted): void {
  app.register(async (routes) => pageRoute(routes, needs))
  app.register(async (routes) => serveApi(routes, needs))
  app.register(websocket, { options: { maxPayload: 64 * 1024 } })
  app.register(async (routes) => liveRoute(routes, needs.live, onRecord(needs.features)))
  needs.serveHooks?.(app, isAdmitted)
}

/** Adds the whole API to the server. */
function serveApi(app: FastifyInstance, needs: ApiNeeds): void {
  const once = answersOnce(needs.memory.store.states, needs.memory.clock)
  const served: Record<string, Handlers<Record<string, Route>>> = handlers(needs)
  const serving = { peopleOnly: peopleOnly(needs), once, people: needs.people }
  for (const [noun, routes] of Object.entries(api)) serveNoun(app, routes, served[noun]!, serving)
}

/** More than any feature session has. */
const ALL = 1_000_000

function onRecord(features: ApiNeeds['features']): OnRecord {
  return (named, after) => {
    const [projectId = '', featureId = ''] = named.split('/')
    const records = features.find(projectId, featureId)?.events.after(after, ALL) ?? []
    return records.map(({ createdAt, payload }) => ({ at: Date.parse(createdAt), event: payload }))
  }
}
