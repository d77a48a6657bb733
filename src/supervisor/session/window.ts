import type { SessionState } from './session-state.ts'

/** How full the model's context window is, and what is ready for when it is cleared. */
export interface ContextWindow {
  readonly tokens: number
  readonly size: number
  /** The model that is known to have the long window in this session, though its name does not say so. */
  readonly longModel?: string
  /** The user has been told that the window is filling. */
  readonly warned: boolean
  /** A judge's summary for the next CLEAR, asked for once per filling of the window. */
  readonly summary?: { readonly status: 'asked' } | { readonly status: 'ready'; readonly text: string }
}

export const EMPTY_WINDOW: ContextWindow = { tokens: 0, size: 200_000, warned: false }

export function noteUsage(session: SessionState, tokens: number, size: number): void {
  session.window = { ...session.window, tokens, size }
}

/** Names the model that has the long window, or says with undefined that none has. */
export function noteLongModel(session: SessionState, model: string | undefined): void {
  const { longModel: _, ...rest } = session.window
  session.window = { ...rest, ...(model !== undefined && { longModel: model }) }
}

export function noteWarned(session: SessionState, warned: boolean): void {
  if (session.window.warned !== warned) session.window = { ...session.window, warned }
}

export function noteSummaryAsked(session: SessionState): void {
  session.window = { ...session.window, summary: { status: 'asked' } }
}

export function keepSummary(session: SessionState, text: string): void {
  session.window = { ...session.window, summary: { status: 'ready', text } }
}

/** CLEAR has taken the older part out; the next answer tells how many tokens are left. */
export function emptyWindow(session: SessionState): void {
  const { summary: _, ...rest } = session.window
  session.window = { ...rest, tokens: 0 }
}
