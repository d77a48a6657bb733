import { stem, words } from '../text/words.ts'
import { changed, type Decision, type Memory } from './memory.ts'

/**
 * How a new memory stands to an older one. `same`: the same piece of work, told again or gone on with; the two become one.
 * `successor`: the same thing done again later; the older one stays, marked as superseded. Most are `other`.
 */
export type Kinship = 'same' | 'successor' | 'other'

const DAY = 86_400_000

export function kinship(newer: Memory, older: Memory): Kinship {
  if (newer.projectId !== older.projectId || newer.id === older.id || older.supersededBy) return 'other'
  const goals = similarity(termsOf(newer.goal), termsOf(older.goal))
  const files = similarity(new Set(newer.files), new Set(older.files))
  const apart = Math.abs(newer.createdAt - older.createdAt)
  const sameSession = newer.sessionId !== undefined && newer.sessionId === older.sessionId
  const sameAuthor = newer.user === older.user
  if (sameSession && goals >= 0.7 && (files >= 0.3 || newer.files.length === 0)) return 'same'
  if (sameAuthor && goals >= 0.9 && files >= 0.6 && apart < 7 * DAY) return 'same'
  if (goals >= 0.9 && files >= 0.9 && similarity(allTerms(newer), allTerms(older)) >= 0.85) return 'same'
  if (goals >= 0.65 && files >= 0.5 && newer.createdAt > older.createdAt) return 'successor'
  return 'other'
}

/** The older memory, grown by what the newer one adds; where they disagree the newer one is right. */
export function joined(older: Memory, newer: Memory, at: number, by?: string): Memory {
  const union = (a: string[], b: string[]) => [...new Set([...a, ...b])]
  const change: Partial<Memory> = {
    goal: newer.goal.length >= older.goal.length ? newer.goal : older.goal,
    reasoningTrace: union(newer.reasoningTrace, older.reasoningTrace),
    decisions: unionOfDecisions(newer.decisions, older.decisions),
    constraints: union(newer.constraints, older.constraints),
    files: union(older.files, newer.files),
    tags: union(older.tags, newer.tags),
    // Work that was completed once does not become unfinished by being touched again.
    status: older.status === 'complete' ? 'complete' : newer.status,
    ...(newer.branch !== undefined && { branch: newer.branch }),
    ...(newer.linkedCommit !== undefined && { linkedCommit: newer.linkedCommit }),
  }
  return changed(older, change, at, by)
}

function unionOfDecisions(first: Decision[], then: Decision[]): Decision[] {
  const known = first.map(({ choice }) => termsOf(choice))
  return [...first, ...then.filter(({ choice }) => !known.some((terms) => similarity(terms, termsOf(choice)) > 0.7))]
}

function termsOf(text: string): Set<string> {
  return new Set(words(text).map(stem))
}

function allTerms({ goal, reasoningTrace, decisions, constraints }: Memory): Set<string> {
  const said = decisions.flatMap(({ choice, reason }) => [choice, reason])
  return termsOf([goal, ...reasoningTrace, ...said, ...constraints].join(' '))
}

/** Dice: twice what they share over what they have; two empty sets have nothing in common. */
function similarity(a: Set<string>, b: Set<string>): number {
  if (a.size + b.size === 0) return 0
  let shared = 0
  for (const one of a) if (b.has(one)) shared++
  return (2 * shared) / (a.size + b.size)
}
