import { Trouble } from '#config/trouble.ts'
import type { Refusal } from '#protocol/api/refusal.ts'
import { isRefusal } from '#protocol/refusal.ts'

/** The value, or the refusal as an error that says the way out. */
export function orTrouble<T>(value: T): Exclude<T, Refusal> {
  if (isRefusal(value)) throw new Trouble(value.message, value.suggestion)
  return value as Exclude<T, Refusal>
}
