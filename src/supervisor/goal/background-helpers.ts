import type { ModelCall } from '../call.ts'

/** A helper that has not asked for this long was stopped, or its end was missed. */
const SILENT_AFTER = 10 * 60_000

/**
 * Subagents that work in the background while the main thread has already ended its turn, as the proxy sees them: from
 * their first request until an answer without tool calls. Their task is not over before they are.
 */
export class BackgroundHelpers {
  readonly #askedAt = new Map<string, Map<string, number>>()

  noteRequest({ sessionId, agentId }: ModelCall, now: number): void {
    if (!sessionId || !agentId) return
    const helpers = this.#askedAt.get(sessionId) ?? new Map<string, number>()
    this.#askedAt.set(sessionId, helpers.set(agentId, now))
  }

  noteEnd(sessionId: string, agentId: string): void {
    const helpers = this.#askedAt.get(sessionId)
    helpers?.delete(agentId)
    if (helpers?.size === 0) this.#askedAt.delete(sessionId)
  }

  areAtWork(sessionId: string, now: number): boolean {
    const asked = [...(this.#askedAt.get(sessionId)?.values() ?? [])]
    return asked.some((at) => now - at < SILENT_AFTER)
  }

  forget(sessionId: string): void {
    this.#askedAt.delete(sessionId)
  }
}

/** Whether the client itself lists a helper that still runs, in what it tells at the end of a turn. */
export function listsRunningHelper(tasks: unknown): boolean {
  return (
    Array.isArray(tasks) &&
    tasks.some((task: { type?: unknown; status?: unknown }) => task?.type === 'subagent' && task.status === 'running')
  )
}
