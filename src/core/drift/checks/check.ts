import { type DriftReason, NOT_ASKED_FOR } from '../explain.ts'
import type { DriftAction } from '../gist.ts'
import type { Proof } from '../recovery.ts'

export interface Check {
  /** The score is lowered by this much, and then is at most that. */
  lowers: number
  atMost: number
  reason: DriftReason
  proof?: Proof
  /** Too little to make anything of a reminder that was not heeded. */
  isGuess?: true
}

export function unasked(done: string): Check {
  return { lowers: 0, atMost: 6, reason: { why: `${NOT_ASKED_FOR} \`${done.trim()}\`` } }
}

export const LONGEST_SHOWN = 60

export function changedPath(action: DriftAction): string | undefined {
  return action.kind === 'edit' || action.kind === 'write' ? action.path : undefined
}
