import { timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import { type Refusal, refusal } from '#core/refusal.ts'
import type { HomeKeys } from './keys.ts'

/**
 * Authentication of the web server. An agent beside it runs commands, and loopback is shared by every process and user of
 * the machine, so nothing but `/health` is answered without a secret of this home (keys.ts):
 *
 * - tools send the token: `Authorization: Bearer <token>`;
 * - Claude Code's http hooks send the hook key the same way; it opens `POST /hooks/…` and nothing else. A hook without it
 *   is ignored and answered with an empty result, so that the agent goes on;
 * - a browser has the cookie, which it gets by opening the link that `grove up` prints or `grove open` opens
 *   (`/?token=<link key or ticket>`, answered with `Set-Cookie` and the way to the same address without it). The cookie is
 *   httpOnly and SameSite=Strict, opens everything that is served, also scripts, styles and `/ws`, and lasts a year;
 * - a teammate's browser gets a cookie of its own in the same way, from an invitation (`/api/people/invitations`); it holds
 *   until the pairing is taken back, and tells which person acts;
 * - where only people may ask (people-only.ts), the page adds its key, which stands in it as `<meta name="grove-page">`, in
 *   the header `x-grove-page`, and the one-time code of a click, from `POST /api/gestures`, in `x-grove-gesture`. The page is
 *   sent to browsers with the cookie only.
 *
 * Host is checked against DNS rebinding, Origin and Sec-Fetch-Site against pages of other origins in the user's own browser.
 * These checks only refuse: any program can write these headers, so they let nothing in.
 */

export interface Policy {
  /** Names and addresses under which this server may be addressed, without port. */
  hosts: string[]
  keys: HomeKeys
  /** Redeems a one-time link: whom it lets in, or undefined when it was used before or has expired. */
  redeem(ticket: string, isKnown: boolean): PairedAs | undefined
}

/** The owner's browser, an invited teammate's, or one that already has a cookie and keeps it. */
export type PairedAs = 'owner' | 'teammate' | 'known'

/** The parts of a request that decide. */
export interface Visitor {
  method: string
  /** Path and query. */
  url: string
  host?: string | undefined
  origin?: string | undefined
  fetchSite?: string | undefined
  fetchMode?: string | undefined
  /** From the Authorization header. */
  bearer?: string | undefined
  cookie?: string | undefined
  /** The cookie is that of a teammate whose pairing holds. */
  isTeammate?: boolean
}

/** What a visitor was recognised as; `/health` is open to strangers. */
export type Standing = 'tool' | 'hook' | 'browser' | 'stranger'

export type Verdict =
  | { allow: true; as: Standing }
  /** The link was opened: keep the cookie and go on without it. */
  | { allow: true; pair: PairedAs; location: string }
  | {
      allow: false
      refusal: Refusal<'host_not_allowed' | 'origin_not_allowed' | 'pairing_required' | 'token_required'>
    }

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']

/** The whole decision. */
export function admit(visitor: Visitor, policy: Policy): Verdict {
  const name = hostName(visitor.host)
  if (!name || !policy.hosts.includes(name)) {
    return refusedWith(
      'host_not_allowed',
      `This server does not answer to the name ${name || '(none)'}.`,
      `Address it as ${policy.hosts[0]}, or add the name to allowed_hosts.`,
    )
  }
  if (isForeign(visitor)) {
    return refusedWith(
      'origin_not_allowed',
      'Requests from other web pages are not answered.',
      "Open Grove's own page instead.",
    )
  }
  const { keys } = policy
  const { bearer, cookie } = visitor
  if (bearer !== undefined && sameToken(bearer, keys.token)) return { allow: true, as: 'tool' }
  const isSafe = SAFE_METHODS.includes(visitor.method)
  if (isHook(visitor)) {
    return bearer !== undefined && sameToken(bearer, keys.hooks)
      ? { allow: true, as: 'hook' }
      : refusedWith('token_required', 'A hook needs the key of this home.', 'Run `grove init`: it writes it.')
  }
  const isKnown = visitor.isTeammate === true || (cookie !== undefined && sameToken(cookie, keys.cookie))
  const paired = isSafe ? pairedAt(visitor.url, policy, isKnown) : undefined
  if (paired) return { allow: true, ...paired }
  if (isKnown) return { allow: true, as: 'browser' }
  if (isSafe && /^\/health(?:\?|$)/.test(visitor.url)) return { allow: true, as: 'stranger' }
  return isSafe
    ? refusedWith(
        'pairing_required',
        'Grove shows nothing to a browser or a tool that it does not know.',
        'Run `grove open`, or open the address that `grove up` printed. Tools send `Authorization: Bearer …`, with what the file `token` in the home folder holds.',
      )
    : refusedWith(
        'token_required',
        'A request that changes something needs the token, unless it comes from the page.',
        'Send it as `Authorization: Bearer …`; it lies in the file `token` in the home folder.',
      )
}

function refusedWith(code: RefusalCodeOf, message: string, suggestion: string): Verdict {
  return { allow: false, refusal: refusal(code, message, suggestion) }
}

type RefusalCodeOf = Extract<Verdict, { allow: false }>['refusal']['code']

export function isHook({ method, url }: Visitor): boolean {
  return method === 'POST' && url.startsWith('/hooks/')
}

/** Whom the link's token lets in, and the address without it; undefined without a valid token. */
function pairedAt(
  url: string,
  { keys, redeem }: Policy,
  isKnown: boolean,
): { pair: PairedAs; location: string } | undefined {
  if (!url.includes('token=')) return undefined
  const { pathname, searchParams } = new URL(`http://grove${url}`)
  const offered = searchParams.get('token')
  if (offered === null) return undefined
  const isOwner = sameToken(offered, keys.link) || sameToken(offered, keys.token)
  const pair = isOwner ? 'owner' : redeem(offered, isKnown)
  if (!pair) return undefined
  searchParams.delete('token')
  // `//x` would lead the browser to another host.
  const path = pathname.replace(/^\/+/, '/')
  return { pair, location: searchParams.size > 0 ? `${path}?${searchParams}` : path }
}

/** A page of another origin. Browsers say so: by Origin where it matters, by Sec-Fetch-Site everywhere else. */
function isForeign({ host, origin, fetchSite, fetchMode }: Visitor): boolean {
  if (origin !== undefined) return !URL.canParse(origin) || new URL(origin).host !== new URL(`http://${host}`).host
  const isLink = fetchMode === 'navigate'
  return (fetchSite === 'cross-site' || fetchSite === 'same-site') && !isLink
}

/** Compares secrets in constant time. */
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
