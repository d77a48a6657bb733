import type { Log } from '#core/ports/runtime.ts'

/** Trouble inside Grove must never stop the developer: log it, and answer as if Grove were not there. `doing` completes "could not …". */
export async function failOpen<T>(log: Log, doing: string, answer: T, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    log.warn({ err: error, doing }, `could not ${doing}; the agent goes on`)
    return answer
  }
}
