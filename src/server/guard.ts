import { timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import { type Refusal, refusal } from '#core/refusal.ts'

/**
 * Who may talk to the web server. It stands next to an agent that runs commands, so a foreign web page,
 * opened in the user's own browser, must not reach it: neither by DNS rebinding (Host) nor across origins (Origin).
 */

export interface Policy {
  /** Names and addresses under which this server may be addressed, without port. */
  hosts: string[]
  token: string
  /** Set when others than this machine can connect: then nothing is answered without the token. */
  pairing: boolean
}

/** What of a request decides. */
export interface Visitor {
  method: string
  /** Path and query. */
  url: string
  host?: string | undefined
  origin?: string | undefined
  fetchSite?: string | undefined
  fetchMode?: string | undefined
  /** Token from the Authorization header. */
  bearer?: string | undefined
  /** Token from the cookie. */
  cookie?: string | undefined
}

export type Verdict =
  | { allow: true }
  /** The token came in the URL: keep it as a cookie and go on without it. */
  | { allow: true; pair: true; location: string }
  | {
      allow: false
      refusal: Refusal<'host_not_allowed' | 'origin_not_allowed' | 'pairing_required' | 'token_required'>
    }

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']

/** The whole decision. */
export function admit(visitor: Visitor, policy: Policy): Verdict {
  const name = hostName(visitor.host)
  if (!name || !policy.hosts.includes(name)) {
    return {
      allow: false,
      refusal: refusal(
        'host_not_allowed',
        `This server does not answer to the name ${name || '(none)'}.`,
        `Address it as ${policy.hosts[0]}, or add the name to allowed_hosts.`,
      ),
    }
  }
  if (isForeign(visitor)) {
    return {
      allow: false,
      refusal: refusal(
        'origin_not_allowed',
        'Requests from other web pages are not answered.',
        "Open Grove's own page instead.",
      ),
    }
  }
  const isSafe = SAFE_METHODS.includes(visitor.method)
  // Only what opens a page may bring the token in its address; a hook comes with every tool call.
  if (!isSafe && holdsToken(visitor, policy)) return { allow: true }
  const { pathname, searchParams } = new URL(`http://grove${visitor.url}`)
  const offered = searchParams.get('token')
  if (offered !== null && isSafe && sameToken(offered, policy.token)) {
    searchParams.delete('token')
    // `//x` would lead the browser to another host.
    const path = pathname.replace(/^\/+/, '/')
    return { allow: true, pair: true, location: searchParams.size > 0 ? `${path}?${searchParams}` : path }
  }
  if (holdsToken(visitor, policy)) return { allow: true }
  if (policy.pairing && pathname !== '/health') {
    return {
      allow: false,
      refusal: refusal(
        'pairing_required',
        'This browser is not paired with Grove.',
        'Open the address with the token that `grove up` printed.',
      ),
    }
  }
  if (!isSafe && visitor.origin === undefined) {
    return {
      allow: false,
      refusal: refusal(
        'token_required',
        'A request that changes something needs the token or comes from the page.',
        'Send it as `Authorization: Bearer …`; it lies in the file `token` in the home folder.',
      ),
    }
  }
  return { allow: true }
}

/** A page of another origin. Browsers say so: by Origin where it matters, by Sec-Fetch-Site everywhere else. */
function isForeign({ host, origin, fetchSite, fetchMode }: Visitor): boolean {
  if (origin !== undefined) return !URL.canParse(origin) || new URL(origin).host !== new URL(`http://${host}`).host
  const isLink = fetchMode === 'navigate'
  return (fetchSite === 'cross-site' || fetchSite === 'same-site') && !isLink
}

function holdsToken({ bearer, cookie }: Visitor, { token }: Policy): boolean {
  return [bearer, cookie].some((offered) => offered !== undefined && sameToken(offered, token))
}

/** Whether a secret is the right one, without telling by the time it takes how much of it is. */
export function sameToken(offered: string, token: string): boolean {
  const [a, b] = [Buffer.from(offered), Buffer.from(token)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** `Localhost:3333` → `localhost`, `[::1]:3333` → `::1`. */
export function hostName(host: string | undefined): string | undefined {
  // The usual ones are read without a parser.
  const [, plain] = /^(localhost|127\.0\.0\.1)(?::\d{1,5})?$/.exec(host ?? '') ?? []
  if (plain) return plain
  if (!host || !URL.canParse(`http://${host}`)) return undefined
  return new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

/** Whether only this machine can reach a listening address. */
export function isLoopback(host: string): boolean {
  if (isIP(host) === 4) return host.startsWith('127.')
  return host === 'localhost' || host === '::1' || host === '::ffff:127.0.0.1'
}

/** The names a server on `host` answers to: always this machine's own, and what the address or the user adds. */
export function allowedHosts(
  host: string,
  machine: { names: string[]; addresses: string[] },
  extra: string[],
): string[] {
  const everywhere = host === '0.0.0.0' || host === '::'
  const others = everywhere
    ? [...machine.addresses, ...machine.names, ...machine.names.map((name) => `${name}.local`)]
    : [host]
  return [
    ...new Set(
      [...(everywhere ? [] : [host]), 'localhost', '127.0.0.1', '::1', ...others, ...extra].map((name) =>
        name.toLowerCase(),
      ),
    ),
  ]
}
