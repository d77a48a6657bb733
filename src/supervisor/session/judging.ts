import type { SessionState } from './session-state.ts'

/** What only rules have read so far, and a model judge may see otherwise. */
export interface Judging {
  /** What rules took the newest instruction for, until a judge is asked about it. */
  readonly instruction?: 'new-work' | 'same-work'
  /** The agent ended a turn with words that did not end its task for the rules. */
  readonly closing: boolean
  /** An action looked doubtful to the rules. */
  readonly doubt: boolean
  readonly promptsSinceCheck: number
}

export const NOTHING_TO_JUDGE: Judging = { closing: false, doubt: false, promptsSinceCheck: 0 }

/** Counts a prompt; `instruction` is missing where there is nothing to judge about it. */
export function notePrompt(session: SessionState, instruction: Judging['instruction']): void {
  const { closing, promptsSinceCheck } = session.judging
  session.judging = {
    closing,
    doubt: false,
    promptsSinceCheck: promptsSinceCheck + 1,
    ...(instruction && { instruction }),
  }
}

export function noteUnjudgedClosing(session: SessionState, closing: boolean): void {
  session.judging = { ...session.judging, closing }
}

export function noteDoubt(session: SessionState): void {
  session.judging = { ...session.judging, doubt: true }
}

/** What the judge is to be asked now; it is not asked again. */
export function takeUnjudged(session: SessionState): Pick<Judging, 'instruction' | 'closing' | 'doubt'> {
  const { instruction, closing, doubt, promptsSinceCheck } = session.judging
  session.judging = { closing: false, doubt: false, promptsSinceCheck }
  return { closing, doubt, ...(instruction && { instruction }) }
}

/** Whether the judge is to look at the work again, which it does every so many prompts. */
export function takeDueCheck(session: SessionState, interval: number): boolean {
  if (session.judging.promptsSinceCheck < interval) return false
  session.judging = { ...session.judging, promptsSinceCheck: 0 }
  return true
}
