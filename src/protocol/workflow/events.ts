import { z } from 'zod'
import { RefusalCode } from '../api/refusal.ts'
import { CheckRun } from './checks.ts'
import { isoTime, StageNumber, StageWord, Status, sessionId, TestsState, WorkState, WorkType } from './fields.ts'
import { PlanStep } from './plan.ts'
import { CiCheck, PrIssue } from './pr.ts'
import { Answer, Question } from './questions.ts'
import { Finding, PlanComment, PlanReview } from './reviews.ts'
import { Hold } from './session.ts'
import { BreakerState } from './status.ts'
import { TodoItem } from './todos.ts'

/**
 * What happens in a feature session. Each event is written to events.json under a number of its own session before it
 * goes over the socket: a client that was disconnected asks for what came after the last number it has seen.
 */

/** In every event. */
const at = {
  sessionId,
  projectId: z.string(),
  featureId: z.string(),
  number: z.int().describe('Counts the events of this feature session, without gaps, also over restarts'),
}

const planId = z.string().describe('The session and the version of the plan')
const stepId = z.string()
const text = z.string()
const by = z.string().describe('The name of a person; absent for the owner as long as they have given none')

function event<const Type extends string, Fields extends z.ZodRawShape>(type: Type, about: string, fields: Fields) {
  return z.strictObject({ type: z.literal(type), ...at, ...fields }).describe(about)
}

const blocker = { stepId: stepId.nullable(), blocker: Question, needsInput: z.literal(true) }
const todo = z.strictObject({
  id: z.string(),
  type: TodoItem.shape.type,
  description: z.string(),
  file: z.string().exactOptional(),
  line: z.int().exactOptional(),
})

/** Everything that happens in a feature session. */
export const WorkflowEvent = z.discriminatedUnion('type', [
  event('stage.discovery', 'Claude explores the project and asks.', { featureDescription: text }),
  event('stage.planning', 'The plan is written, or written anew.', { reason: text }),
  event('stage.review', 'A review of the plan begins.', { iteration: z.int(), recommended: z.int() }),
  event('stage.implementation', 'The approved plan is worked through.', { planId }),
  event('stage.pr_creation', 'The pull request is prepared.', { branch: text }),
  event('stage.pr_review', 'The pull request is reviewed.', { prNumber: text }),
  event('stage.final_approval', 'A person has the last word.', { prNumber: text }),

  event('question.asked', 'A question can be answered now.', {
    questionId: z.string(),
    questionType: Question.shape.questionType,
    text,
    options: Question.shape.options,
    required: z.boolean(),
    priority: Question.shape.priority,
    stage: StageWord,
  }),
  event('question.answered', 'A person has answered.', { questionId: z.string(), answer: Answer }),
  event('questions.batch', 'Several questions came together; the most urgent are shown first.', {
    questionIds: z.array(z.string()),
    filtered: z.int().describe('Taken for no real concern; they can be restored'),
  }),
  event('question.filtered', 'Validation took a question for no real concern.', {
    questionId: z.string(),
    reason: text,
  }),
  event('question.restored', 'A person wants to see a filtered question.', { questionId: z.string() }),

  event('plan.created', 'There is a new version of the plan.', {
    planId,
    version: z.int(),
    hash: z.string(),
    steps: z.array(PlanStep),
  }),
  event('plan.step_added', 'The new version has a step more.', { planId, step: PlanStep, updatedBy: text }),
  event('plan.step_updated', 'A step was changed, or its state.', {
    planId,
    stepId,
    changes: z.array(z.strictObject({ field: text, before: text, after: text })),
    updatedBy: text,
  }),
  event('plan.step_removed', 'The new version has a step less.', { planId, stepId, updatedBy: text }),
  event('plan.step_reordered', 'A step stands elsewhere now.', {
    planId,
    stepId,
    orderIndex: z.int(),
    updatedBy: text,
  }),
  event('plan.commented', 'A person wants changes; all comments together are one request to Claude.', {
    planId,
    comments: z.array(PlanComment),
    by: by.exactOptional(),
  }),
  event('plan.review_asked', 'A teammate is asked to review the plan.', { planId, of: by, by: by.exactOptional() }),
  event('plan.review_given', 'A teammate has reviewed the plan.', {
    planId,
    verdict: PlanReview.shape.verdict.unwrap(),
    comments: z.int(),
    text,
    by,
  }),
  event('plan.approved', 'A person has approved this plan.', {
    planId,
    hash: z.string(),
    signedOff: z.boolean(),
    by: by.exactOptional(),
  }),

  event('review.started', 'An iteration has begun.', { planId, iterationNumber: z.int() }),
  event('review.findings', 'An iteration has found something.', {
    planId,
    iteration: z.int(),
    issues: z.array(Finding),
  }),
  event('review.iteration_complete', 'An iteration is over.', {
    planId,
    iteration: z.int(),
    outcome: z.enum(['findings', 'clean']),
    recommended: z.int(),
  }),
  event('review.signoff_required', 'Fewer reviews than recommended: a person has to sign off.', {
    planId,
    reviewCount: z.int(),
    recommendedMin: z.int(),
  }),
  event('review.approved', 'The reviews are closed by an approval.', { planId, reviewCount: z.int() }),

  event('execution.step_started', 'Work on a step begins.', { stepId, title: text, position: z.int(), of: z.int() }),
  event('execution.step_completed', 'A step is done.', { stepId, summary: text, files: z.array(z.string()) }),
  event('execution.paused_blocker', 'A blocker: nothing goes on before the answer.', blocker),
  event('execution.resumed', 'The work goes on.', { stepId: stepId.nullable(), reason: text }),
  event('execution.status', 'What Claude says of its work.', {
    stepId,
    status: WorkState,
    filesModified: z.int(),
    testsStatus: TestsState,
    workType: WorkType,
    progress: z.number(),
    message: text,
  }),
  event('execution.denied', 'A call of Claude was refused before it ran.', {
    tool: text,
    code: RefusalCode,
    message: text,
  }),
  event('check.finished', "A project's own command has run.", { run: CheckRun }),

  event('todo.collected', 'A comment that asks for a decision was found.', { stepId: stepId.nullable(), item: todo }),
  event('todo.blocker_encountered', 'The same as `execution.paused_blocker`.', blocker),
  event('todo.replanning_triggered', 'Collected comments go to the plan review.', {
    collectedItems: z.array(todo),
    returnToStage: z.literal(2),
  }),

  event('pr.created', 'There is a pull request, or it was brought up to date.', {
    prNumber: text,
    prUrl: text,
    title: text,
    updated: z.boolean(),
  }),
  event('pr.review_started', 'Claude reviews the pull request with fresh eyes.', { prNumber: text }),
  event('pr.issue_found', 'The review has found something.', {
    prId: z.string(),
    issue: text,
    severity: PrIssue.shape.severity,
    suggestion: text,
    file: z.string().nullable(),
    line: z.int().nullable(),
  }),
  event('pr.replanning_triggered', 'Decisions about the pull request go to the plan review.', {
    prNumber: text,
    returnToStage: z.literal(2),
  }),
  event('pr.approved', 'Review and checks are clear.', { prNumber: text }),
  event('pr.merged', 'The pull request was merged or closed.', { prNumber: text, state: z.enum(['merged', 'closed']) }),

  event('ci.polling_started', 'The checks of the pull request are watched.', { prNumber: text, checkCount: z.int() }),
  event('ci.check_updated', 'A check has another state.', {
    checkName: text,
    status: z.enum(['pending', 'completed']),
    conclusion: CiCheck.shape.state,
  }),
  event('ci.all_passed', 'All checks have passed.', { prNumber: text, checksCompleted: z.int() }),
  event('ci.failed', 'Checks have failed.', { prNumber: text, failedChecks: z.array(z.string()), logs: text }),

  event('stage_transition', 'The session goes from one stage to another.', {
    from: StageNumber,
    to: StageNumber,
    reason: text,
  }),
  event('final.decided', 'A person has said the last word.', {
    action: z.enum(['merge', 'plan_changes', 're_review']),
    feedback: text,
    by: by.exactOptional(),
  }),
  event('session.created', 'A feature session begins.', { title: text }),
  event('session.changed', 'Status or hold of the session is another; read it anew.', {
    status: Status,
    reason: text,
    hold: Hold.nullable(),
  }),
  event('breaker.changed', 'The circuit breaker has another state.', {
    from: BreakerState,
    to: BreakerState,
    trigger: text,
    context: text,
  }),
  event('agent.started', 'A Claude process works.', {
    spawnId: text,
    spawnNumber: z.int(),
    task: text,
    claudeId: text,
  }),
  event('agent.ended', 'A Claude process is over.', { spawnId: text, how: text, costUsd: z.number() }),
  event('agent.context', 'The context window is getting full, or was compacted.', {
    contextTokens: z.int(),
    window: z.int(),
    compacted: z.boolean(),
  }),
  event('agent.warning', 'Something that a person should know, and need not answer.', { message: text }),
  event('memory.given', 'What the team knew was given to Claude.', { titles: z.array(z.string()) }),
])
export type WorkflowEvent = z.infer<typeof WorkflowEvent>

/** An event before it has a place and a number. */
export type NewWorkflowEvent = DistributiveOmit<WorkflowEvent, keyof typeof at>
type DistributiveOmit<T, K extends keyof never> = T extends unknown ? Omit<T, K> : never

/** One entry of events.json. */
export const EventRecord = z
  .object({
    id: z.string(),
    number: z.int(),
    eventType: z.string(),
    stage: StageWord,
    payload: WorkflowEvent,
    createdAt: isoTime,
  })
  .meta({ id: 'EventRecord', description: 'An event as it is kept.' })
export type EventRecord = z.infer<typeof EventRecord>
