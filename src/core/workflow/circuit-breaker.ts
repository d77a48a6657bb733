/**
 * Stops a run that no longer gets anywhere, before it has cost much. What counts is what happened, spawn by spawn; CLOSED
 * lets go on, HALF_OPEN asks a person, OPEN halts until a person resets it.
 */
export type BreakerState = 'CLOSED' | 'HALF_OPEN' | 'OPEN'

export interface Breaker {
  state: BreakerState
  noChangeSpawns: number
  testOnlyInARow: number
  lastError: string
  sameErrorSpawns: number
  lastOutputLength: number
}

export interface SpawnOutcome {
  filesChanged: number
  /** What went wrong, in a form in which the same trouble is the same text; empty when nothing did. */
  error: string
  testOnly: boolean
  outputLength: number
  confidence: number
  /** It ended with an explicit report: a step done, a question, a completion. Then nothing is guessed from its form. */
  reported: boolean
}

export interface BreakerDecision {
  breaker: Breaker
  /** Why the state changed; null when it did not. */
  trigger: BreakerTrigger | null
  context: string
  /** Worth telling, and nothing more. */
  warning: string | null
}

export type BreakerTrigger =
  | 'no_file_changes'
  | 'same_error'
  | 'declining_output'
  | 'low_confidence'
  | 'user_intervention'

export const CLOSED: Breaker = {
  state: 'CLOSED',
  noChangeSpawns: 0,
  testOnlyInARow: 0,
  lastError: '',
  sameErrorSpawns: 0,
  lastOutputLength: 0,
}

const NO_CHANGE = 3
const SAME_ERROR = 5
const TEST_ONLY = 3
/** So much shorter than the answer before. */
const DECLINE = 0.7
const LOW_CONFIDENCE = 50

/** What one more spawn means for the breaker. The worst trigger wins. */
export function afterSpawn(breaker: Breaker, spawn: SpawnOutcome): BreakerDecision {
  const counted: Breaker = {
    state: breaker.state,
    noChangeSpawns: spawn.filesChanged > 0 || spawn.reported ? 0 : breaker.noChangeSpawns + 1,
    testOnlyInARow: spawn.testOnly ? breaker.testOnlyInARow + 1 : 0,
    lastError: spawn.error,
    sameErrorSpawns: spawn.error === '' ? 0 : spawn.error === breaker.lastError ? breaker.sameErrorSpawns + 1 : 1,
    lastOutputLength: spawn.outputLength,
  }
  const warning =
    counted.testOnlyInARow >= TEST_ONLY
      ? `${counted.testOnlyInARow} runs in a row only ran tests; no work of the plan was done.`
      : null
  const unchanged = { breaker: counted, trigger: null, context: '', warning }
  if (breaker.state === 'OPEN') return unchanged
  if (counted.sameErrorSpawns >= SAME_ERROR) {
    const context = `The same error in ${counted.sameErrorSpawns} runs in a row: ${spawn.error}`
    return { breaker: { ...counted, state: 'OPEN' }, trigger: 'same_error', context, warning }
  }
  const half = (trigger: BreakerTrigger, context: string): BreakerDecision => ({
    breaker: { ...counted, state: 'HALF_OPEN' },
    trigger,
    context,
    warning,
  })
  if (counted.noChangeSpawns >= NO_CHANGE) {
    return half('no_file_changes', `${counted.noChangeSpawns} runs in a row changed no file.`)
  }
  if (spawn.reported) return unchanged
  if (breaker.lastOutputLength > 0 && spawn.outputLength <= breaker.lastOutputLength * (1 - DECLINE)) {
    return half(
      'declining_output',
      `The last answer has ${spawn.outputLength} characters, the one before ${breaker.lastOutputLength}.`,
    )
  }
  if (spawn.confidence < LOW_CONFIDENCE) {
    return half('low_confidence', 'The last answer does not make clear whether the work continues.')
  }
  return unchanged
}

/** A person has reset it: counting begins at zero. */
export function resetBreaker(breaker: Breaker): BreakerDecision {
  return {
    breaker: { ...CLOSED, lastOutputLength: 0 },
    trigger: breaker.state === 'CLOSED' ? null : 'user_intervention',
    context: 'A person has looked at it.',
    warning: null,
  }
}
