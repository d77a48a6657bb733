import type { Config } from '#config/config.ts'
import { localUrlOf } from '#config/listening-address.ts'
import { pathsOf } from '#config/paths.ts'
import { version } from '#config/version.ts'
import type { Log } from '#core/ports/runtime.ts'
import { systemPeers } from '#exec/peers/peers.ts'
import type { ProxyObserver } from '#proxy/observe/observer.ts'
import { startProxy } from '#proxy/server.ts'
import { isLoopback } from '#server/authenticate.ts'
import { keysOf } from '#server/keys.ts'
import { homeToken, proofOf } from '#server/token.ts'
import { explainListenError } from './listen-error.ts'

export type Closer = () => Promise<void> | void

/** Opens the proxy and resolves to its URL. Without an observer it forwards and nothing else. */
export async function openProxy(
  config: Config,
  log: Log,
  closers: Closer[],
  observer: ProxyObserver = {},
): Promise<string> {
  const { proxy, allowedHosts } = config
  const { host, port, target, httpsProxy, noProxy } = proxy
  const token = knownToken(pathsOf(config).token)
  const peers = systemPeers()
  try {
    const running = await startProxy({
      host,
      port,
      target,
      log,
      version,
      observer,
      allowedHosts,
      ...(token && { prove: (ownPort: number, challenge: string) => proofOf(token, ownPort, challenge) }),
      admission: {
        key: token ? keysOf(token).proxy : '',
        isOurs: async (socket) => (await peers.ownerOf(socket)) === 'ours',
        isOpen: !isLoopback(host),
      },
      limits: {
        maxBodyBytes: proxy.bodyLimitMb * 1024 * 1024,
        connectMs: proxy.connectTimeoutSeconds * 1000,
        headersMs: proxy.headerTimeoutSeconds * 1000,
        idleMs: proxy.idleTimeoutSeconds * 1000,
      },
      ...(httpsProxy === undefined ? {} : { httpsProxy, noProxy: noProxy.join(',') }),
    })
    closers.push(() => running.close(proxy.drainSeconds * 1000))
    return localUrlOf({ host, port: running.port })
  } catch (error) {
    throw await explainListenError(error, { listener: 'proxy', host, port, env: 'PROXY_PORT' })
  }
}

/** On a full disk a token that was never written cannot be made; then no client can know one either. */
export function knownToken(file: string): string | undefined {
  try {
    return homeToken(file)
  } catch {
    return undefined
  }
}
