import { z } from 'zod'
import { CATEGORIES, CONFIDENCES, CRITERIA, type Learning, SCOPES, STATUSES } from '#core/learning/learning.ts'

/** A learning as it travels through other programs, which may have changed it. */
const Shape = z.object({
  id: z.string().min(1).max(200),
  category: z.enum(CATEGORIES),
  summary: z.string().min(1).max(1000),
  detail: z.string().max(10_000),
  scope: z.enum(SCOPES).catch('project'),
  confidence: z.enum(CONFIDENCES).catch('medium'),
  criteriaMet: z.array(z.enum(CRITERIA)).catch([]),
  tags: z.array(z.string()).catch([]),
  contextFiles: z.array(z.string()).catch([]),
  sessionId: z.string().exactOptional(),
  ticketId: z.string().exactOptional(),
  supersedes: z.string().exactOptional(),
  // No later than a date can be.
  at: z.number().min(0).max(8.64e15),
  status: z.enum(STATUSES).catch('active'),
})

/** The learning, or undefined when it is none. */
export function readLearning(value: unknown): Learning | undefined {
  const read = Shape.safeParse(value)
  return read.success ? read.data : undefined
}
