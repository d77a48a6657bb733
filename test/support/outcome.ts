import type { Outcome } from '../../src/core/ports/repository.ts'

/** What a call gave; fails with what went wrong. */
export function value<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(`${outcome.code}: ${outcome.message}\n${outcome.detail ?? ''}`)
  return outcome.value
}
