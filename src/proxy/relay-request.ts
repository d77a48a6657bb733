import type { Log } from '#core/ports/runtime.ts'
import { scanRequest } from '#protocol/request-scan.ts'
import type { ClientEnd, ClientRequest } from './client/client-end.ts'
import { badTarget, tooLarge } from './client/errors.ts'
import type { RequestHead } from './headers.ts'
import { Call } from './observe/call.ts'
import type { KnownScans } from './observe/known-scans.ts'
import type { ObservationQueue } from './observe/observation-queue.ts'
import type { ProxyObserver } from './observe/observer.ts'
import { prepareWithin } from './prepare.ts'
import { AnswerRelay } from './relay-answer.ts'
import type { Upstream } from './upstream/upstream.ts'

/** What all requests through one proxy share. */
export interface RelayContext {
  upstream: Upstream
  observer: ProxyObserver
  observations: ObservationQueue
  scans: KnownScans
  log: Log
  limits: { maxBodyBytes: number; headersMs: number; idleMs: number; prepareMs: number }
  /** Called once per request, when nothing more will happen in it. */
  onEnd: () => void
}

/**
 * A request's way up: its body is read whole, the observer may edit a Messages call, and it is sent. Its answer comes down
 * through an `AnswerRelay`, which also knows whether the client is still there.
 */
export function relayRequest(
  context: RelayContext,
  client: ClientEnd,
  head: RequestHead,
  /** Whether it comes from the user whom the observer works for. */
  isOurs: boolean | Promise<boolean>,
): void {
  const { upstream, observer, log, limits } = context
  const { request } = client
  const { method, url } = request
  const answer = new AnswerRelay(context, client)
  const send = (body: readonly Uint8Array[] | null) =>
    answer.isWanted && answer.from(upstream, { method, path: url, headers: head.forward, body })

  client.readBody(limits.maxBodyBytes, (body) => {
    if (body === 'too large') answer.refuse(tooLarge(limits.maxBodyBytes))
    else if (url[0] !== '/') answer.refuse(badTarget(url))
    else if (!body || isOurs === false) send(body && [body])
    else if (!isModelCall(request)) stray(body)
    else if (isOurs === true) observed(body)
    else void isOurs.then((ours) => (ours ? observed(body) : send([body])))
  })

  /** A model call by a path other than the Messages API: it is forwarded, and the observer is told that there was one. */
  const stray = (body: Buffer) => {
    send([body])
    if (!mayAskModel(request, head) || !asksModel(body)) return
    const call = new Call(request, body, head, context.scans)
    void Promise.resolve(isOurs).then((ours) => ours && observer.stray?.(call))
  }

  const observed = (body: Buffer) => {
    const call = new Call(request, body, head, context.scans)
    answer.call = call
    prepareWithin(
      limits.prepareMs,
      // Compressed bytes cannot be edited in place.
      () => (call.contentEncoding === undefined ? observer.prepare?.(call) : undefined),
      () => answer.isWanted,
      (edited) => send(edited ?? [body]),
      (err) => log.warn({ err }, 'forwarding the request as it came'),
    )
  }
}

/** A Messages call, whatever stands before it: a base URL may have a path of its own. */
export function isModelCall({ method, url }: ClientRequest): boolean {
  if (method !== 'POST') return false
  const query = url.indexOf('?')
  return (query < 0 ? url : url.slice(0, query)).endsWith('/v1/messages')
}

/** A call of a client's session that goes elsewhere. Its tokens are counted there, and no answer is asked for. */
export function mayAskModel({ method, url }: ClientRequest, { sessionId }: RequestHead): boolean {
  return method === 'POST' && sessionId !== undefined && !url.includes('/count_tokens')
}

function asksModel(body: Buffer): boolean {
  const { keys } = scanRequest(body) ?? { keys: new Map() }
  return keys.has('model') && (keys.has('max_tokens') || keys.has('stream'))
}
