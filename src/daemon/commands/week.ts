import type { Memory } from '#core/memory/memory.ts'
import type { Store } from '#core/ports/store.ts'
import { dayOf } from '#core/text/day.ts'
import { sessionResults } from '#supervisor/session-results.ts'
import { SLOTS } from '#supervisor/state-slots.ts'

/** What Grove contributed in the last seven days, counted from the store. */
export interface Week {
  /** Memories that were put before agents, and what that cost. */
  recalled: { memories: number; used: number; tokens: number }
  /** What the sessions cost that produced the memories which were used. */
  spentBefore: number
  /** Corrections, and those after which the session finished what was asked. */
  corrected: { times: number; finishedAfter: number }
  stoppedWrites: number
  finished: Finished[]
}

/** A piece of finished work, and what Grove contributed to it. */
export interface Finished {
  goal: string
  project: string
  outcome: Memory['status']
  recalled: number
  corrected: number
  stopped: number
  at: number
}

const DAY = 86_400_000
const DAYS = 7

export async function weekOf(store: Store, now: number): Promise<Week> {
  const week: Week = {
    recalled: { memories: 0, used: 0, tokens: 0 },
    spentBefore: 0,
    corrected: { times: 0, finishedAfter: 0 },
    stoppedWrites: await stoppedIn(store, now),
    finished: [],
  }
  const usedIds = new Set<string>()
  for (const yielded of await sessionResults(store, now - DAYS * DAY)) {
    const { project, memory, uses, recallTokens, corrections, stoppedWrites: stopped } = yielded
    const used = uses.filter(({ usedAt }) => usedAt !== undefined)
    for (const { memoryId } of used) usedIds.add(memoryId)
    week.recalled.memories += uses.length
    week.recalled.used += used.length
    week.recalled.tokens += recallTokens
    week.corrected.times += corrections
    if (memory?.status === 'complete') week.corrected.finishedAfter += corrections
    if (memory) {
      const { goal, status: outcome, createdAt: at } = memory
      week.finished.push({ goal, project, outcome, recalled: uses.length, corrected: corrections, stopped, at })
    }
  }
  for (const { sessionId } of await store.memories.byIds([...usedIds])) {
    const { input, output, cacheRead, cacheWrite } = await store.turns.totals(sessionId ?? '')
    week.spentBefore += input + output + cacheRead + cacheWrite
  }
  return week
}

async function stoppedIn({ states }: Store, now: number): Promise<number> {
  const days = Array.from({ length: DAYS }, (_, at) => dayOf(now - at * DAY))
  const counts = await Promise.all(days.map((day) => states.get(SLOTS.stoppedWrites, day)))
  return counts.reduce<number>((sum, count) => sum + (count ?? 0), 0)
}
