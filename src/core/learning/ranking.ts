import type { FoundLearning } from './query.ts'
import { bornAt, hitRate, type Stats, type Usage, usageOf } from './stats.ts'

export type Strategy = 'conservative' | 'moderate' | 'aggressive'

export interface RetrievalSettings {
  maxInjections: number
  strategy: Strategy
}

/** A learning chosen to be shown, with the score it was chosen by. */
export interface Ranked extends FoundLearning {
  score: number
}

interface Rule {
  /** The base score of a learning that matches nothing in particular: it is still about this project. */
  floor: number
  /** Below this a learning is not shown. */
  least: number
  /** At most so many that fit nothing in particular. */
  fillers: number
}

const RULES: Record<Strategy, Rule> = {
  conservative: { floor: 0, least: 0.12, fillers: 0 },
  moderate: { floor: 0.2, least: 0.02, fillers: 1 },
  aggressive: { floor: 0.3, least: 0, fillers: 1 },
}

/** The learnings to show, best first: relevance × recency × hit rate. */
export function choose(
  found: readonly FoundLearning[],
  stats: Stats,
  now: number,
  settings: RetrievalSettings,
): Ranked[] {
  const { floor, least, fillers } = RULES[settings.strategy]
  const ranked = found
    .map(({ learning, relevance }) => {
      const usage = usageOf(stats, learning.id)
      const worth = Math.max(relevance, floor)
      return {
        learning,
        relevance,
        score: worth * recency(bornAt(learning, usage, now), usage, now) * usefulness(usage),
      }
    })
    // Personal learnings come from any project of the user, and so are shown only where they fit.
    .filter(({ learning, relevance }) => learning.scope !== 'personal' || relevance >= FITS)
    .filter(({ score }) => score > 0 && score >= least)
    .sort((a, b) => b.score - a.score || b.learning.at - a.learning.at || (a.learning.id < b.learning.id ? -1 : 1))
  const fitting = ranked.filter(({ relevance }) => relevance >= FITS)
  const others = ranked.filter(({ relevance }) => relevance < FITS).slice(0, fillers)
  return [...fitting, ...others].slice(0, settings.maxInjections)
}

/** From here on a learning is about the work at hand, not only about the project. */
const FITS = 0.15

const DAY = 24 * 60 * 60 * 1000
const HALF_LIFE = 45 * DAY
const OLDEST = 0.25

/** From 1 for what is new or was just used, down to a quarter: old knowledge may still be right. */
function recency(at: number, usage: Usage | undefined, now: number): number {
  const age = Math.max(0, now - Math.max(at, usage?.lastReferencedAt ?? 0))
  return OLDEST + (1 - OLDEST) * 2 ** (-age / HALF_LIFE)
}

/** The hit rate, careful while little is known: unseen ones count half. */
function usefulness(usage: Usage | undefined): number {
  if (!usage) return 0.5
  return (usage.surfaced * (hitRate(usage) ?? 0) + 1) / (usage.surfaced + 2)
}
