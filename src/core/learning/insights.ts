import { similarity } from './duplicates.ts'
import { CATEGORIES, type Criterion, type Learning } from './learning.ts'
import { bornAt, type Stats, statusOf, usageOf } from './stats.ts'

/** Something worth changing, with what it is concluded from and what to do about it. */
export interface Finding {
  kind:
    | 'rubber-stamping'
    | 'gate-too-strict'
    | 'gate-too-loose'
    | 'category-never-helps'
    | 'stale-area'
    | 'mostly-skipped'
    | 'agents-give-up'
  what: string
  recommendation: string
}

/** The figures behind the findings. */
export interface InsightReport {
  learnings: { active: number; archived: number; superseded: number }
  reflections: number
  candidates: { produced: number; accepted: number; rejected: number }
  skipped: number
  tripped: number
  surfaced: number
  referenced: number
  /** Undefined before anything was shown. */
  hitRate?: number
  byCategory: { category: string; learnings: number; surfaced: number; referenced: number }[]
  /** Candidates that were turned down lately, newest first, and why. */
  turnedDown: Stats['rejected']
  /** Those that were used most when they were shown, and those that were shown and never used. */
  best: LearningUse[]
  worst: LearningUse[]
  findings: Finding[]
}

/** How often one learning was shown and used. */
export interface LearningUse {
  id: string
  summary: string
  surfaced: number
  referenced: number
}

const MOST_FARED = 5
const ENOUGH_TO_BLAME = 3

// Fewer cases than these say nothing.
const ENOUGH_CANDIDATES = 10
const ENOUGH_SHOWN = 10
const ENOUGH_ENDINGS = 8
const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR
const STALE_AFTER = 60 * DAY
const ENOUGH_IN_AREA = 3
const SHOWN_REJECTED = 20

/** What the log says about how well learning works here. */
export function insights(learnings: readonly Learning[], stats: Stats, now: number): InsightReport {
  const active = learnings.filter((learning) => statusOf(learning, stats) === 'active')
  const used = sumUsage(learnings, stats)
  const { counts } = stats
  const rate = used.surfaced > 0 ? used.referenced / used.surfaced : undefined
  const byCategory = CATEGORIES.map((category) => {
    const own = learnings.filter((learning) => learning.category === category)
    return { category, learnings: own.length, ...sumUsage(own, stats) }
  })
  const count = (status: Learning['status']) => learnings.filter((one) => statusOf(one, stats) === status).length
  return {
    learnings: { active: active.length, archived: count('archived'), superseded: count('superseded') },
    reflections: stats.reflections,
    candidates: { produced: counts.produced, accepted: counts.accepted, rejected: counts.rejected },
    skipped: counts.skipped,
    tripped: counts.tripped,
    ...used,
    ...(rate !== undefined && { hitRate: rate }),
    byCategory,
    turnedDown: stats.rejected.slice(-SHOWN_REJECTED).reverse(),
    ...extremes(active, stats),
    findings: [
      ...rubberStamping(stats),
      ...tooStrict(learnings, stats),
      ...tooLoose(stats, used, rate),
      ...uselessCategories(active, stats),
      ...staleAreas(active, stats, now),
      ...endings(stats),
    ],
  }
}

function extremes(active: readonly Learning[], stats: Stats): { best: LearningUse[]; worst: LearningUse[] } {
  const uses = active.map(({ id, summary }): LearningUse => {
    const { surfaced = 0, referenced = 0 } = usageOf(stats, id) ?? {}
    return { id, summary, surfaced, referenced }
  })
  const used = uses.filter(({ referenced }) => referenced > 0)
  const unused = uses.filter(({ surfaced, referenced }) => referenced === 0 && surfaced >= ENOUGH_TO_BLAME)
  return {
    best: used.sort((a, b) => b.referenced - a.referenced || a.surfaced - b.surfaced).slice(0, MOST_FARED),
    worst: unused.sort((a, b) => b.surfaced - a.surfaced).slice(0, MOST_FARED),
  }
}

function sumUsage(learnings: readonly { id: string }[], stats: Stats): { surfaced: number; referenced: number } {
  const used = learnings.flatMap(({ id }) => usageOf(stats, id) ?? [])
  return {
    surfaced: used.reduce((sum, { surfaced }) => sum + surfaced, 0),
    referenced: used.reduce((sum, { referenced }) => sum + referenced, 0),
  }
}

/** One criterion is claimed for nearly everything, and what was kept because of it is hardly used. */
function rubberStamping(stats: Stats): Finding[] {
  const { claiming } = stats.counts
  if (claiming < ENOUGH_CANDIDATES) return []
  return (Object.entries(stats.claims) as [Criterion, number][]).flatMap(([criterion, claims]) => {
    const share = claims / claiming
    const kept = stats.accepted.filter(({ criteria }) => criteria.includes(criterion))
    const { surfaced, referenced } = sumUsage(kept, stats)
    const rate = referenced / surfaced
    // Before they were shown, nothing can be said about their use.
    if (share < 0.9 || surfaced < ENOUGH_SHOWN || rate >= 0.3) return []
    return [
      {
        kind: 'rubber-stamping' as const,
        what: `${percent(share)} of all candidates claim ${criterion}, but when they were shown, ${few(rate)} were used.`,
        recommendation: `Tell agents what ${criterion} means here, for example in CLAUDE.md, or let them skip more often.`,
      },
    ]
  })
}

function tooStrict(learnings: readonly Learning[], { counts, rejected }: Stats): Finding[] {
  const later = rejected.filter(({ summary, at, stage }) => {
    if (stage === 'duplicate' || summary === '') return false
    const topic = { summary, detail: '', tags: [] }
    // One that comes back repaired at once is the gate at work.
    const later = learnings.filter((learning) => learning.at > at + HOUR)
    return later.some((learning) => similarity(topic, { ...learning, detail: '' }) >= 0.6)
  })
  if (later.length >= 2) {
    return [
      {
        kind: 'gate-too-strict',
        what: `${later.length} topics were turned down first and kept later, such as "${later[0]!.summary}".`,
        recommendation: 'The write gate may be too strict; `grove insights --json` lists the reasons.',
      },
    ]
  }
  const turned = rejected.filter(({ stage }) => stage !== 'duplicate').length
  if (counts.produced < ENOUGH_CANDIDATES || turned / counts.produced < 0.6) return []
  return [
    {
      kind: 'gate-too-strict',
      what: `${percent(turned / counts.produced)} of all candidates were turned down for their shape or their claims.`,
      recommendation: 'Show agents an accepted learning as an example, for instance in CLAUDE.md.',
    },
  ]
}

function tooLoose({ counts }: Stats, { surfaced }: { surfaced: number }, rate: number | undefined): Finding[] {
  if (counts.produced < ENOUGH_CANDIDATES || surfaced < ENOUGH_SHOWN || rate === undefined) return []
  const accepted = counts.accepted / counts.produced
  if (accepted < 0.95 || rate >= 0.2) return []
  return [
    {
      kind: 'gate-too-loose',
      what: `${percent(accepted)} of all candidates were kept, but when they were shown, ${few(rate)} were used.`,
      recommendation:
        'Show fewer: set retrieval.strategy to "conservative", and shorten decay.passive_duration_days so that unused ones go sooner.',
    },
  ]
}

/** Of those that are still shown: what was archived needs no advice. */
function uselessCategories(active: readonly Learning[], stats: Stats): Finding[] {
  return CATEGORIES.flatMap((category) => {
    const own = active.filter((learning) => learning.category === category)
    const { surfaced, referenced } = sumUsage(own, stats)
    if (surfaced < ENOUGH_SHOWN || referenced > 0) return []
    return [
      {
        kind: 'category-never-helps' as const,
        what: `Learnings of the category ${category} were shown ${surfaced} times and never used.`,
        recommendation: `Look through them with \`grove learnings list --category ${category}\`, and archive what is common knowledge.`,
      },
    ]
  })
}

/** Parts of the project with several learnings, none of which was used for long. */
function staleAreas(active: readonly Learning[], stats: Stats, now: number): Finding[] {
  const areas = new Map<string, Learning[]>()
  for (const learning of active) {
    const folders = new Set(learning.contextFiles.map((file) => file.split('/').slice(0, -1).slice(0, 2).join('/')))
    for (const area of [...folders].filter(Boolean)) areas.set(area, [...(areas.get(area) ?? []), learning])
  }
  return [...areas].flatMap(([area, own]) => {
    const lastUses = own.map((learning) => {
      const usage = usageOf(stats, learning.id)
      return Math.max(bornAt(learning, usage, now), usage?.lastReferencedAt ?? 0)
    })
    const lastUse = Math.max(...lastUses)
    if (own.length < ENOUGH_IN_AREA || now - lastUse < STALE_AFTER) return []
    return [
      {
        kind: 'stale-area' as const,
        what: `None of the ${own.length} learnings about ${area} has been used for ${Math.floor((now - lastUse) / DAY)} days.`,
        recommendation: `Check whether ${area} still works as they say; archive what is outdated.`,
      },
    ]
  })
}

/** How asking for a reflection usually ends. What a rule lets pass was never asked about. */
function endings({ counts, reflections, skips }: Stats): Finding[] {
  const skipped = counts.skipped - (skips.rule ?? 0)
  const all = reflections + skipped + counts.tripped
  if (all < ENOUGH_ENDINGS) return []
  const findings: Finding[] = []
  if (skipped / all >= 0.8) {
    findings.push({
      kind: 'mostly-skipped',
      what: `${percent(skipped / all)} of the times there was nothing to keep.`,
      recommendation:
        'Raise gate.auto_skip.line_threshold, so that small changes are not asked about; for those that close a ticket, also set gate.auto_skip.decider to "always".',
    })
  }
  if (counts.tripped / all >= 0.25) {
    findings.push({
      kind: 'agents-give-up',
      what: `${percent(counts.tripped / all)} of the times agents were let go because they never reflected.`,
      recommendation: 'Check that agents may run `grove reflect`: allow it in the permissions, or add the MCP server.',
    })
  }
  return findings
}

function few(share: number): string {
  return share === 0 ? 'none' : `only ${percent(share)}`
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`
}
