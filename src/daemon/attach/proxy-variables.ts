import { directly } from '#config/company-proxy.ts'
import type { Config } from '#config/config.ts'
import { localUrlOf } from '#config/listening-address.ts'
import type { Env } from '#config/load.ts'
import { pathsOf } from '#config/paths.ts'
import { keyedUrl, unkeyedUrl } from '#proxy/access/admission.ts'
import { isLoopback } from '#server/authenticate.ts'
import { keysOf } from '#server/keys.ts'
import { homeToken } from '#server/token.ts'

/** The small model of Claude Code itself; behind a custom base URL it would ask the main model instead. */
const SMALL_MODEL = 'claude-haiku-4-5'

export interface Variables {
  variables: Record<string, string>
  /** What the user should know. */
  notes: string[]
}

/**
 * The variables that point Claude Code at the proxy, and undo the side effects of a custom base URL. A user who already
 * goes through another gateway keeps it: removing it would send their requests elsewhere.
 */
export function proxyVariables(theirs: Env, { proxy }: Config, running: string | undefined): Variables {
  const ours = clientBaseUrl(proxy, running)
  const gateway = ownGateway(theirs, proxy, running)
  if (gateway) {
    return {
      variables: {},
      notes: [
        `ANTHROPIC_BASE_URL is ${gateway}, so Claude Code was not pointed at the proxy. To have both, put the lines\n` +
          `  [proxy]\n  target = "${gateway}"\ninto config.toml in Grove's home folder and run this again.`,
      ],
    }
  }
  if (running === undefined && proxy.port === 0) {
    return { variables: {}, notes: ['The port of the proxy changes with every start, so nothing was pointed at it.'] }
  }
  const undoing = Object.entries({
    ENABLE_TOOL_SEARCH: 'true',
    ANTHROPIC_DEFAULT_HAIKU_MODEL: SMALL_MODEL,
    // Lets the client name the class of each request, which it does by itself only towards the API.
    CLAUDE_CODE_GATEWAY_HINT_HEADERS: '1',
  })
  // A value that the user has set anywhere is kept.
  const undecided = undoing.filter(([name, value]) => (theirs[name] || otherName(name, theirs) || value) === value)
  const variables = { ANTHROPIC_BASE_URL: ours, ...Object.fromEntries(undecided), ...directly(theirs, ours) }
  return { variables, notes: [] }
}

/** The gateway that the user goes through already, unless it is where the proxy forwards to. */
export function ownGateway(theirs: Env, proxy: Config['proxy'], running: string | undefined): string | undefined {
  const base = theirs.ANTHROPIC_BASE_URL
  const known = [clientBaseUrl(proxy, running), clientBaseUrl(proxy, undefined), proxy.target]
  return base && !known.some((url) => sameUrl(unkeyedUrl(base), url)) ? base : undefined
}

/** The address with the key in it, by which the proxy knows its user whatever the system tells. */
export function keyedProxy(config: Config, url: string): string {
  return keyedUrl(url, keysOf(homeToken(pathsOf(config).token)).proxy)
}

/**
 * The address for a settings file, which others may read: with the key only where the proxy cannot tell its user by the
 * connection.
 */
export function settledProxy(config: Config, url: string): string {
  if (process.platform === 'linux' && isLoopback(config.proxy.host)) return url
  try {
    return keyedProxy(config, url)
  } catch {
    // A home that takes no writes has no token yet; then nothing is recorded either.
    return url
  }
}

/** What Claude Code is given as ANTHROPIC_BASE_URL: where the proxy runs, else where it would. */
export function clientBaseUrl(proxy: Config['proxy'], running: string | undefined): string {
  return running ?? localUrlOf(proxy)
}

/** The small model goes by an older name too. */
function otherName(name: string, theirs: Env): string | undefined {
  return name === 'ANTHROPIC_DEFAULT_HAIKU_MODEL' ? theirs.ANTHROPIC_SMALL_FAST_MODEL : undefined
}

function sameUrl(a: string, b: string): boolean {
  return URL.canParse(a) && URL.canParse(b) && new URL(a).href === new URL(b).href
}
