import type { Candidate, Category, Criterion, LearningStatus } from './learning.ts'
import type { Rejection } from './validate.ts'

/** One line of the stats log. */
export type StatsEvent = { at: number } & (
  | { type: 'surfaced' | 'dismissed'; learning: string; session: string }
  /** `how`: what showed that the agent used it. */
  | { type: 'referenced'; learning: string; session: string; how: string }
  | { type: 'corrected'; learning: string }
  | { type: 'archived' | 'restored'; learning: string; reason?: string }
  | { type: 'superseded'; learning: string; by: string }
  | { type: 'reflected'; session: string; accepted: Kept[]; rejected: Turned[]; ticket?: string }
  /** Nothing of what was handed in had the right shape; the reflection goes on. */
  | { type: 'rejected'; session: string; rejected: Turned[] }
  | { type: 'skipped'; session: string; reason: string; decider: string; lines?: number }
  | { type: 'tripped'; session: string }
)

/** An accepted candidate, as far as the stats care. */
export interface Kept {
  id: string
  category: Category
  criteria: Criterion[]
  /** The backends that took it, where these were several. */
  in?: string[]
}

/** A rejected candidate, and what it claimed. The log has only its summary; the store keeps it whole for a person. */
export interface Turned extends Rejection {
  criteria?: Criterion[]
  candidate?: Candidate
  /** As it was handed in, where it had not the right shape. */
  raw?: string
}

/** What the log adds up to. It can always be built again from the log. */
export interface Stats {
  learnings: Record<string, Usage>
  reflections: number
  accepted: Kept[]
  /** The newest ones, oldest first. */
  rejected: (Pick<Rejection, 'summary' | 'stage' | 'reasons'> & { at: number })[]
  /** `claiming`: candidates that claimed any criterion at all. */
  counts: Record<'produced' | 'claiming' | 'accepted' | 'rejected' | 'skipped' | 'tripped', number>
  /** How many candidates claimed each criterion. */
  claims: Partial<Record<Criterion, number>>
  skips: Record<string, number>
  lastAt: number
}

/** How one learning fared. */
export interface Usage {
  surfaced: number
  referenced: number
  dismissed: number
  corrected: number
  /** 0 before it was ever shown. */
  firstSurfacedAt: number
  lastSurfacedAt: number
  lastReferencedAt: number
  /** What was last decided about it; a later decision wins, whatever the order in the file. */
  status?: LearningStatus
  statusAt: number
  supersededBy?: string
  /** The backends that took it, where these were several. */
  keptIn?: string[]
}

export const NO_STATS: Stats = {
  learnings: {},
  reflections: 0,
  accepted: [],
  rejected: [],
  counts: { produced: 0, claiming: 0, accepted: 0, rejected: 0, skipped: 0, tripped: 0 },
  claims: {},
  skips: {},
  lastAt: 0,
}

const NO_USAGE: Usage = {
  surfaced: 0,
  referenced: 0,
  dismissed: 0,
  corrected: 0,
  firstSurfacedAt: 0,
  lastSurfacedAt: 0,
  lastReferencedAt: 0,
  statusAt: 0,
}

/** Insights look at so many of the newest; the sums go back to the beginning. */
const REMEMBERED = 1000

/** Adds events to what is known so far. */
export function addEvents(stats: Stats, events: Iterable<StatsEvent>): Stats {
  const sum: Stats = structuredClone(stats)
  for (const event of events) {
    sum.lastAt = Math.max(sum.lastAt, event.at)
    if ('learning' in event) noteUsage(usageIn(sum, event.learning), event)
    else noteGate(sum, event)
  }
  sum.accepted = sum.accepted.slice(-REMEMBERED)
  sum.rejected = sum.rejected.slice(-REMEMBERED)
  return sum
}

/** A name in a log may be anything, also the name of something every object has. */
function usageIn({ learnings }: Stats, id: string): Usage {
  if (!Object.hasOwn(learnings, id)) learnings[id] = { ...NO_USAGE }
  return learnings[id]!
}

function noteUsage(usage: Usage, event: Extract<StatsEvent, { learning: string }>) {
  switch (event.type) {
    case 'surfaced':
      usage.surfaced++
      usage.firstSurfacedAt = Math.min(usage.firstSurfacedAt || event.at, event.at)
      usage.lastSurfacedAt = Math.max(usage.lastSurfacedAt, event.at)
      return
    case 'referenced':
      usage.referenced++
      usage.lastReferencedAt = Math.max(usage.lastReferencedAt, event.at)
      return
    case 'dismissed':
      usage.dismissed++
      return
    case 'corrected':
      usage.corrected++
      return
    default:
      if (event.at < usage.statusAt) return
      usage.statusAt = event.at
      usage.status = event.type === 'restored' ? 'active' : event.type
      if (event.type === 'superseded') usage.supersededBy = event.by
  }
}

function noteGate(sum: Stats, event: Exclude<StatsEvent, { learning: string }>) {
  if (event.type === 'tripped') {
    sum.counts.tripped++
    return
  }
  if (event.type === 'skipped') {
    sum.counts.skipped++
    sum.skips[event.decider] = (sum.skips[event.decider] ?? 0) + 1
    return
  }
  const { rejected, at } = event
  const accepted = event.type === 'reflected' ? event.accepted : []
  if (event.type === 'reflected') sum.reflections++
  sum.counts.produced += accepted.length + rejected.length
  sum.counts.accepted += accepted.length
  sum.counts.rejected += rejected.length
  sum.accepted.push(...accepted)
  for (const { id, in: keptIn } of accepted) if (keptIn) usageIn(sum, id).keptIn = keptIn
  sum.rejected.push(...rejected.map(({ summary, stage, reasons }) => ({ summary, stage, reasons, at })))
  for (const { criteria = [] } of [...accepted, ...rejected]) {
    if (criteria.length > 0) sum.counts.claiming++
    for (const criterion of criteria) sum.claims[criterion] = (sum.claims[criterion] ?? 0) + 1
  }
}

/** What two logs say about learnings: a person may have corrected for themselves what the team shares. */
export function joinUsages(a: Stats, b: Stats): Stats['learnings'] {
  const more = Object.entries(b.learnings)
  if (more.length === 0) return a.learnings
  const both = more.map(([id, usage]): [string, Usage] => {
    const known = usageOf(a, id)
    return [id, known ? joined(known, usage) : usage]
  })
  return { ...a.learnings, ...Object.fromEntries(both) }
}

function joined(a: Usage, b: Usage): Usage {
  const keptIn = a.keptIn ?? b.keptIn
  const first = [a.firstSurfacedAt, b.firstSurfacedAt].filter((at) => at > 0)
  return {
    // What was decided last counts, with all that was said about it.
    ...(b.statusAt > a.statusAt ? b : a),
    ...(keptIn && { keptIn }),
    surfaced: a.surfaced + b.surfaced,
    referenced: a.referenced + b.referenced,
    dismissed: a.dismissed + b.dismissed,
    corrected: a.corrected + b.corrected,
    firstSurfacedAt: first.length > 0 ? Math.min(...first) : 0,
    lastSurfacedAt: Math.max(a.lastSurfacedAt, b.lastSurfacedAt),
    lastReferencedAt: Math.max(a.lastReferencedAt, b.lastReferencedAt),
  }
}

/** How a learning fared; undefined when nothing happened to it yet. */
export function usageOf({ learnings }: Stats, id: string): Usage | undefined {
  return Object.hasOwn(learnings, id) ? learnings[id] : undefined
}

/** How often a learning was used when it was shown; undefined before it was ever shown. */
export function hitRate(usage: Usage | undefined): number | undefined {
  if (!usage || usage.surfaced === 0) return undefined
  return Math.min(1, usage.referenced / usage.surfaced)
}

/** Since when a learning is there. One that a person wrote without a date is as old as its first showing. */
export function bornAt({ at }: { at: number }, usage: Usage | undefined, now: number): number {
  return at || usage?.firstSurfacedAt || now
}

/** What became of a learning: a person's word in the file wins over the log, and a change that came later too. */
export function statusOf(
  learning: { id: string; status: LearningStatus; changedAt?: number },
  stats: Stats,
): LearningStatus {
  if (learning.status !== 'active') return learning.status
  const usage = usageOf(stats, learning.id)
  const isNewer = learning.changedAt !== undefined && learning.changedAt > (usage?.statusAt ?? 0)
  return isNewer && usage?.status === 'archived' ? 'active' : (usage?.status ?? 'active')
}
