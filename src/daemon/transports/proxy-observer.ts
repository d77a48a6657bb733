import type { ProxyObserver } from '#proxy/observe/observer.ts'
import type { ModelCall } from '#supervisor/call.ts'
import type { Supervisor } from '#supervisor/supervisor.ts'

interface ObserverOptions {
  /** Whether the calls of a session are not tracked as work: those of a run that reads, reviews or judges. */
  isUnwatched?(sessionId: string): boolean
  /** Told when a limit of the API ends that was just reached. */
  limited?(until: number): void
}

/** The supervisor, as the proxy sees it. */
export function proxyObserver(
  supervisor: Supervisor,
  { isUnwatched = () => false, limited }: ObserverOptions = {},
): ProxyObserver {
  /** By the time of its answer the run may be over. */
  const passed = new WeakSet<ModelCall>()
  return {
    prepare(call) {
      if (call.sessionId === undefined || !isUnwatched(call.sessionId)) return supervisor.prepare(call)
      passed.add(call)
      return undefined
    },
    // Not awaited: sessions are noted side by side, and the supervisor keeps each one's order.
    observe(turn) {
      if (!passed.has(turn.call)) void supervisor.observe(turn)
    },
    stray: (call) => supervisor.stray(call),
    ...(limited && { limited }),
  }
}
