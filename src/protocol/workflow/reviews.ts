import { z } from 'zod'
import { fileVersion, isoTime, sessionId } from './fields.ts'

export const Finding = z
  .object({
    id: z.string(),
    category: z.string().describe('code_quality, architecture, security, performance, integration, plan_structure …'),
    priority: z.union([z.literal(1), z.literal(2), z.literal(3)]),
    issue: z.string(),
    impact: z.string(),
    resolved: z.boolean(),
    questionId: z.string().nullable(),
  })
  .meta({ id: 'Finding', description: 'One thing that a review has found.' })
export type Finding = z.infer<typeof Finding>

export const ReviewIteration = z
  .object({
    id: z.string(),
    planVersion: z.int(),
    iterationNumber: z.int(),
    findings: z.array(Finding),
    /** The person has dealt with everything in it. */
    userApproved: z.boolean(),
    outcome: z.enum(['running', 'findings', 'clean']),
    startedAt: isoTime,
    completedAt: isoTime.nullable(),
  })
  .meta({ id: 'ReviewIteration', description: 'One review of the plan.' })
export type ReviewIteration = z.infer<typeof ReviewIteration>

/** reviews.json */
export const ReviewsFile = z.object({ version: fileVersion, sessionId, iterations: z.array(ReviewIteration) })
export type ReviewsFile = z.infer<typeof ReviewsFile>
