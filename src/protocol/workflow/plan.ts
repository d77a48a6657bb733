import { z } from 'zod'
import { COMPLEXITIES, type PlanStep as CoreStep, STEP_STATUSES } from '#core/plan/plan.ts'
import { fileVersion, isoTime, sessionId } from './fields.ts'

export const PlanStep = z
  .object({
    id: z.string().describe('As the agent named it'),
    uid: z.string(),
    parentId: z.string().nullable(),
    orderIndex: z.int(),
    title: z.string(),
    description: z.string(),
    status: z.enum(STEP_STATUSES),
    dependsOn: z.array(z.string()).describe('Steps that come first'),
    complexity: z.enum(COMPLEXITIES).nullable(),
    criteria: z.array(z.string()).describe('The acceptance criteria that it serves'),
    ownedPaths: z.array(z.string()).describe('Globs of what it may change'),
    metadata: z
      .object({
        doneBy: z.enum(['agent', 'grove']).exactOptional(),
        summary: z.string().exactOptional(),
        startedAt: isoTime.exactOptional(),
        completedAt: isoTime.exactOptional(),
        checkpoint: z.string().exactOptional().describe('A hidden ref with the work tree after this step'),
        intentId: z.string().exactOptional(),
      })
      .describe('What became of it; no part of what is approved'),
  })
  .meta({ id: 'PlanStep', description: 'One step of a plan.' }) satisfies z.ZodType<CoreStep>
export type PlanStep = z.infer<typeof PlanStep>

/** plan.json, and each file of plan-history. */
export const PlanFile = z
  .object({
    version: fileVersion,
    planVersion: z.int(),
    sessionId,
    isApproved: z.boolean(),
    reviewCount: z.int(),
    createdAt: isoTime,
    /** Of all that is approved: an approval names it. */
    hash: z.string(),
    summary: z.string(),
    /** What led to this version. */
    reason: z.string(),
    updatedBy: z.enum(['agent', 'grove']),
    steps: z.array(PlanStep),
  })
  .meta({ id: 'Plan', description: 'The plan in one of its versions.' })
export type PlanFile = z.infer<typeof PlanFile>
