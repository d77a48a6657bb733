import { networkInterfaces } from 'node:os'

export interface Listener {
  host: string
  port: number
}

export function urlOf({ host, port }: Listener): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The URL of a listener for programs of this machine. */
export function localUrlOf({ host, port }: Listener): string {
  return urlOf({ host: isEveryAddress(host) ? '127.0.0.1' : host, port })
}

/** The addresses under which other machines may reach what listens on `host`. */
export function outsideHostsOf(host: string): string[] {
  if (!isEveryAddress(host)) return [host]
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  return all.filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => address)
}

export function isEveryAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}
