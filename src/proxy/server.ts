import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Trouble } from '#config/trouble.ts'
import type { Log } from '#core/ports/runtime.ts'
import type { AdmissionOptions } from './access/admission.ts'
import { Entrance } from './access/entrance.ts'
import { createHostCheck } from './access/host-check.ts'
import { BodyMemory } from './bodies/body-memory.ts'
import { type ClientEnd, NodeClient } from './client/client-end.ts'
import { noTunnel, rawAnswer, unreadable } from './client/errors.ts'
import { FastPath } from './client/fast-path.ts'
import { LeanRequest } from './client/lean-request.ts'
import { sendError, sendJson } from './client/respond.ts'
import { type RequestHead, readRequestHead } from './headers.ts'
import { spareFullCollections } from './heap.ts'
import { KnownScans } from './observe/known-scans.ts'
import { ObservationQueue } from './observe/observation-queue.ts'
import type { ProxyObserver } from './observe/observer.ts'
import { type RelayContext, relayRequest } from './relay-request.ts'
import { createUpstream } from './upstream/upstream.ts'

/** Everything the proxy can be told; only where to listen and where to forward to is needed. */
export interface ProxyOptions {
  host: string
  port: number
  /** Where requests go: an http or https URL, with a base path if need be. */
  target: URL | string
  log: Log
  observer?: ProxyObserver
  /** Shown by `GET /health`. */
  version?: string
  limits?: Partial<ProxyLimits>
  /** A proxy for https targets and the hosts reached without it, as in HTTPS_PROXY and NO_PROXY. */
  httpsProxy?: string
  noProxy?: string
  /** Answers `GET /health?challenge=…`, so that a client can tell this proxy from a stranger on its port. */
  prove?: (port: number, challenge: string) => string
  /** Names, besides loopback and `host`, under which clients may address the proxy. */
  allowedHosts?: readonly string[]
  /** Whose requests are recorded and changed; without it, those of every user. */
  admission?: AdmissionOptions
}

export interface ProxyLimits {
  maxBodyBytes: number
  /** What the bodies of requests may take up together that are not known to be this user's. */
  untrustedBytes: number
  /** How long a request may take to arrive; its head has a sixth of that. */
  arriveMs: number
  connectMs: number
  /** How long the upstream may take to begin its answer. */
  headersMs: number
  /** How long a stream may be silent; there is no limit on the whole. */
  idleMs: number
  /** How long the observer may think about a request before it goes up as it came. */
  prepareMs: number
}

export interface RunningProxy {
  port: number
  address: string
  /** Takes no more requests, lets open ones finish for `graceMs`, then cuts them. */
  close(graceMs?: number): Promise<void>
  openStreams(): number
}

const MINUTE = 60_000
/** The defaults. 32 MB is the API's own limit for a Messages request. */
const LIMITS: ProxyLimits = {
  maxBodyBytes: 32 * 1024 * 1024,
  untrustedBytes: 256 * 1024 * 1024,
  arriveMs: 2 * MINUTE,
  connectMs: 30_000,
  headersMs: 10 * MINUTE,
  idleMs: 10 * MINUTE,
  prepareMs: 300,
}
const SERVER = {
  // Clients keep connections for minutes; closing first would race with their next request.
  keepAliveTimeout: 2 * MINUTE,
  maxHeaderSize: 64 * 1024,
  highWaterMark: 128 * 1024,
  keepAlive: true,
  // We refuse a request without Host ourselves, in words the client shows.
  requireHostHeader: false,
  IncomingMessage: LeanRequest,
}

/** Starts the proxy; rejects when it cannot listen or when the target is no usable address. */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  spareFullCollections()
  const { host, log, observer = {}, version = '' } = options
  const limits = { ...LIMITS, ...options.limits }
  const target = readTarget(options.target)
  let ownPort: number | undefined
  const upstream = createUpstream({
    target,
    ownPort: () => ownPort,
    connectMs: limits.connectMs,
    headersMs: limits.headersMs,
    idleMs: limits.idleMs,
    ...(options.httpsProxy === undefined ? {} : { httpsProxy: options.httpsProxy }),
    ...(options.noProxy === undefined ? {} : { noProxy: options.noProxy }),
  })
  const hosts = createHostCheck(host, options.allowedHosts)
  const { maxBodyBytes, untrustedBytes } = limits
  const entrance = new Entrance({ upstream, hosts, admission: options.admission, maxBodyBytes, untrustedBytes })
  const memory = new BodyMemory()
  const observations = new ObservationQueue(observer, log)
  const answers = new WeakMap<Socket, number>()
  const countAnswers = (socket: Socket, by: number) => answers.set(socket, (answers.get(socket) ?? 0) + by)
  let open = 0
  let closing = false
  let onIdle = () => {}
  const context: RelayContext = {
    upstream,
    observer,
    observations,
    scans: new KnownScans(memory),
    log,
    limits,
    onEnd() {
      open--
      if (open === 0) onIdle()
    },
  }

  const { arriveMs } = limits
  const patience = {
    requestTimeout: arriveMs,
    headersTimeout: arriveMs / 6,
    connectionsCheckingInterval: arriveMs / 24,
  }
  const server = createServer({ ...SERVER, ...patience }, (request, response) => {
    if (closing) response.shouldKeepAlive = false
    countAnswers(request.socket, 1)
    response.on('close', () => countAnswers(request.socket, -1))
    const head = readRequestHead(request.rawHeaders)
    const refusal = entrance.refuse(head, request.socket)
    if (refusal) sendError(request, response, refusal)
    else if (isHealthCheck(request)) sendJson(request, response, 200, health(request.url))
    else relay(new NodeClient(request, response, head), head)
  })
  const fastPath = new FastPath({
    memory,
    maxBodyBytes,
    headMs: patience.headersTimeout,
    arriveMs,
    keepAliveMs: SERVER.keepAliveTimeout,
    takes: (head, socket) => entrance.admitsAtOnce(head, socket),
    relay: (client, head) => relay(client, head),
    handOver(socket, bytes) {
      toNode.call(server, socket)
      socket.emit('data', bytes)
    },
  })
  // Node's server goes on listening; only that it takes every connection by itself ends.
  const toNode = server.listeners('connection')[0] as (this: Server, socket: Socket) => void
  server.off('connection', toNode).on('connection', (socket: Socket) => fastPath.add(socket))
  const looking = setInterval(() => fastPath.look(performance.now()), patience.connectionsCheckingInterval).unref()

  const relay = (client: ClientEnd, head: RequestHead) =>
    entrance.admit(client, head, (isOurs) => {
      open++
      relayRequest(context, client, head, isOurs)
    })
  const health = (url = '') => {
    const challenge = /[?]challenge=([\w-]{16,128})$/.exec(url)?.[1]
    const proof = challenge && ownPort && options.prove?.(ownPort, challenge)
    return JSON.stringify({ status: 'ok', version, openStreams: open, ...(proof && { proof, pid: process.pid }) })
  }
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // In the middle of an answer our words would become part of it.
    if (socket.writable && !answers.get(socket)) socket.end(rawAnswer(unreadable(error.code)))
    else socket.destroy()
  })

  server.on('connect', (_request, socket: Duplex) => socket.end(rawAnswer(noTunnel())))

  const { port, address } = await listen(server, host, options.port)
  ownPort = port
  if (portOf(target) === port && hosts.allowsHost(target.hostname)) {
    server.close()
    throw new Trouble(
      `Requests would go in a circle: the upstream ${target.host} is the proxy itself.`,
      "Set ANTHROPIC_TARGET to the API's own address, for example https://api.anthropic.com.",
    )
  }

  return {
    port,
    address,
    openStreams: () => open,
    async close(graceMs = 10_000) {
      closing = true
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      fastPath.close()
      const drained = open === 0 ? undefined : new Promise<void>((resolve) => (onIdle = resolve))
      await within(graceMs, drained)
      server.closeAllConnections()
      fastPath.destroy()
      clearInterval(looking)
      await Promise.all([closed, upstream.destroy()])
      await within(graceMs, observations.idle())
    },
  }
}

function readTarget(target: URL | string): URL {
  const url = URL.canParse(String(target)) ? new URL(target) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash) {
    throw new Error(
      `The upstream ${JSON.stringify(String(target))} is no usable address. Give an http or https URL without user name or query, for example https://api.anthropic.com.`,
    )
  }
  return url
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}

function isHealthCheck({ method, url = '' }: IncomingMessage): boolean {
  return (url === '/health' || url.startsWith('/health?challenge=')) && (method === 'GET' || method === 'HEAD')
}

function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.off('error', reject)
      resolve(server.address() as AddressInfo)
    })
  })
}

/** Waits for the work, but no longer than this. */
async function within(ms: number, work: Promise<void> | undefined): Promise<void> {
  if (!work) return
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, limit])
  clearTimeout(timer)
}
