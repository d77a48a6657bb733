import { z } from 'zod'
import { CATEGORIES, CONFIDENCES, CRITERIA, SCOPES, STATUSES } from '#core/learning/learning.ts'
import { inProject, limit, ProjectName, texts, time } from './fields.ts'
import { route } from './route.ts'

export const LearningEntry = z
  .strictObject({
    id: z.string(),
    category: z.enum(CATEGORIES),
    summary: z.string(),
    detail: z.string(),
    scope: z.enum(SCOPES),
    confidence: z.enum(CONFIDENCES),
    criteriaMet: z.array(z.enum(CRITERIA)),
    tags: texts,
    contextFiles: texts,
    sessionId: z.string().exactOptional().describe('Absent when a person wrote it by hand'),
    ticketId: z.string().exactOptional(),
    supersedes: z.string().exactOptional().describe('The older learning that it corrects'),
    author: z.string().exactOptional().describe('Who learned it'),
    at: time,
    changedAt: time.exactOptional().describe('When it was last edited, archived or restored'),
    status: z.enum(STATUSES),
    relevance: z.number().exactOptional().describe('How well it fits the words that were searched for'),
    usage: z
      .strictObject({
        surfaced: z.int(),
        referenced: z.int(),
        dismissed: z.int(),
        corrected: z.int(),
        lastSurfacedAt: time.exactOptional(),
        lastReferencedAt: time.exactOptional(),
        supersededBy: z.string().exactOptional(),
      })
      .exactOptional()
      .describe('How often it was shown, used and rejected'),
    hitRate: z.number().exactOptional().describe('How often it was used when it was shown; absent before that'),
  })
  .meta({ id: 'LearningEntry', description: 'A reflected insight, with how often it was used.' })
export type LearningEntry = z.infer<typeof LearningEntry>

const byId = z.strictObject({ id: z.string().describe('The id, or its beginning where that is enough') })
const found = z.strictObject({ learning: LearningEntry })
const reason = z.object({ reason: z.string().max(300).exactOptional() }).nullish()

export const learningRoutes = {
  list: route({
    method: 'GET',
    path: '/api/learnings',
    summary: 'Lists learnings, newest first, or finds those that fit some words.',
    query: z.object({
      ...inProject,
      status: z.enum([...STATUSES, 'any']).default('active'),
      q: z.string().min(1).exactOptional().describe('Words to look for'),
      tag: z.string().min(1).exactOptional(),
      category: z.string().min(1).exactOptional(),
      limit: limit(100),
    }),
    answer: z.strictObject({
      learnings: z.array(LearningEntry.extend({ project: ProjectName }).meta({ id: 'ListedLearning' })),
    }),
  }),
  show: route({
    method: 'GET',
    path: '/api/learnings/:id',
    summary: 'Shows one learning.',
    params: byId,
    query: z.object(inProject),
    answer: found,
    refusals: ['learning_not_found'],
  }),
  edit: route({
    method: 'PATCH',
    path: '/api/learnings/:id',
    summary: 'Changes a learning where it stands; only the fields that are sent.',
    params: byId,
    query: z.object(inProject),
    body: z.strictObject({
      summary: z.string().exactOptional(),
      detail: z.string().exactOptional(),
      category: z.string().exactOptional(),
      confidence: z.string().exactOptional(),
      tags: texts.exactOptional(),
      contextFiles: texts.exactOptional(),
    }),
    answer: found,
    refusals: ['learning_not_found', 'learning_ambiguous', 'learning_invalid', 'learning_not_editable'],
  }),
  archive: route({
    method: 'POST',
    path: '/api/learnings/:id/archive',
    summary: 'Sets a learning aside; it is no longer shown to agents.',
    params: byId,
    query: z.object(inProject),
    body: reason,
    answer: found,
    refusals: ['learning_not_found', 'learning_ambiguous', 'learning_superseded'],
  }),
  restore: route({
    method: 'POST',
    path: '/api/learnings/:id/restore',
    summary: 'Takes an archived learning back.',
    params: byId,
    query: z.object(inProject),
    body: reason,
    answer: found,
    refusals: ['learning_not_found', 'learning_ambiguous', 'learning_superseded'],
  }),
  supersede: route({
    method: 'POST',
    path: '/api/learnings/:id/supersede',
    summary: 'Says that another learning takes the place of this one; agents are no longer shown it.',
    person: true,
    params: byId,
    query: z.object(inProject),
    body: z.strictObject({ by: z.string().describe('The id of the learning that holds instead') }),
    answer: found,
    refusals: ['learning_not_found', 'learning_ambiguous', 'learning_superseded', 'learning_not_editable'],
  }),
}
