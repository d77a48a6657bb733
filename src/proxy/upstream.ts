import type { Socket } from 'node:net'
import { buildConnector, type Dispatcher, EnvHttpProxyAgent } from 'undici'
import { type AnswerHandler, HttpClient } from './http1/client.ts'
import { passOverContinue } from './pass-over-continue.ts'

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

export interface UpstreamRequest {
  method: string
  path: string
  /** Name, value, name, value … */
  headers: string[]
  /** In as many pieces as it was made of. */
  body: readonly Uint8Array[] | null
}

/** The one place that talks to the API's side. */
export interface Upstream {
  readonly host: string
  dispatch(request: UpstreamRequest, handler: AnswerHandler): void
  /** Whether the far end of this incoming connection is an outgoing one of ours: then the target leads back to us. */
  isOwnConnection(incoming: Socket): boolean
  /** Cuts every connection. */
  destroy(): Promise<void>
}

// Below the 60 s after which common load balancers drop idle connections; a server's own Keep-Alive hint wins.
const KEEP_ALIVE_MS = 55_000
const MAX_HEADER_BYTES = 64 * 1024
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
  const connect = own.watching(buildConnector(connecting))
  const prefix = target.pathname.replace(/(?<!\/)\/+$/, '')
  const shared = { host: target.host, isOwnConnection: (incoming: Socket) => own.has(incoming) }
  if (httpsProxy && target.protocol === 'https:') {
    const agent = proxyAgent(options, connect, connecting)
    return {
      ...shared,
      dispatch: (request, handler) => viaProxy(agent, target.origin, prefix, request, handler),
      destroy: () => agent.destroy(),
    }
  }
  const client = new HttpClient({ target, connect, headersMs, idleMs, keepAliveMs: KEEP_ALIVE_MS })
  return {
    ...shared,
    dispatch({ method, path, headers, body }, handler) {
      client.dispatch({ method, path: prefix + path, headers, body }, handler)
    },
    destroy: async () => client.destroy(),
  }
}

function viaProxy(
  agent: Dispatcher,
  origin: string,
  prefix: string,
  { method, path, headers, body }: UpstreamRequest,
  handler: AnswerHandler,
): void {
  agent.dispatch(
    {
      origin,
      method: method as Dispatcher.HttpMethod,
      path: prefix + path,
      headers: grouped(headers),
      body: body && Buffer.concat(body),
    },
    handler as Dispatcher.DispatchHandler,
  )
}

function proxyAgent(
  { httpsProxy = '', noProxy = '', headersMs, idleMs }: UpstreamOptions,
  connect: buildConnector.connector,
  connecting: object,
): Dispatcher {
  // An empty httpProxy keeps undici from looking into the environment: configuration is read in one place only.
  return new EnvHttpProxyAgent({
    connect: (options: buildConnector.Options, callback: buildConnector.Callback) =>
      connect(options, (error, socket) => {
        if (error) return callback(error, null)
        passOverContinue(socket)
        callback(null, socket)
      }),
    headersTimeout: headersMs,
    bodyTimeout: idleMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    httpsProxy,
    httpProxy: '',
    noProxy,
    proxyTls: connecting as never,
    requestTls: connecting as never,
  })
}

/** undici's proxy agent takes only an object, and keeps several values of a name only as a list. */
function grouped(headers: string[]): Record<string, string | string[]> {
  const groups: Record<string, string | string[]> = Object.create(null)
  for (let i = 0; i < headers.length; i += 2) {
    const [name, value] = [headers[i]!, headers[i + 1]!]
    const before = groups[name]
    groups[name] = before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value]
  }
  return groups
}

/**
 * Remembers the near ends of connections we made to our own port. A request that comes from one of them was sent by
 * ourselves. This finds a loop under whatever name the target has, and adds no header that the API would see.
 */
class LoopWatch {
  readonly #nearEnds = new Set<string>()

  constructor(private readonly ownPort: () => number | undefined) {}

  has(incoming: Socket): boolean {
    // Asking a socket for its far end costs a system call, and there is never a loop where all is well.
    return this.#nearEnds.size > 0 && this.#nearEnds.has(endpoint(incoming.remoteAddress, incoming.remotePort))
  }

  watching(connect: buildConnector.connector): buildConnector.connector {
    return (options, callback) =>
      connect(options, (error, socket) => {
        if (error) return callback(error, null)
        if (socket.remotePort === this.ownPort()) this.#remember(socket)
        callback(null, socket)
      })
  }

  #remember(socket: Socket): void {
    const nearEnd = endpoint(socket.localAddress, socket.localPort)
    this.#nearEnds.add(nearEnd)
    socket.once('close', () => this.#nearEnds.delete(nearEnd))
  }
}

/** On a dual-stack socket an IPv4 address shows as an IPv6 one. */
function endpoint(address: string | undefined, port: number | undefined): string {
  return `${address?.replace(/^::ffff:/, '')} ${port}`
}
