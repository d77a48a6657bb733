import type { Closing } from '#core/goal/closing.ts'
import { pushBounded } from './bounded.ts'
import type { SessionState } from './session-state.ts'

/** What the agent said, as far as the proxy and the client's transcript have shown it. */
export interface Transcript {
  /** How far the client's transcript file has been read. */
  readonly file?: { readonly path: string; readonly offset: number }
  /** The newest answers that the proxy has seen, by message id: the transcript shows them again, later. */
  readonly answers: readonly string[]
  readonly lastWords: string
  /** Whether a person sits before the client; missing until it has said so. */
  readonly attended?: boolean
  readonly turn: Turn
}

/** Proxy and hook both report the words that end a turn; they are kept until something else happens. */
export type Turn =
  | { readonly status: 'open' }
  | { readonly status: 'closed'; readonly words: string; readonly reads: Closing }

export const EMPTY_TRANSCRIPT: Transcript = { answers: [], lastWords: '', turn: { status: 'open' } }

const ANSWERS = 50
const WORDS = 4000

export function noteFileRead(session: SessionState, path: string, offset: number): void {
  session.transcript = { ...session.transcript, file: { path, offset } }
}

export function noteAnswer(session: SessionState, messageId: string): void {
  const answers = pushBounded(session.transcript.answers, messageId, ANSWERS)
  session.transcript = { ...session.transcript, answers }
}

export function noteWords(session: SessionState, text: string): void {
  if (text !== '') session.transcript = { ...session.transcript, lastWords: text.slice(-WORDS) }
}

export function noteAttended(session: SessionState, attended: boolean): void {
  if (session.transcript.attended !== attended) session.transcript = { ...session.transcript, attended }
}

export function closeTurn(session: SessionState, words: string, reads: Closing): void {
  session.transcript = { ...session.transcript, turn: { status: 'closed', words, reads } }
}

export function openTurn(session: SessionState): void {
  if (session.transcript.turn.status === 'closed')
    session.transcript = { ...session.transcript, turn: { status: 'open' } }
}
