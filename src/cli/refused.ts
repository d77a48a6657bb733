import { Trouble } from '#config/trouble.ts'
import type { Refusal } from '#protocol/api/refusal.ts'
import { isRefusal } from '#protocol/refusal.ts'

/** Unwraps a result: returns the value, or throws the refusal as a `Trouble`. */
export function orTrouble<T>(value: T): Exclude<T, Refusal> {
  if (isRefusal(value)) throw new Trouble(value.message, value.suggestion)
  return value as Exclude<T, Refusal>
}
