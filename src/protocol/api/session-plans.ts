import { z } from 'zod'
import { isoTime } from '../workflow/fields.ts'
import { PlanFile, PlanStep } from '../workflow/plan.ts'
import { PlanComment, PlanReview, ReviewIteration } from '../workflow/reviews.ts'
import { route } from './route.ts'
import { COMMAND_REFUSALS, commandFields, inSession, SessionSnapshot } from './sessions.ts'

/** The plan of a feature session: its versions, its reviews, its approval. */

const answer = z.strictObject({ session: SessionSnapshot })
const planHash = z.string().min(1).describe('The hash of the plan that the person has read')

export const StepChange = z
  .object({
    stepId: z.string(),
    change: z.enum(['added', 'removed', 'changed', 'moved']),
    before: PlanStep.nullable(),
    after: PlanStep.nullable(),
    fields: z.array(z.object({ field: z.string(), before: z.string(), after: z.string() })),
  })
  .meta({ id: 'StepChange', description: 'What a version of the plan changes about a step.' })
export type StepChange = z.infer<typeof StepChange>

export const sessionPlanRoutes = {
  show: route({
    method: 'GET',
    path: '/api/sessions/:projectId/:featureId/plan',
    summary: 'Shows the plan, in its newest version or in an older one.',
    params: inSession,
    query: z.object({ version: z.coerce.number<string>().int().min(1).exactOptional() }),
    answer: z.strictObject({ plan: PlanFile.nullable(), text: z.string().describe('As Markdown') }),
    refusals: ['session_not_found', 'plan_not_found'],
  }),
  versions: route({
    method: 'GET',
    path: '/api/sessions/:projectId/:featureId/plan/versions',
    summary: 'Lists the versions of the plan, newest first.',
    params: inSession,
    answer: z.strictObject({
      versions: z.array(
        z.strictObject({
          version: z.int(),
          hash: z.string(),
          steps: z.int(),
          reason: z.string(),
          isApproved: z.boolean(),
          createdAt: isoTime,
        }),
      ),
    }),
    refusals: ['session_not_found'],
  }),
  diff: route({
    method: 'GET',
    path: '/api/sessions/:projectId/:featureId/plan/diff',
    summary: 'Compares two versions of the plan.',
    params: inSession,
    query: z.object({
      from: z.coerce.number<string>().int().min(1).exactOptional().describe('The version before `to` if left out'),
      to: z.coerce.number<string>().int().min(1).exactOptional().describe('The newest if left out'),
    }),
    answer: z.strictObject({ from: z.int(), to: z.int(), changes: z.array(StepChange) }),
    refusals: ['session_not_found', 'plan_not_found'],
  }),
  reviews: route({
    method: 'GET',
    path: '/api/sessions/:projectId/:featureId/reviews',
    summary: 'Lists the iterations of the plan review with their findings.',
    params: inSession,
    answer: z.strictObject({ iterations: z.array(ReviewIteration), recommended: z.int() }),
    refusals: ['session_not_found'],
  }),
  comment: route({
    method: 'POST',
    path: '/api/sessions/:projectId/:featureId/plan/comments',
    summary: 'Asks for changes of the plan: all comments together become one request to Claude.',
    person: true,
    params: inSession,
    body: z.strictObject({
      ...commandFields,
      planHash,
      comments: z.array(PlanComment).min(1).max(100),
    }),
    answer,
    refusals: [...COMMAND_REFUSALS, 'plan_changed'],
  }),
  askReview: route({
    method: 'POST',
    path: '/api/sessions/:projectId/:featureId/plan/reviews',
    summary: 'Asks a teammate to look at exactly this plan: it waits in their inbox.',
    person: true,
    params: inSession,
    body: z.strictObject({ ...commandFields, planHash, personId: z.string() }),
    answer,
    refusals: [...COMMAND_REFUSALS, 'plan_changed', 'plan_not_found', 'person_not_found'],
  }),
  giveReview: route({
    method: 'POST',
    path: '/api/sessions/:projectId/:featureId/plan/reviews/mine',
    summary: 'Says what the person of this browser thinks of the plan. Nothing is changed by it.',
    person: true,
    params: inSession,
    body: z
      .strictObject({
        ...commandFields,
        planHash,
        verdict: PlanReview.shape.verdict.unwrap(),
        comments: z.array(PlanComment).max(100).default([]),
        text: z.string().trim().max(5000).default(''),
      })
      .refine(({ verdict, comments, text }) => verdict === 'fine' || comments.length > 0 || text !== '', {
        error: 'Say what should change, in a comment or in words',
        path: ['text'],
      }),
    answer,
    refusals: [...COMMAND_REFUSALS, 'plan_changed', 'plan_not_found', 'person_not_found'],
  }),
  sendReview: route({
    method: 'POST',
    path: '/api/sessions/:projectId/:featureId/plan/reviews/:id/send',
    summary: 'Sends what a teammate has said about the plan to Claude, as one change request under their name.',
    person: true,
    params: inSession.extend({ id: z.string() }),
    body: z.strictObject(commandFields).prefault({}),
    answer,
    refusals: [...COMMAND_REFUSALS, 'plan_changed', 'question_not_found'],
  }),
  approve: route({
    method: 'POST',
    path: '/api/sessions/:projectId/:featureId/plan/approve',
    summary: 'Approves exactly this plan; the implementation begins.',
    person: true,
    params: inSession,
    body: z.strictObject({
      ...commandFields,
      planHash,
      signOff: z.boolean().default(false).describe('Accepts the risk of fewer reviews than recommended; needed then'),
    }),
    answer,
    refusals: [...COMMAND_REFUSALS, 'plan_changed', 'signoff_required', 'plan_not_found'],
  }),
  startWhenClean: route({
    method: 'POST',
    path: '/api/sessions/:projectId/:featureId/plan/start-when-clean',
    summary:
      'Lets the implementation of exactly this plan begin by itself once a review leaves nothing to decide; or takes that back.',
    person: true,
    params: inSession,
    body: z.strictObject({ ...commandFields, planHash, consent: z.boolean() }),
    answer,
    refusals: [...COMMAND_REFUSALS, 'plan_changed', 'plan_not_found'],
  }),
}
