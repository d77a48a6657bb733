import type { ProxyObserver } from '#proxy/observer.ts'
import type { Supervisor } from '#supervisor/supervisor.ts'

/** The supervisor, as the proxy sees it. */
export function proxyObserver(supervisor: Supervisor, limited?: (until: number) => void): ProxyObserver {
  return {
    prepare: (call) => supervisor.prepare(call),
    // Not awaited: sessions are noted side by side, and the supervisor keeps each one's order.
    observe: (turn) => void supervisor.observe(turn),
    ...(limited && { limited }),
  }
}
