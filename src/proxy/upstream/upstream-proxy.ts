import { buildConnector, type Dispatcher, EnvHttpProxyAgent } from 'undici'
import { skipContinue } from '../client/skip-100-continue.ts'
import type { AnswerHandler, OutgoingRequest } from '../http1/client.ts'
import type { Connecting } from '../http1/connect.ts'
import type { LoopWatch, UpstreamOptions } from './upstream.ts'

const MAX_HEADER_BYTES = 64 * 1024

/** The way to the API through the proxy that HTTPS_PROXY names. */
export class UpstreamProxy {
  readonly #agent: Dispatcher

  constructor(
    private readonly options: UpstreamOptions,
    connecting: Connecting,
    keepAliveMs: number,
    own: LoopWatch,
  ) {
    const { httpsProxy = '', noProxy = '', headersMs, idleMs } = options
    const connect = buildConnector(connecting)
    // An empty httpProxy keeps undici from looking into the environment: configuration is read in one place only.
    this.#agent = new EnvHttpProxyAgent({
      connect: (place: buildConnector.Options, callback: buildConnector.Callback) =>
        connect(place, (error, socket) => {
          if (error) return callback(error, null)
          own.note(socket)
          skipContinue(socket)
          callback(null, socket)
        }),
      headersTimeout: headersMs,
      bodyTimeout: idleMs,
      keepAliveTimeout: keepAliveMs,
      maxHeaderSize: MAX_HEADER_BYTES,
      httpsProxy,
      httpProxy: '',
      noProxy,
      proxyTls: connecting as never,
      requestTls: connecting as never,
    })
  }

  dispatch({ method, path, headers, body }: OutgoingRequest, handler: AnswerHandler): void {
    this.#agent.dispatch(
      {
        origin: this.options.target.origin,
        method: method as Dispatcher.HttpMethod,
        path,
        headers: grouped(headers),
        body: body && Buffer.concat(body),
      },
      pausing(handler) as Dispatcher.DispatchHandler,
    )
  }

  destroy(): Promise<void> {
    return this.#agent.destroy()
  }
}

/** undici does not tell when it has told all that has arrived; that is so when this turn of the event loop is over. */
function pausing(handler: AnswerHandler): Omit<AnswerHandler, 'onPause'> {
  let isAwaited = false
  const pause = () => {
    isAwaited = false
    handler.onPause()
  }
  const awaitPause = () => {
    if (!isAwaited) process.nextTick(pause)
    isAwaited = true
  }
  return {
    onConnect: (abort) => handler.onConnect(abort),
    onHeaders(...head) {
      awaitPause()
      return handler.onHeaders(...head)
    },
    onData(bytes) {
      awaitPause()
      return handler.onData(bytes)
    },
    onComplete: () => handler.onComplete(),
    onError: (error) => handler.onError(error),
  }
}

/** undici's proxy agent takes only an object, and keeps several values of a name only as a list. */
function grouped(headers: readonly string[]): Record<string, string | string[]> {
  const groups: Record<string, string | string[]> = Object.create(null)
  for (let i = 0; i < headers.length; i += 2) {
    const [name, value] = [headers[i]!, headers[i + 1]!]
    const before = groups[name]
    groups[name] = before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value]
  }
  return groups
}
