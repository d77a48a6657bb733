import { isObject } from '#protocol/json.ts'
import type { Injected } from './injected.ts'
import { freshSessionState, type SessionState } from './session-state.ts'

/** A stored state; what it lacks is as in a fresh one. Undefined for any other value, also one of an earlier shape. */
export function readSessionState(value: unknown): SessionState | undefined {
  if (!isObject(value) || !isObject(value.work)) return undefined
  const fresh = freshSessionState(typeof value.sessionId === 'string' ? value.sessionId : '')
  const slice = <Slice extends keyof SessionState>(name: Slice): SessionState[Slice] => {
    const kept = value[name]
    return isObject(kept) ? { ...(fresh[name] as object), ...(kept as SessionState[Slice] & object) } : fresh[name]
  }
  const place = slice('place')
  return {
    sessionId: fresh.sessionId,
    ...(place && { place }),
    work: slice('work'),
    drift: slice('drift'),
    deliveries: slice('deliveries'),
    injected: slice('injected'),
    window: slice('window'),
    judging: slice('judging'),
    transcript: slice('transcript'),
    lookups: slice('lookups'),
    attachments: slice('attachments'),
  }
}

/** What was injected into the conversation of a session that has ended. */
export function readInjected(value: unknown): Injected | undefined {
  return isObject(value) && Array.isArray(value.conversations) ? (value as unknown as Injected) : undefined
}
