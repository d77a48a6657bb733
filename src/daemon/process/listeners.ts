import { join } from 'node:path'
import type { Config } from '#config/config.ts'
import { pathsOf } from '#config/paths.ts'
import { type Holder, holderOf } from './lock.ts'

/** What a daemon process listens for: requests to forward, browsers, or both. */
export interface Listeners {
  proxy: boolean
  web: boolean
}

/** What listens on this home now, and which process it is. */
export function runningListeners(config: Config): { proxy?: Holder; web?: Holder } {
  const { run } = pathsOf(config)
  const [proxy, web] = ['proxy', 'web'].map((listener) => holderOf(join(run, `${listener}.json`)))
  return { ...(proxy ? { proxy } : {}), ...(web ? { web } : {}) }
}
