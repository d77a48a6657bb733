import type { Learning } from './learning.ts'
import { bornAt, hitRate, type Stats, statusOf, usageOf } from './stats.ts'

export interface DecaySettings {
  passiveDurationDays: number
  immunityHitRate: number
}

const DAY = 24 * 60 * 60 * 1000

/** The active learnings that were not used for so long that they are set aside. */
export function fading(learnings: readonly Learning[], stats: Stats, now: number, settings: DecaySettings): Learning[] {
  return learnings.filter((learning) => {
    if (statusOf(learning, stats) !== 'active') return false
    const usage = usageOf(stats, learning.id)
    if ((hitRate(usage) ?? 0) >= settings.immunityHitRate) return false
    // A restored learning gets its time again.
    const lastAlive = Math.max(bornAt(learning, usage, now), usage?.lastReferencedAt ?? 0, usage?.statusAt ?? 0)
    return now - lastAlive > settings.passiveDurationDays * DAY
  })
}

/** Whether a day has passed since the last look; one that lies ahead was made by a clock that was wrong. */
export function isDecayDue(lastAt: number | undefined, now: number): boolean {
  return lastAt === undefined || now - lastAt >= DAY || lastAt > now
}
