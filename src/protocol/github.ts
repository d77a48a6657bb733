import { z } from 'zod'

/** What `gh … --json` prints, as far as Grove reads it. Fields of other versions pass. */

export const githubPullRequest = z.object({
  number: z.number(),
  url: z.string(),
  title: z.string(),
  body: z.string().catch(''),
  state: z.enum(['OPEN', 'MERGED', 'CLOSED']),
  isDraft: z.boolean().catch(false),
  baseRefName: z.string(),
  headRefName: z.string(),
  headRefOid: z.string().catch(''),
  mergeable: z.enum(['MERGEABLE', 'CONFLICTING', 'UNKNOWN']).catch('UNKNOWN'),
  headRepositoryOwner: z.object({ login: z.string() }).nullable().catch(null),
})
export type GithubPullRequest = z.infer<typeof githubPullRequest>

/** A check of GitHub's own or of an app. */
const checkRun = z.object({
  __typename: z.literal('CheckRun'),
  name: z.string(),
  workflowName: z.string().catch(''),
  status: z.string(),
  conclusion: z.string().nullable().catch(''),
  detailsUrl: z.string().catch(''),
  startedAt: z.string().catch(''),
  completedAt: z.string().catch(''),
})

/** What other services report about a commit. */
const statusContext = z.object({
  __typename: z.literal('StatusContext'),
  context: z.string(),
  state: z.string(),
  targetUrl: z.string().catch(''),
  startedAt: z.string().catch(''),
})

const githubCheck = z.discriminatedUnion('__typename', [checkRun, statusContext])
export type GithubCheck = z.infer<typeof githubCheck>

/** Null before the first check has begun. */
export const githubChecks = z.object({ statusCheckRollup: z.array(githubCheck).nullable() })

export const githubRepository = z.object({ nameWithOwner: z.string() })
