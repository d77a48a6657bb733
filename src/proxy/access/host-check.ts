import { isIP } from 'node:net'

/** Decides whether a request was really meant for us; a web page that rebinds its DNS name to 127.0.0.1 was not. */
export interface HostCheck {
  allowsHost(header: string | undefined): boolean
  /**
   * Only web pages send an Origin; the clients we serve send none, or one that is no web site's. The proxy has no page of
   * its own, so one on this machine is as foreign as any: another user may serve it.
   */
  allowsOrigin(header: string): boolean
}

/** Loopback always, the configured host, and names the user added. On a wildcard address any IP literal is us. */
export function createHostCheck(configured: string, alsoAllowed: readonly string[] = []): HostCheck {
  const names = new Set([configured, ...alsoAllowed].map((name) => name.toLowerCase()))
  const anyAddress = configured === '0.0.0.0' || configured === '::'
  const isOurs = (name: string) => isLoopback(name) || names.has(name) || (anyAddress && isIP(name) !== 0)
  const seen = new Map<string, boolean>()
  return {
    allowsHost(header) {
      if (header === undefined) return false
      let allowed = seen.get(header)
      if (allowed === undefined) {
        const name = hostName(header)
        allowed = name !== undefined && isOurs(name)
        // A client repeats its Host header; an attacker's many spellings must not fill the memory.
        if (seen.size < 100) seen.set(header, allowed)
      }
      return allowed
    },
    allowsOrigin(header) {
      const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\/[^/]*$/i.exec(header) ?? []
      return scheme !== undefined && !/^https?$/i.test(scheme)
    },
  }
}

/** The name in `name`, `name:port` or `[v6]:port`, lower case; undefined for anything else. */
function hostName(header: string): string | undefined {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:[\]/@\s]+))(?::\d{1,5})?$/i.exec(header)
  return (match?.[1] ?? match?.[2])?.toLowerCase()
}

function isLoopback(name: string): boolean {
  if (name === 'localhost' || name === '::1') return true
  return isIP(name) === 4 && name.startsWith('127.')
}
