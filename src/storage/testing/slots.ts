import type { Slot } from '#core/ports/state.ts'

/** A slot that takes anything and gives it back as it was stored. */
export function anySlot<T = unknown>(kind: string): Slot<T> {
  return { kind, read: (stored) => stored as T, life: { kept: 'a test removes it' } }
}

/** A number that many processes count up. */
export const countSlot = anySlot<number>('count')
