import { z } from 'zod'
import { CheckRun, CriterionEvidence } from '../workflow/checks.ts'
import { EventRecord } from '../workflow/events.ts'
import { OutputLine } from '../workflow/output.ts'
import { PrFile } from '../workflow/pr.ts'
import { BreakerTransition, StatusFile } from '../workflow/status.ts'
import { limit } from './fields.ts'
import { route } from './route.ts'
import { inSession } from './sessions.ts'

/** What a feature session has on record: events, output, pull request, evidence. */

const after = z.coerce.number<string | number>().int().min(0).default(0).describe('The last number that was seen')

const DiffFile = z
  .object({
    path: z.string(),
    status: z.enum(['added', 'modified', 'deleted', 'renamed']),
    from: z.string().exactOptional(),
    added: z.int(),
    removed: z.int(),
    binary: z.boolean(),
  })
  .meta({ id: 'DiffFile' })

export const sessionRecordRoutes = {
  events: route({
    method: 'GET',
    path: '/api/sessions/:projectId/:featureId/events',
    summary: 'Lists events after a number, oldest first: everything that was missed.',
    params: inSession,
    query: z.object({ after, limit: limit(500) }),
    answer: z.strictObject({ events: z.array(EventRecord), last: z.int() }),
    refusals: ['session_not_found'],
  }),
  output: route({
    method: 'GET',
    path: '/api/sessions/:projectId/:featureId/output',
    summary: 'Lists what Claude did and said, page by page: everything, what was said, or the story in short.',
    params: inSession,
    query: z.object({
      after,
      before: z.coerce.number<string>().int().exactOptional().describe('Instead: the newest before this number'),
      view: z.enum(['story', 'talk', 'raw']).default('story'),
      limit: limit(200),
    }),
    answer: z.strictObject({ lines: z.array(OutputLine), first: z.int(), last: z.int() }),
    refusals: ['session_not_found'],
  }),
  found: route({
    method: 'GET',
    path: '/api/sessions/:projectId/:featureId/output/found',
    summary: 'Searches everything that Claude did and said, and tells the numbers of the lines.',
    params: inSession,
    query: z.object({ words: z.string().min(1) }),
    answer: z.strictObject({
      numbers: z.array(z.int()).describe('The newest 10,000, in order'),
      last: z.int().describe('The last line that was looked at'),
    }),
    refusals: ['session_not_found'],
  }),
  status: route({
    method: 'GET',
    path: '/api/sessions/:projectId/:featureId/status',
    summary: 'Shows what is counted: calls of this hour, exit signals, the breaker and its history.',
    params: inSession,
    answer: z.strictObject({ status: StatusFile, breaker: z.array(BreakerTransition) }),
    refusals: ['session_not_found'],
  }),
  pr: route({
    method: 'GET',
    path: '/api/sessions/:projectId/:featureId/pr',
    summary: 'Shows the pull request with its reviews and checks.',
    params: inSession,
    answer: z.strictObject({ pr: PrFile }),
    refusals: ['session_not_found'],
  }),
  checks: route({
    method: 'GET',
    path: '/api/sessions/:projectId/:featureId/checks',
    summary: 'Shows what speaks for each acceptance criterion, with the commands that Grove has run.',
    params: inSession,
    answer: z.strictObject({ criteria: z.array(CriterionEvidence), runs: z.array(CheckRun) }),
    refusals: ['session_not_found'],
  }),
  diff: route({
    method: 'GET',
    path: '/api/sessions/:projectId/:featureId/diff',
    summary: 'Shows what the session has changed, since its beginning or since a step.',
    params: inSession,
    query: z.object({ step: z.string().exactOptional().describe('Only what came after this step') }),
    answer: z.strictObject({ files: z.array(DiffFile), patch: z.string(), truncated: z.boolean() }),
    refusals: ['session_not_found', 'repository_trouble'],
  }),
}
