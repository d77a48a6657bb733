import fastify, { type FastifyInstance } from 'fastify'
import type { Config } from '#config/config.ts'
import type { Log } from '#core/ports/runtime.ts'
import { refusal } from '#core/refusal.ts'
import { checkVisitor, isAdmitted, policyOf } from './authenticate-request.ts'
import { redeem } from './invitations.ts'
import { OneTimeCodes } from './one-time-codes.ts'
import { decodableView } from './routes/page.ts'
import { type RouteNeeds, registerRoutes } from './routes.ts'
import { CORRECT_IT, sendRefusal } from './serve-route.ts'
import { peopleIn } from './teammates.ts'

export interface ServerNeeds extends Omit<RouteNeeds, 'codes' | 'people' | 'listening'> {
  config: Config
  log: Log
}

/** The web server: authentication, the one shape of errors, and every route. */
export function buildServer(needs: ServerNeeds): FastifyInstance {
  const { config, keys, peers, log } = needs
  const codes = new OneTimeCodes(Date.now)
  const people = peopleIn({ states: needs.memory.store.states, clock: needs.memory.clock })
  const app = fastify({
    logger: false,
    // For a request to arrive; an answer may take as long as a person thinks.
    requestTimeout: 60_000,
    // Errors before routing, such as an address that cannot be decoded, have the same shape. The visitor is not
    // authenticated here, so the page is not sent: a browser is redirected to the same address in a form that can be
    // decoded.
    frameworkErrors: (error, { method, url }, reply) => {
      const readable = method === 'GET' ? decodableView(url) : undefined
      if (readable !== undefined) return reply.redirect(readable)
      return sendRefusal(reply, refusal('bad_request', error.message, CORRECT_IT), error.statusCode)
    },
  })
  const policy = policyOf(config, keys, (code, isKnown) => redeem(codes, code, isKnown))
  app.decorateRequest('standing', 'stranger')
  app.decorateRequest('personId', undefined)
  app.addHook('onRequest', async (request, reply) => checkVisitor(request, reply, { policy, peers, people }))
  app.addHook('onSend', async (_request, reply) => {
    reply.headers({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    })
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
  app.setNotFoundHandler((request, reply) => {
    const where = `${request.method} ${request.url.split('?')[0]}`
    return sendRefusal(reply, refusal('not_found', `There is nothing at ${where}.`, 'Open / for the page.'))
  })
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const status = error.statusCode ?? 500
    if (status < 500) return sendRefusal(reply, refusal('bad_request', error.message, CORRECT_IT), status)
    // The request itself is not logged: it may hold the token, or a secret in a form that the redactor does not know.
    log.error({ err: error, url: request.url.split('?')[0] }, 'a request failed')
    return sendRefusal(
      reply,
      refusal('internal_error', 'Grove could not answer this request.', 'The log file says why.'),
    )
  })
  registerRoutes(app, { ...needs, codes, people, listening: config }, isAdmitted(policy))
  return app
}
