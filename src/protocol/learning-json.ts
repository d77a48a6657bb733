import {
  CATEGORIES,
  CATEGORY_MEANING,
  CONFIDENCES,
  CRITERIA,
  CRITERION_QUESTION,
  LENGTHS,
  type Learning,
  SCOPE_MEANING,
  STATUSES,
} from '#core/learning/learning.ts'
import type { Usage } from '#core/learning/stats.ts'
import type { LearningEntry } from './api/learnings.ts'

export { CATEGORY_MEANING, CRITERION_QUESTION, SCOPE_MEANING }

/** The words that programs may choose from. */
export const CHOICES = { category: CATEGORIES, confidence: CONFIDENCES }

/** A learning for programs, with how often it was used. */
export function learningEntry({
  usage,
  ...learning
}: Learning & { relevance?: number; hitRate?: number; usage?: Usage }): LearningEntry {
  return { ...learning, ...(usage && { usage: told(usage) }) }
}

/** Of the log's own bookkeeping only what is a fact about the learning. */
function told({ surfaced, referenced, dismissed, corrected, ...usage }: Usage): NonNullable<LearningEntry['usage']> {
  return {
    surfaced,
    referenced,
    dismissed,
    corrected,
    ...(usage.lastSurfacedAt > 0 && { lastSurfacedAt: usage.lastSurfacedAt }),
    ...(usage.lastReferencedAt > 0 && { lastReferencedAt: usage.lastReferencedAt }),
    ...(usage.supersededBy && { supersededBy: usage.supersededBy }),
  }
}

type Json = Record<string, unknown>

/** It becomes part of a comment in a file, so nothing else may stand in it. */
const ID = /^[\w.:-]{3,100}$/

/**
 * A learning as it stands in the team's database; undefined when it has no id, no words, or more than a learning may hold.
 * Odd fields read as absent. One that is meant for a single person is none for a team.
 */
export function readSharedLearning(json: Json): Learning | undefined {
  const text = (key: string) => (typeof json[key] === 'string' ? (json[key] as string).trim() : '')
  const id = text('id')
  const summary = text('summary').replaceAll(/\s+/g, ' ')
  const detail = text('detail').replaceAll(/\r\n?/g, '\n')
  const scope = text('scope')
  const isWhole = summary !== '' && summary.length <= LENGTHS.summary.max && detail.length <= LENGTHS.detail.max
  if (!ID.test(id) || !isWhole || (scope !== 'project' && scope !== 'team')) return undefined
  const short = (key: string) => (text(key).length <= LENGTHS.summary.max ? text(key) : '')
  const changedAt = timeAt(json, 'changedAt')
  return {
    id,
    category: CATEGORIES.find((one) => one === json.category) ?? 'convention',
    summary,
    detail,
    scope,
    confidence: CONFIDENCES.find((one) => one === json.confidence) ?? 'medium',
    criteriaMet: CRITERIA.filter((one) => textsAt(json, 'criteriaMet').includes(one)),
    tags: textsAt(json, 'tags').slice(0, LENGTHS.tags.max),
    contextFiles: textsAt(json, 'contextFiles').slice(0, MOST_FILES),
    ...(short('ticketId') && { ticketId: short('ticketId') }),
    ...(short('supersedes') && { supersedes: short('supersedes') }),
    ...(short('sessionId') && { sessionId: short('sessionId') }),
    ...(short('user') && { author: short('user') }),
    at: timeAt(json, 'at'),
    ...(changedAt > 0 && { changedAt }),
    status: STATUSES.find((one) => one === json.status) ?? 'active',
  }
}

const MOST_FILES = 100
/** The last moment that a date can name. */
const END_OF_TIME = 8.64e15

function timeAt(json: Json, key: string): number {
  const value = json[key]
  return typeof value === 'number' && value > 0 && value <= END_OF_TIME ? Math.trunc(value) : 0
}

function textsAt(json: Json, key: string): string[] {
  const value = json[key]
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string' && one.length <= LENGTHS.summary.max) : []
}
