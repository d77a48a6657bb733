import type { Socket } from 'node:net'
import { type AnswerHandler, HttpClient, type OutgoingRequest } from '../http1/client.ts'
import { Connector } from '../http1/connect.ts'
import type { UpstreamProxy } from './upstream-proxy.ts'

/** How long the upstream may take for each phase; there is no limit on the whole. */
export interface Patience {
  connectMs: number
  /** From the request being sent to the answer's first line. */
  headersMs: number
  /** Silence in the middle of an answer. */
  idleMs: number
}

export interface UpstreamOptions extends Patience {
  target: URL
  /** Where we listen ourselves, once we do. */
  ownPort: () => number | undefined
  /** A proxy for https targets, as in HTTPS_PROXY, and the hosts that are reached without it, as in NO_PROXY. */
  httpsProxy?: string
  noProxy?: string
}

/** The one place that talks to the API's side. */
export interface Upstream {
  readonly host: string
  /** The request's path goes behind the target's own. */
  dispatch(request: OutgoingRequest, handler: AnswerHandler): void
  /** Whether the far end of this incoming connection is an outgoing one of ours: then the target leads back to us. */
  isOwnConnection(incoming: Socket): boolean
  /** Cuts every connection. */
  destroy(): Promise<void>
}

// Below the 60 s after which common load balancers drop idle connections; a server's own Keep-Alive hint wins.
const KEEP_ALIVE_MS = 55_000
// Node tries one address after the other, each for this long, before the next family gets its turn.
const FAMILY_ATTEMPT_MS = 500

/** Opens nothing yet; connections are made as requests come and kept for the next ones. */
export function createUpstream(options: UpstreamOptions): Upstream {
  const { target, httpsProxy, connectMs, headersMs, idleMs } = options
  const own = new LoopWatch(options.ownPort)
  const connecting = {
    timeout: connectMs,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: FAMILY_ATTEMPT_MS,
  }
  const prefix = target.pathname.replace(/(?<!\/)\/+$/, '')
  const shared = { host: target.host, isOwnConnection: (incoming: Socket) => own.has(incoming) }
  if (httpsProxy && target.protocol === 'https:') {
    // It brings undici with it, which is large, and without HTTPS_PROXY nothing else needs it.
    let loading: Promise<UpstreamProxy> | undefined
    const load = async () => {
      const { UpstreamProxy } = await import('./upstream-proxy.ts')
      return new UpstreamProxy(options, connecting, KEEP_ALIVE_MS, own)
    }
    return {
      ...shared,
      dispatch(request, handler) {
        const sent = { ...request, path: prefix + request.path }
        loading ??= load()
        loading.then(
          (proxy) => proxy.dispatch(sent, handler),
          (error) => handler.onError(error),
        )
      },
      destroy: async () => (await loading)?.destroy(),
    }
  }
  const connector = new Connector(target, connecting)
  const client = new HttpClient({
    host: target.host,
    connect: (onBytes, done) =>
      connector.connect(onBytes, (error, socket) => {
        if (!error) own.note(socket)
        done(error, socket)
      }),
    headersMs,
    idleMs,
    keepAliveMs: KEEP_ALIVE_MS,
  })
  return {
    ...shared,
    dispatch({ method, path, headers, body }, handler) {
      client.dispatch({ method, path: prefix + path, headers, body }, handler)
    },
    destroy: async () => client.destroy(),
  }
}

/**
 * Remembers the near ends of connections we made to our own port. A request that comes from one of them was sent by
 * ourselves. This finds a loop under whatever name the target has, and adds no header that the API would see.
 */
export class LoopWatch {
  readonly #nearEnds = new Set<string>()

  constructor(private readonly ownPort: () => number | undefined) {}

  has(incoming: Socket): boolean {
    // Asking a socket for its far end costs a system call, and there is never a loop where all is well.
    return this.#nearEnds.size > 0 && this.#nearEnds.has(endpoint(incoming.remoteAddress, incoming.remotePort))
  }

  /** A connection that we have made. */
  note(socket: Socket): void {
    if (socket.remotePort !== this.ownPort()) return
    const nearEnd = endpoint(socket.localAddress, socket.localPort)
    this.#nearEnds.add(nearEnd)
    socket.once('close', () => this.#nearEnds.delete(nearEnd))
  }
}

/** On a dual-stack socket an IPv4 address shows as an IPv6 one. */
function endpoint(address: string | undefined, port: number | undefined): string {
  return `${address?.replace(/^::ffff:/, '')} ${port}`
}
