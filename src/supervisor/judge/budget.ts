import type { StateStore } from '#core/ports/state.ts'
import { dayOf } from '#core/text/day.ts'
import { SLOTS } from '../state-slots.ts'

/** What judges may cost, in dollars. */
export interface BudgetLimits {
  session: number
  day: number
}

/** Running costs of the judge per agent session and per day, kept in the store so that every process counts the same. */
export function budgetFor(states: StateStore, now: () => number, limits: BudgetLimits, sessionId: string) {
  const keys = () => ({ session: `session:${sessionId}`, day: `day:${dayOf(now())}` })
  return {
    async allows(): Promise<boolean> {
      const { session, day } = keys()
      return (await costAt(states, session)) < limits.session && (await costAt(states, day)) < limits.day
    },
    async spent(costUsd: number): Promise<void> {
      const { session, day } = keys()
      for (const key of [session, day]) {
        await states.update(SLOTS.judgeCost, key, now(), (before = 0) => before + costUsd)
      }
    },
  }
}

/** What the judge has cost in a session, and today in all. */
export async function judgeCost(states: StateStore, now: number, sessionId?: string) {
  const today = await costAt(states, `day:${dayOf(now)}`)
  return { today, ...(sessionId && { session: await costAt(states, `session:${sessionId}`) }) }
}

async function costAt(states: StateStore, key: string): Promise<number> {
  return (await states.get(SLOTS.judgeCost, key)) ?? 0
}
