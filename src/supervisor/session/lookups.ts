import type { SessionState } from './session-state.ts'

/** What was looked up in the team's memory last, so that it is not looked up twice. */
export interface Lookups {
  /** The beginning of the prompt that memories were looked up for: proxy and hooks report the same prompt. */
  readonly prompt?: string
  /** Files of earlier work with a like goal, for the instruction that they were looked up for. */
  readonly likeWork?: { readonly about: string; readonly files: readonly string[] }
}

export function noteLookedUp(session: SessionState, prompt: string): void {
  session.lookups = { ...session.lookups, prompt }
}

export function noteLikeWork(session: SessionState, about: string, files: readonly string[]): void {
  session.lookups = { ...session.lookups, likeWork: { about, files } }
}
