import type { FastifyInstance } from 'fastify'
import type { Config } from '#config/config.ts'
import type { GuardWorld } from '#core/ports/guard.ts'
import type { Store } from '#core/ports/store.ts'
import { approvalRoutes } from '#server/routes/approvals.ts'
import { intentRoutes } from '#server/routes/intents.ts'
import { traceRoutes } from '#server/routes/trace.ts'
import { traceWorld } from '../compose/trace.ts'

interface Needs {
  config: Config
  store: Store
  guard: GuardWorld
  token: string
}

/** Adds what people do with intents, requests and the trace to the web server. */
export function serveGuard(app: FastifyInstance, { config, store, guard, token }: Needs): void {
  const needs = { guard, token, trace: traceWorld(config), projects: () => store.projects.list() }
  app.register(intentRoutes, needs)
  app.register(approvalRoutes, needs)
  app.register(traceRoutes, needs)
}
