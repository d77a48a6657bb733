import { z } from 'zod'
import { inProject, ProjectName, texts, time } from './fields.ts'
import { LearningEntry } from './learnings.ts'
import { route } from './route.ts'

export const RejectionStage = z.enum(['schema', 'write-gate', 'duplicate', 'contradiction'])

const Rejected = z
  .strictObject({
    id: z.string(),
    project: ProjectName,
    at: time,
    sessionId: z.string().exactOptional(),
    stage: RejectionStage,
    reasons: texts,
    summary: z.string(),
    detail: z.string().exactOptional(),
    category: z.string().exactOptional(),
    restorable: z.boolean().describe('It has the shape of a learning'),
    contradicts: z
      .strictObject({ id: z.string(), summary: z.string() })
      .exactOptional()
      .describe('The learning that says the opposite'),
  })
  .meta({ id: 'RejectedCandidate', description: 'A candidate that the write gate turned down.' })

export const rejectedLearningRoutes = {
  list: route({
    method: 'GET',
    path: '/api/rejected-learnings',
    summary: 'Lists candidates that were turned down and are still kept, newest first.',
    query: z.object(inProject),
    answer: z.strictObject({ candidates: z.array(Rejected) }),
  }),
  restore: route({
    method: 'POST',
    path: '/api/rejected-learnings/:id/restore',
    summary: 'Makes a learning of a candidate that was turned down, because a person thinks otherwise.',
    person: true,
    params: z.strictObject({ id: z.string() }),
    query: z.object(inProject),
    body: z
      .strictObject({ supersedes: z.string().exactOptional().describe('The learning whose place it takes') })
      .prefault({}),
    answer: z.strictObject({ learning: LearningEntry }),
    refusals: [
      'learning_not_found',
      'learning_invalid',
      'learning_ambiguous',
      'learning_superseded',
      'learning_not_editable',
    ],
  }),
}
