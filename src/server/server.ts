import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { hostname, networkInterfaces } from 'node:os'
import websocket from '@fastify/websocket'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Config } from '#config/config.ts'
import type { Log } from '#core/ports/runtime.ts'
import type { LiveEvent } from '#supervisor/live.ts'
import type { MemoryWorld } from '#supervisor/memory/world.ts'
import type { Agents } from './agents.ts'
import { admit, allowedHosts, isLoopback, type Policy, type Visitor } from './guard.ts'
import { type LiveFeed, liveRoute } from './live.ts'
import { page } from './page.ts'
import { pageKey } from './page-key.ts'
import { memoryRoutes } from './routes/memories.ts'

export interface ServerNeeds {
  config: Config
  agents: Agents
  memory: MemoryWorld
  version: string
  /** Lets in tools without an Origin, and browsers when others than this machine can connect. */
  token: string
  /** Where Claude Code is to be pointed. */
  proxyUrl: string
  live: LiveFeed<LiveEvent>
  log: Log
}

/** The web server: the page, the API and, later, whatever else is served on PORT. */
export function buildServer(needs: ServerNeeds): FastifyInstance {
  const { config, token, log } = needs
  const app = fastify({
    logger: false,
    // What fails before there is a route, such as an address that cannot be decoded, has our shape too.
    frameworkErrors: (error, _request, reply) =>
      refuse(reply, error.statusCode ?? 400, 'bad_request', error.message, 'Correct the request and send it again.'),
  })
  const policy = policyOf(config, token)
  app.addHook('onRequest', async (request, reply) => checkVisitor(request, reply, policy))
  app.addHook('onSend', async (_request, reply) => {
    reply.headers({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    })
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
  app.setNotFoundHandler((request, reply) =>
    refuse(
      reply,
      404,
      'not_found',
      `There is nothing at ${request.method} ${request.url.split('?')[0]}.`,
      'Open / for the page.',
    ),
  )
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const status = error.statusCode ?? 500
    if (status < 500)
      return refuse(reply, status, 'bad_request', error.message, 'Correct the request and send it again.')
    // Not what was asked: it may hold the token, or a secret in a form that the redactor does not know.
    log.error({ err: error, url: request.url.split('?')[0] }, 'a request failed')
    return refuse(reply, 500, 'internal_error', 'Grove could not answer this request.', 'The log file says why.')
  })
  app.register(async (routes) => pageRoutes(routes, needs))
  app.register(async (routes) => apiRoutes(routes, needs))
  app.register(async (routes) => memoryRoutes(routes, needs.memory))
  app.register(websocket, { options: { maxPayload: 64 * 1024 } })
  app.register(async (routes) => liveRoute(routes, needs.live))
  return app
}

function pageRoutes(app: FastifyInstance, { version, proxyUrl, token }: ServerNeeds): void {
  const startedAt = process.uptime()
  app.get('/health', async () => ({ status: 'ok', version, uptimeSeconds: Math.floor(process.uptime() - startedAt) }))
  app.get('/', async (_request, reply) => {
    const nonce = randomBytes(16).toString('base64')
    const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
    return reply
      .header('content-security-policy', policy)
      .type('text/html; charset=utf-8')
      .send(page({ nonce, version, proxyUrl, key: pageKey(token) }))
  })
}

function apiRoutes(app: FastifyInstance, { agents }: ServerNeeds): void {
  app.get('/api/agents', async () => ({
    agents: await agents.live(),
    judge: { costTodayUsd: await agents.costToday() },
  }))

  app.get<{ Params: { sessionId: string } }>('/api/agents/:sessionId', async ({ params }, reply) => {
    const detail = await agents.detail(params.sessionId)
    return (
      detail ??
      refuse(
        reply,
        404,
        'agent_not_found',
        `No agent session ${params.sessionId} is known.`,
        'GET /api/agents lists the live ones.',
      )
    )
  })
}

function policyOf({ host, allowedHosts: extra }: Config, token: string): Policy {
  return { hosts: allowedHosts(host, thisMachine(), extra), token, pairing: !isLoopback(host) }
}

/** Who would be let in, for doors that do not go through the server's routes. */
export function admission(config: Config, token: string): (request: IncomingMessage) => boolean {
  const policy = policyOf(config, token)
  return ({ method = '', url = '', headers }) => admit(visitorOf({ method, url, headers }), policy).allow
}

type Asking = Pick<FastifyRequest, 'method' | 'url' | 'headers'>

function visitorOf({ method, url, headers }: Asking, cookie?: string): Visitor {
  return {
    method,
    url,
    host: headers.host,
    origin: headers.origin,
    fetchSite: header(headers['sec-fetch-site']),
    fetchMode: header(headers['sec-fetch-mode']),
    bearer: /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1],
    cookie,
  }
}

async function checkVisitor(request: FastifyRequest, reply: FastifyReply, policy: Policy) {
  const cookieName = pairingCookie(policy.token)
  const verdict = admit(visitorOf(request, cookieValue(request.headers.cookie, cookieName)), policy)
  if (!verdict.allow) return refuse(reply, verdict.status, verdict.code, verdict.message, verdict.suggestion)
  if ('pair' in verdict) {
    reply.header('set-cookie', `${cookieName}=${policy.token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000`)
    return reply.redirect(verdict.location, 303)
  }
}

/** Cookies ignore the port, so two Groves on one machine need two names. */
function pairingCookie(token: string): string {
  return `grove_${createHash('sha256').update(token).digest('hex').slice(0, 8)}`
}

function cookieValue(cookies: string | undefined, name: string): string | undefined {
  return cookies
    ?.split(';')
    .map((cookie) => cookie.trim())
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.slice(name.length + 1)
}

function header(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}

/** The error shape every part of Grove uses. */
function refuse(reply: FastifyReply, status: number, code: string, message: string, suggestion: string) {
  return reply.status(status).send({ status: 'error', code, message, suggestion })
}

function thisMachine() {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list?.map(({ address }) => address) ?? [])
  return { names: [hostname()], addresses }
}
