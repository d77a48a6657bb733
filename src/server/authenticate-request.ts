import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#config/config.ts'
import type { PeerOwner, Peers } from '#core/ports/peers.ts'
import { refusal } from '#core/refusal.ts'
import { none } from '#protocol/hook-event.ts'
import { admit, allowedHosts, isHook, type Policy, type Standing, sameToken, type Visitor } from './authenticate.ts'
import type { HomeKeys } from './keys.ts'
import { sendRefusal } from './serve-route.ts'
import { redirectPage, signInPage } from './sign-in-pages.ts'
import type { People } from './teammates.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What the visitor was recognised as; set before any route runs. */
    standing: Standing
    /** Whose browser it is; undefined for the owner's, and for tools. */
    personId: string | undefined
  }
}

/** The server's policy, from its configuration. */
export function policyOf({ host, allowedHosts: extra }: Config, keys: HomeKeys, redeem: Policy['redeem']): Policy {
  return { hosts: allowedHosts(host, thisMachine(), extra), keys, redeem }
}

/**
 * The same check for hooks, which are answered ahead of Fastify's lifecycle: from the second on a connection, when it is
 * known whose it is.
 */
export function isAdmitted(policy: Policy): (request: IncomingMessage) => boolean {
  return ({ method = '', url = '', headers, socket }) => {
    const verdict = admit(visitorOf({ method, url, headers }), policy)
    if (!verdict.allow || 'pair' in verdict) return false
    return verdict.as === 'tool' || (owners.get(socket) ?? 'another') !== 'another'
  }
}

interface CheckNeeds {
  policy: Policy
  peers: Peers
  people: Pick<People, 'find' | 'join'>
}

/** Refuses a request, gives its browser the cookie, or lets it pass. */
export async function checkVisitor(
  request: FastifyRequest,
  reply: FastifyReply,
  { policy, peers, people }: CheckNeeds,
) {
  const cookieName = nameOfCookie(policy.keys)
  const shown = cookieValue(request.headers.cookie, cookieName)
  const teammate = await teammateOf(shown, policy.keys, people)
  const visitor = { ...visitorOf(request, shown), isTeammate: teammate !== undefined }
  const verdict = admit(visitor, policy)
  if (!verdict.allow) return answerRefused(request, reply, visitor, verdict.refusal)
  const isTool = !('pair' in verdict) && (verdict.as === 'tool' || verdict.as === 'stranger')
  if (!isTool && (await ownerOf(request.raw.socket, peers)) === 'another') {
    return isHook(visitor) ? ignoreHook(reply) : sendRefusal(reply, ANOTHER_USER)
  }
  if (!('pair' in verdict)) {
    request.standing = verdict.as
    if (verdict.as === 'browser') request.personId = teammate
    return
  }
  if (verdict.pair !== 'known') {
    const secret = verdict.pair === 'owner' ? policy.keys.cookie : policy.keys.teammate((await people.join()).id)
    reply.header('set-cookie', `${cookieName}=${secret}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000`)
  }
  // A browser that came from elsewhere would leave a strict cookie out when it is merely redirected.
  return cameFromElsewhere(visitor) ? redirectPage(reply, verdict.location) : reply.redirect(verdict.location, 303)
}

/** The person whose cookie this is, as long as their pairing holds. */
async function teammateOf(
  cookie: string | undefined,
  keys: HomeKeys,
  people: CheckNeeds['people'],
): Promise<string | undefined> {
  const [id] = cookie?.split('.') ?? []
  if (!id || !cookie || !sameToken(cookie, keys.teammate(id))) return undefined
  return (await people.find(id))?.id
}

const owners = new WeakMap<Socket, PeerOwner>()

/** Looked up once for each connection. */
async function ownerOf(socket: Socket, peers: Peers): Promise<PeerOwner> {
  const owner = owners.get(socket) ?? (await peers.ownerOf(socket))
  owners.set(socket, owner)
  return owner
}

// Cookies ignore the port, so another user's server on this machine may have received ours; and the link is visible in the
// command line that starts the browser. Claude Code sends the hook key to any program that listens on the port while Grove does not
// run. The far end must therefore be a process of this user.
const ANOTHER_USER = refusal(
  'pairing_required',
  'This connection comes from another user of this machine.',
  'Open the page as the user who runs this Grove.',
)

type Refused = Extract<ReturnType<typeof admit>, { allow: false }>['refusal']

function answerRefused(request: FastifyRequest, reply: FastifyReply, visitor: Visitor, refused: Refused) {
  const { method, url } = request
  if (refused.code === 'token_required' && url.startsWith('/hooks/')) return ignoreHook(reply)
  const isPage = method === 'GET' && refused.code === 'pairing_required' && wantsPage(request)
  if (!isPage) return sendRefusal(reply, refused)
  // From a link on another site a strict cookie does not come along; the page itself may ask again, once.
  return cameFromElsewhere(visitor) ? redirectPage(reply, url.replace(/^\/+/, '/')) : signInPage(reply)
}

/** Claude Code shows any other status to the user as an error, with every tool call. */
function ignoreHook(reply: FastifyReply) {
  return reply.status(200).send(none)
}

function cameFromElsewhere({ fetchSite, fetchMode }: Visitor): boolean {
  return fetchMode === 'navigate' && (fetchSite === 'cross-site' || fetchSite === 'same-site')
}

function wantsPage({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') === true
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
function nameOfCookie({ cookie }: HomeKeys): string {
  return `grove_${createHash('sha256').update(cookie).digest('hex').slice(0, 8)}`
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
