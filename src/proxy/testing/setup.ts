import { type ProxyOptions, type RunningProxy, startProxy } from '../server.ts'
import { recordingLog, type WireUpstream, wireUpstream } from './wire.ts'

/** A proxy in front of a raw upstream, and all that must be closed after the test. */
export class Bench {
  readonly #open: { close(): Promise<void> }[] = []
  readonly log = recordingLog()

  async between(
    answer: Parameters<typeof wireUpstream>[0],
    options: Partial<ProxyOptions> = {},
  ): Promise<{ upstream: WireUpstream; proxy: RunningProxy }> {
    const upstream = await this.upstream(answer)
    return { upstream, proxy: await this.proxy({ target: upstream.url, ...options }) }
  }

  async upstream(answer: Parameters<typeof wireUpstream>[0]): Promise<WireUpstream> {
    const upstream = await wireUpstream(answer)
    this.#open.push(upstream)
    return upstream
  }

  async proxy(options: Partial<ProxyOptions> & Pick<ProxyOptions, 'target'>): Promise<RunningProxy> {
    const proxy = await startProxy({ host: '127.0.0.1', port: 0, log: this.log, ...options })
    this.#open.push({ close: () => proxy.close(0) })
    return proxy
  }

  async close(): Promise<void> {
    for (const one of this.#open.splice(0).reverse()) await one.close()
    this.log.lines.length = 0
  }
}

/** Waits until something is so; the test's own time limit is the only clock. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}
