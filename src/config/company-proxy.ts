import type { Env } from './load.ts'

// Claude Code sends everything through the proxy of a company that HTTPS_PROXY and its like name, also what is meant for
// this machine: prompt and key would go there, and Grove would never hear of them. NO_PROXY names what is reached directly.

const PROXIES = /^(?:https?|all)_proxy$/i

/** The variables by which a client reaches a local address directly; none where it does so anyway. */
export function directly(env: Env, url: string): Record<string, string> {
  if (isDirect(env, url)) return {}
  const value = [exceptions(env), hostOf(url)].filter(Boolean).join(',')
  // The client looks at the small one first, other programs at the large one.
  return { NO_PROXY: value, no_proxy: value }
}

/** Whether a client with these variables reaches an address without anybody between. */
export function isDirect(env: Env, url: string): boolean {
  if (!Object.entries(env).some(([name, value]) => PROXIES.test(name) && value)) return true
  const [host, { port }] = [hostOf(url), new URL(url)]
  return exceptions(env)
    .split(/[\s,]+/)
    .some((entry) => ['*', host, `${host}:${port}`].includes(entry))
}

function exceptions(env: Env): string {
  return env.no_proxy || env.NO_PROXY || ''
}

function hostOf(url: string): string {
  return new URL(url).hostname
}
