import { z } from 'zod'
import { REPOSITORY_TROUBLES } from '#core/ports/repository.ts'
import { HOLD_CHOICES, HOLD_KINDS } from '#core/workflow/hold.ts'
import { ChecksFile, CriterionEvidence } from '../workflow/checks.ts'
import { isoTime, StageNumber, StageWord, Status, WorkPlaceMode } from '../workflow/fields.ts'
import { PlanFile } from '../workflow/plan.ts'
import { PrFile, PullRequest } from '../workflow/pr.ts'
import { Question } from '../workflow/questions.ts'
import { PlanReview, ReviewIteration } from '../workflow/reviews.ts'
import { Criterion, SessionFile, SessionSettings } from '../workflow/session.ts'
import { ProgressFile, StatusFile } from '../workflow/status.ts'
import { TodoItem } from '../workflow/todos.ts'
import { limit } from './fields.ts'
import { route } from './route.ts'
import { SessionForm } from './session-form.ts'

/** Feature sessions: begun, listed, shown, steered. What is in them has routes in the files beside this one. */

export const Waiting = z
  .object({
    projectId: z.string(),
    featureId: z.string(),
    sessionTitle: z.string(),
    kind: z.enum(['questions', 'plan_approval', 'plan_review', 'final_approval', 'hold']),
    hold: z.enum(HOLD_KINDS).exactOptional().describe('For a hold: what of'),
    about: z
      .enum(['blocker', 'pull_request'])
      .exactOptional()
      .describe('For questions: a step stands still for them, or they are about the pull request'),
    title: z.string().describe('What is wanted, in a line'),
    detail: z.string(),
    count: z.int().describe('How many questions can be answered now'),
    choices: z
      .array(
        z.object({
          choice: z.enum(HOLD_CHOICES),
          label: z.string(),
          recommended: z.boolean(),
          needsText: z.boolean(),
        }),
      )
      .describe('For a hold: what may be chosen'),
    since: isoTime,
    until: isoTime.nullable(),
  })
  .meta({ id: 'Waiting', description: 'Something that waits for a person.' })
export type Waiting = z.infer<typeof Waiting>

export const ACTIONS = [
  'pause',
  'resume',
  'cancel',
  'interrupt',
  'message',
  'approve',
  'comment',
  'rollback',
  'archive',
  'unarchive',
  'delete',
  'undelete',
  'final_approval',
  'choose',
] as const

export const SessionSummary = z
  .object({
    id: z.string(),
    projectId: z.string(),
    featureId: z.string(),
    title: z.string(),
    projectName: z.string(),
    projectPath: z.string(),
    branch: z.string(),
    status: Status,
    stage: StageNumber,
    stageName: StageWord,
    stageText: z.string().describe('As people read it: "Plan review (3/10)"'),
    executing: z.boolean().describe('Claude, or a command of the project, is running now'),
    waiting: z.array(Waiting),
    reviewCount: z.int(),
    recommendedReviews: z.int(),
    replanningCount: z.int(),
    stepsDone: z.int(),
    stepsTotal: z.int(),
    currentStep: z.string().nullable(),
    pr: z.object({ number: z.string(), url: z.string(), state: PullRequest.shape.status }).nullable(),
    costUsd: z.number(),
    archived: z.boolean(),
    deleted: z.boolean(),
    createdAt: isoTime,
    updatedAt: isoTime,
  })
  .meta({ id: 'SessionSummary', description: 'A feature session in a list.' })
export type SessionSummary = z.infer<typeof SessionSummary>

/** Everything that a page about one feature session begins with. */
export const SessionSnapshot = z
  .object({
    summary: SessionSummary,
    session: SessionFile,
    status: StatusFile,
    progress: ProgressFile,
    plan: PlanFile.nullable(),
    questions: z.array(Question).describe('Those that can be answered now'),
    held: z.int().describe('Questions that come after these, by priority'),
    filtered: z.int().describe('Questions that validation took for no real concern'),
    reviews: z.array(ReviewIteration),
    planReviews: z.array(PlanReview).describe('What teammates were asked, and said, about the plan; newest first'),
    todos: z.array(TodoItem),
    pr: PrFile,
    checks: ChecksFile.shape.runs,
    criteria: z.array(CriterionEvidence),
    actions: z.array(z.enum(ACTIONS)).describe('What can be done now'),
    lastEvent: z.int().describe('The number of the newest event: ask for what comes after it'),
    problems: z.array(z.string()).describe('State files that were damaged, and what was done about it'),
  })
  .meta({ id: 'SessionSnapshot', description: 'A feature session, whole.' })
export type SessionSnapshot = z.infer<typeof SessionSnapshot>

export const inSession = z.strictObject({ projectId: z.string(), featureId: z.string() })

/** In the body of every command. */
export const commandFields = {
  requestId: z.string().max(100).exactOptional().describe('Repeating the id changes nothing and gets the same answer'),
  revision: z.int().exactOptional().describe('The revision that the person saw; a newer one refuses the command'),
}

/** What every command may refuse with. */
export const COMMAND_REFUSALS = ['session_not_found', 'session_busy', 'stale_revision', 'not_possible_now'] as const

const answer = z.strictObject({ session: SessionSnapshot })
const note = z.string().trim().max(10_000)

/** A command without further fields. */
function command<const Name extends string>(name: Name, summary: string) {
  return route({
    method: 'POST',
    path: `/api/sessions/:projectId/:featureId/${name}`,
    summary,
    person: true,
    params: inSession,
    body: z.strictObject(commandFields).prefault({}),
    answer,
    refusals: COMMAND_REFUSALS,
  })
}

const PathState = z.strictObject({
  path: z.string(),
  ok: z.boolean(),
  code: z.enum(REPOSITORY_TROUBLES).nullable(),
  message: z.string(),
  remedy: z.string(),
  projectId: z.string().nullable(),
  name: z.string().nullable(),
  defaultBranch: z.string().nullable(),
  currentBranch: z.string().nullable(),
  branches: z.array(z.string()),
  dirty: z.boolean(),
  hasRemote: z.boolean(),
  pullRequests: z.boolean().describe('`gh` is there and logged in'),
  pullRequestProblem: z.string().nullable(),
  untrackedHelpers: z.array(z.string()).describe('Untracked files that are copied into the worktree'),
  activeInPlace: z.string().nullable().describe('The feature that works in this checkout already'),
})

export const sessionRoutes = {
  list: route({
    method: 'GET',
    path: '/api/sessions',
    summary: 'Lists the feature sessions of all projects.',
    query: z.object({
      filter: z.enum(['all', 'active', 'waiting', 'completed', 'expired', 'archived', 'deleted']).default('all'),
      search: z.string().exactOptional().describe('In title, project and path'),
      project: z.string().exactOptional().describe('The id of one project'),
      sort: z.enum(['activity', 'created', 'stage']).default('activity'),
      limit: limit(200),
      offset: z.coerce.number<string | number>().int().min(0).default(0).describe('How many to skip'),
    }),
    answer: z.strictObject({ sessions: z.array(SessionSummary), total: z.int() }),
  }),
  create: route({
    method: 'POST',
    path: '/api/sessions',
    summary: 'Begins a feature session.',
    person: true,
    body: SessionForm,
    answer,
    status: 201,
    invalid: { code: 'bad_form', suggestion: 'Correct the field that is named, and send the form again.' },
    refusals: ['bad_project', 'bad_branch', 'branch_exists', 'dirty_tree', 'session_active', 'workflow_off'],
  }),
  template: route({
    method: 'GET',
    path: '/api/sessions/template',
    summary: 'Gives what a new form begins with.',
    answer: z.strictObject({
      criteria: z.array(Criterion),
      settings: SessionSettings,
      mode: WorkPlaceMode,
      baseBranch: z.string(),
      branchPattern: z.string(),
      client: z
        .strictObject({ version: z.string().nullable(), supported: z.boolean(), problem: z.string().nullable() })
        .describe('The Claude Code that would be started'),
    }),
  }),
  validatePath: route({
    method: 'POST',
    path: '/api/sessions/validate-path',
    summary: 'Checks whether a folder can be worked in, and tells what is known of it.',
    body: z.strictObject({ path: z.string().max(4096) }),
    answer: PathState,
  }),
  files: route({
    method: 'POST',
    path: '/api/sessions/files',
    summary: 'Finds files of a project by a part of their name, for the form.',
    body: z.strictObject({ path: z.string().max(4096), search: z.string().max(200).default('') }),
    answer: z.strictObject({ files: z.array(z.string()) }),
  }),
  existingTodos: route({
    method: 'POST',
    path: '/api/sessions/existing-todos',
    summary: 'Lists the comments in a project that begin with TODO, FIXME or DEPENDENCY.',
    body: z.strictObject({ path: z.string().max(4096) }),
    answer: z.strictObject({
      blocks: z.array(
        z.strictObject({
          path: z.string(),
          line: z.int(),
          type: z.enum(['TODO', 'FIXME', 'DEPENDENCY']),
          text: z.string(),
        }),
      ),
      truncated: z.boolean(),
    }),
  }),
  orphanedBranches: route({
    method: 'GET',
    path: '/api/sessions/orphaned-branches',
    summary: 'Lists branches that look like those of feature sessions and belong to none.',
    answer: z.strictObject({
      branches: z.array(z.strictObject({ projectPath: z.string(), name: z.string(), lastCommitAt: isoTime })),
    }),
  }),
  damaged: route({
    method: 'GET',
    path: '/api/sessions/damaged',
    summary: 'Lists feature sessions whose session.json cannot be read, nor the copy before it.',
    answer: z.strictObject({
      sessions: z.array(
        z.strictObject({
          projectId: z.string(),
          featureId: z.string(),
          status: z.literal('corrupted'),
          folder: z.string().describe('Where its files lie; plan, questions and events may still be read'),
        }),
      ),
    }),
  }),
  repair: route({
    method: 'POST',
    path: '/api/sessions/damaged/:projectId/:featureId',
    summary: 'Reads a damaged session once more, after its file was put back, or takes it out of the way.',
    person: true,
    params: inSession,
    body: z.strictObject({
      action: z.enum(['read_again', 'set_aside']).describe('`set_aside` moves the folder; nothing is removed'),
    }),
    answer: z.strictObject({
      readable: z.boolean(),
      folder: z.string().nullable().describe('Where a session lies that was taken out of the way'),
    }),
    refusals: ['session_not_found'],
  }),
  show: route({
    method: 'GET',
    path: '/api/sessions/:projectId/:featureId',
    summary: 'Shows a feature session with everything in it.',
    params: inSession,
    answer,
    refusals: ['session_not_found'],
  }),
  pause: command('pause', 'Stops Claude and pauses the session. Changes stay.'),
  resume: command('resume', 'Goes on with a session that is paused or was interrupted.'),
  cancel: command('cancel', 'Stops Claude at once and pauses the session. Uncommitted changes stay.'),
  interrupt: command('interrupt', 'Ends the current turn of Claude; the session stays active and waits for a message.'),
  message: route({
    method: 'POST',
    path: '/api/sessions/:projectId/:featureId/message',
    summary: 'Says something to Claude, in the middle of its work or before it goes on.',
    person: true,
    params: inSession,
    body: z.strictObject({ ...commandFields, text: note.min(1) }),
    answer,
    refusals: COMMAND_REFUSALS,
  }),
  choose: route({
    method: 'POST',
    path: '/api/sessions/:projectId/:featureId/choice',
    summary: 'Chooses how a held session continues: limits, the breaker, failing checks, conflicts, logins, expiry.',
    person: true,
    params: inSession,
    body: z.strictObject({
      ...commandFields,
      choice: z.enum(HOLD_CHOICES),
      text: note.default('').describe('Guidance, or the name of a branch, where the choice asks for it'),
    }),
    answer,
    refusals: [...COMMAND_REFUSALS, 'choice_not_offered', 'bad_branch', 'branch_exists', 'repository_trouble'],
  }),
  rollback: route({
    method: 'POST',
    path: '/api/sessions/:projectId/:featureId/rollback',
    summary:
      'Puts the branch back to where the session began. Everything, untracked files too, is saved under a hidden ref first.',
    person: true,
    params: inSession,
    body: z.strictObject({ ...commandFields, confirm: z.literal(true).describe('Yes, roll back') }),
    answer: z.strictObject({
      session: SessionSnapshot,
      savedAs: z.string().describe('The hidden ref'),
      restore: z.string().describe('The command that brings it back'),
    }),
    refusals: [...COMMAND_REFUSALS, 'repository_trouble'],
  }),
  archive: command('archive', 'Takes a session out of the usual list. Nothing is removed.'),
  unarchive: command('unarchive', 'Brings an archived session back into the list.'),
  delete: command('delete', 'Hides a session. Nothing is removed, and it can be undone.'),
  undelete: command('undelete', 'Undoes a deletion.'),
  finalApproval: route({
    method: 'POST',
    path: '/api/sessions/:projectId/:featureId/final-approval',
    summary: 'Gives the final decision: complete, change the plan, or review again.',
    person: true,
    params: inSession,
    body: z
      .strictObject({
        ...commandFields,
        action: z
          .enum(['merge', 'plan_changes', 're_review'])
          .describe('`merge`: the session is complete; merging stays with you'),
        feedback: note.exactOptional().describe('Needed for the last two'),
      })
      .refine(({ action, feedback }) => action === 'merge' || (feedback ?? '') !== '', {
        error: 'Feedback is needed: say what should change, or what to look at again',
        path: ['feedback'],
      }),
    answer,
    refusals: COMMAND_REFUSALS,
  }),
}
