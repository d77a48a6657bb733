import {
  CATEGORIES,
  CATEGORY_MEANING,
  CONFIDENCES,
  CRITERION_QUESTION,
  type Learning,
  SCOPE_MEANING,
} from '#core/learning/learning.ts'
import type { Usage } from '#core/learning/stats.ts'
import type { LearningEntry } from './api/learnings.ts'

export { CATEGORY_MEANING, CRITERION_QUESTION, SCOPE_MEANING }

/** The words that programs may choose from. */
export const CHOICES = { category: CATEGORIES, confidence: CONFIDENCES }

/** A learning for programs, with how it fared. */
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
