import { CATEGORIES, CONFIDENCES, type Learning } from '#core/learning/learning.ts'
import type { Usage } from '#core/learning/stats.ts'

/** The words that programs may choose from. */
export const CHOICES = { category: CATEGORIES, confidence: CONFIDENCES }

/** A learning for programs, in the words in which it is handed in, with how it fared. */
export function learningJson<T extends Learning & { hitRate?: number; usage?: Usage }>(learning: T) {
  const { criteriaMet, contextFiles, sessionId, ticketId, hitRate, usage, ...rest } = learning
  return {
    ...rest,
    criteria_met: criteriaMet,
    context_files: contextFiles,
    ...(sessionId && { session_id: sessionId }),
    ...(ticketId && { ticket_id: ticketId }),
    ...(usage && { usage: usageJson(usage) }),
    ...(hitRate !== undefined && { hit_rate: hitRate }),
  }
}

function usageJson({ surfaced, referenced, dismissed, corrected, ...usage }: Usage) {
  return {
    surfaced,
    referenced,
    dismissed,
    corrected,
    ...(usage.lastSurfacedAt > 0 && { last_surfaced_at: usage.lastSurfacedAt }),
    ...(usage.lastReferencedAt > 0 && { last_referenced_at: usage.lastReferencedAt }),
    ...(usage.supersededBy && { superseded_by: usage.supersededBy }),
  }
}
