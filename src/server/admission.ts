import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { hostname, networkInterfaces } from 'node:os'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#config/config.ts'
import { admit, allowedHosts, isLoopback, type Policy, type Visitor } from './guard.ts'
import { sendRefusal } from './serve-route.ts'

/** The server's policy, from its configuration. */
export function policyOf({ host, allowedHosts: extra }: Config, token: string): Policy {
  return { hosts: allowedHosts(host, thisMachine(), extra), token, pairing: !isLoopback(host) }
}

/** Whether the policy lets a request in that the server's own lifecycle has not seen. */
export function isAdmitted(policy: Policy): (request: IncomingMessage) => boolean {
  return ({ method = '', url = '', headers }) => admit(visitorOf({ method, url, headers }), policy).allow
}

/** Refuses a request, pairs its browser, or lets it pass. */
export async function checkVisitor(request: FastifyRequest, reply: FastifyReply, policy: Policy) {
  const cookieName = pairingCookie(policy.token)
  const verdict = admit(visitorOf(request, cookieValue(request.headers.cookie, cookieName)), policy)
  if (!verdict.allow) return sendRefusal(reply, verdict.refusal)
  if ('pair' in verdict) {
    reply.header('set-cookie', `${cookieName}=${policy.token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000`)
    return reply.redirect(verdict.location, 303)
  }
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

function thisMachine() {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list?.map(({ address }) => address) ?? [])
  return { names: [hostname()], addresses }
}
