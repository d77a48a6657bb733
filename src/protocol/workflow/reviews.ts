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

/** What a person says about the plan, or about one line of it. */
export const PlanComment = z.strictObject({
  stepId: z.string().exactOptional().describe('The whole plan if left out'),
  quote: z.string().max(2000).exactOptional().describe('The line that is meant'),
  text: z.string().trim().min(1).max(5000),
})
export type PlanComment = z.infer<typeof PlanComment>

export const PlanReview = z
  .object({
    id: z.string(),
    planVersion: z.int(),
    planHash: z.string(),
    personId: z.string().describe('Who is asked'),
    person: z.string(),
    askedAt: isoTime,
    askedBy: z.string().exactOptional().describe('Absent for the owner as long as they have given no name'),
    verdict: z.enum(['fine', 'changes']).nullable().describe('Null until they have answered'),
    comments: z.array(PlanComment),
    text: z.string(),
    answeredAt: isoTime.nullable(),
    sentAt: isoTime.nullable().describe('When its comments went to Claude as a change request'),
  })
  .meta({ id: 'PlanReview', description: 'A teammate is asked to look at the plan.' })
export type PlanReview = z.infer<typeof PlanReview>

/** reviews.json */
export const ReviewsFile = z.object({
  version: fileVersion,
  sessionId,
  iterations: z.array(ReviewIteration),
  people: z.array(PlanReview).exactOptional().describe('Reviews that people were asked for'),
})
export type ReviewsFile = z.infer<typeof ReviewsFile>
