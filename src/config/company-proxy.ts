import type { Env } from './load.ts'

// Claude Code sends everything through the proxy that HTTPS_PROXY or its like names, requests to this machine included:
// prompt and key would go there, and Grove would never see them. NO_PROXY lists the exceptions.

const PROXIES = /^(?:https?|all)_proxy$/i

/** Variables that make a client reach a local address directly; none where it does so anyway. */
export function directly(env: Env, url: string): Record<string, string> {
  if (isDirect(env, url)) return {}
  const value = [exceptions(env), hostOf(url)].filter(Boolean).join(',')
  // The client reads the lower-case variable first, other programs the upper-case one.
  return { NO_PROXY: value, no_proxy: value }
}

/** Whether a client with these variables reaches an address without a proxy in between. */
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
