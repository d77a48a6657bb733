import { NO_INTENT } from '#core/intent/approval.ts'

/** What a request is for, as people read it. */
export function askedFor(intentId: string): string {
  return intentId === NO_INTENT ? 'work without an intent' : intentId
}
