import type { Store } from '#core/ports/store.ts'
import { dayOf } from '#core/text/day.ts'
import type { InsightDay } from '#protocol/api/insights.ts'
import { SLOTS } from '#supervisor/state-slots.ts'
import { fewAtATime } from './few-at-a-time.ts'

const DAY = 86_400_000
const NEWEST_SESSIONS = 1_000
const NEWEST = 500

type Counted = Pick<
  Store,
  'sessions' | 'steps' | 'driftEvents' | 'injections' | 'turns' | 'memories' | 'memoryUses' | 'states'
>

/** When candidates passed the write gate, and when they did not. */
export interface GateTimes {
  learned: number[]
  turnedDown: number[]
}

/** What happened on each of the last days, counted from what the store still keeps. */
export async function insightDays(
  store: Counted,
  { days, project, now, gate }: { days: number; project?: string | undefined; now: number; gate?: GateTimes },
): Promise<InsightDay[]> {
  const first = now - (days - 1) * DAY
  const byDay = new Map(
    Array.from({ length: days }, (_, index) => dayOf(first + index * DAY)).map((day) => [day, emptyDay(day)]),
  )
  const recent = await store.sessions.recent(NEWEST_SESSIONS)
  const sessions = recent.filter(
    ({ lastSeenAt, projectId }) => lastSeenAt >= first - DAY && (project === undefined || projectId === project),
  )
  await fewAtATime(sessions, async ({ id, lastSeenAt }) => {
    const [steps, drift, injections, totals, uses] = await Promise.all([
      store.steps.recent(id, NEWEST),
      store.driftEvents.ofSession(id, NEWEST),
      store.injections.ofSession(id, NEWEST),
      store.turns.totals(id),
      store.memoryUses.ofSession(id),
    ])
    const last = byDay.get(dayOf(lastSeenAt))
    if (last) {
      last.sessions++
      last.tokens += totals.input + totals.output + totals.cacheRead + totals.cacheWrite
    }
    for (const { shownAt, usedAt } of uses) {
      add(byDay, shownAt, (day) => {
        day.memoriesShown++
        if (usedAt !== undefined) day.memoriesUsed++
      })
    }
    for (const { at } of steps) add(byDay, at, (day) => day.actions++)
    for (const { at, recovered } of drift) {
      add(byDay, at, (day) => {
        day.drifted++
        if (recovered) day.recovered++
      })
    }
    for (const { at, tokens } of injections) {
      add(byDay, at, (day) => {
        day.injections++
        day.injectedTokens += tokens
      })
    }
  })
  for (const { createdAt } of await store.memories.list(project, { limit: NEWEST })) {
    add(byDay, createdAt, (day) => day.memories++)
  }
  for (const at of gate?.learned ?? []) add(byDay, at, (day) => day.learned++)
  for (const at of gate?.turnedDown ?? []) add(byDay, at, (day) => day.turnedDown++)
  for (const day of byDay.values()) {
    day.judgeCostUsd = (await store.states.get(SLOTS.judgeCost, `day:${day.day}`)) ?? 0
  }
  return [...byDay.values()]
}

function add(days: Map<string, InsightDay>, at: number, change: (day: InsightDay) => void): void {
  const day = days.get(dayOf(at))
  if (day) change(day)
}

function emptyDay(day: string): InsightDay {
  const none = { sessions: 0, actions: 0, drifted: 0, recovered: 0, injections: 0, injectedTokens: 0 }
  const memory = { memories: 0, memoriesShown: 0, memoriesUsed: 0 }
  return { day, ...none, ...memory, tokens: 0, learned: 0, turnedDown: 0, judgeCostUsd: 0 }
}
