import { type Attachments, NOT_ATTACHED } from './attachments.ts'
import { type Deliveries, NO_DELIVERIES } from './deliveries.ts'
import { type Drift, NO_DRIFT } from './drift.ts'
import { type Injected, NOTHING_INJECTED } from './injected.ts'
import { type Judging, NOTHING_TO_JUDGE } from './judging.ts'
import type { Lookups } from './lookups.ts'
import type { Place } from './place.ts'
import { EMPTY_TRANSCRIPT, type Transcript } from './transcript.ts'
import { type ContextWindow, EMPTY_WINDOW } from './window.ts'
import { NO_WORK, type Work } from './work.ts'

/**
 * What Grove knows about one agent session between two events. One plain JSON value, kept in the store, so that a restart
 * or a hook process that runs without the daemon goes on where the last one stopped.
 *
 * Each slice is an immutable value, and is replaced only by the functions of the file that declares it.
 */
export interface SessionState {
  readonly sessionId: string
  /** Missing until the session's folder is known. */
  place?: Place
  work: Work
  drift: Drift
  deliveries: Deliveries
  injected: Injected
  window: ContextWindow
  judging: Judging
  transcript: Transcript
  lookups: Lookups
  attachments: Attachments
}

export function freshSessionState(sessionId: string): SessionState {
  return {
    sessionId,
    work: NO_WORK,
    drift: NO_DRIFT,
    deliveries: NO_DELIVERIES,
    injected: NOTHING_INJECTED,
    window: EMPTY_WINDOW,
    judging: NOTHING_TO_JUDGE,
    transcript: EMPTY_TRANSCRIPT,
    lookups: {},
    attachments: NOT_ATTACHED,
  }
}
