import { z } from 'zod'
import { fileVersion, isoTime, sessionId } from './fields.ts'

export const PrIssue = z
  .object({
    id: z.string(),
    file: z.string().nullable(),
    line: z.int().nullable(),
    issue: z.string(),
    severity: z.enum(['critical', 'major', 'suggestion']),
    suggestion: z.string(),
    resolved: z.boolean(),
    questionId: z.string().nullable(),
  })
  .meta({ id: 'PrIssue', description: 'One thing that the review of a pull request has found.' })
export type PrIssue = z.infer<typeof PrIssue>

export const CiCheck = z
  .object({
    name: z.string(),
    state: z.enum(['pending', 'passing', 'failing', 'skipped']),
    url: z.string().nullable(),
    log: z.string().nullable().describe('The failing part, shortened'),
  })
  .meta({ id: 'CiCheck', description: 'One check of a pull request.' })
export type CiCheck = z.infer<typeof CiCheck>

export const PullRequest = z
  .object({
    id: z.string(),
    prNumber: z.string().describe('Empty in a local review'),
    prUrl: z.string(),
    title: z.string(),
    body: z.string(),
    status: z
      .enum(['open', 'merged', 'closed', 'local'])
      .describe('`local`: no remote or no gh; reviewed on this machine'),
    headCommit: z.string(),
    createdAt: isoTime,
    updatedAt: isoTime,
  })
  .meta({ id: 'PullRequest', description: 'The pull request of a feature session.' })
export type PullRequest = z.infer<typeof PullRequest>

/** pr.json */
export const PrFile = z.object({
  version: fileVersion,
  sessionId,
  pullRequest: PullRequest.nullable(),
  draft: z.object({ title: z.string(), body: z.string() }).nullable().describe('The words for the next push'),
  checks: z.array(CiCheck),
  ci: z.enum(['none', 'pending', 'passing', 'failing']),
  reviews: z.array(
    z.object({
      id: z.string(),
      issuesFound: z.array(PrIssue),
      allResolved: z.boolean(),
      approved: z.boolean(),
      summary: z.string(),
      headCommit: z.string(),
      reviewedAt: isoTime,
    }),
  ),
})
export type PrFile = z.infer<typeof PrFile>
