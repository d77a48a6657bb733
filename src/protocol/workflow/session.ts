import { z } from 'zod'
import type { Task as CoreTask } from '#core/workflow/flow.ts'
import { type Hold as CoreHold, HOLD_KINDS } from '#core/workflow/hold.ts'
import { CriterionType, fileVersion, isoTime, StageNumber, Status, WorkPlaceMode } from './fields.ts'

export const Criterion = z
  .object({
    text: z.string(),
    checked: z.boolean().describe('It counts for this feature'),
    type: CriterionType,
  })
  .meta({ id: 'Criterion', description: 'When the feature is done, in one sentence.' })
export type Criterion = z.infer<typeof Criterion>

export const Hold = z
  .object({
    kind: z.enum(HOLD_KINDS),
    message: z.string(),
    detail: z.string().nullable(),
    since: isoTime,
    until: isoTime.nullable().describe('When Grove goes on by itself'),
  })
  .meta({
    id: 'Hold',
    description: 'What keeps a feature session from going on until a person chooses.',
  }) satisfies z.ZodType<CoreHold>

const stepTask = { stepId: z.string() }
export const Task = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('open') }),
    z.object({ type: z.literal('discover') }),
    z.object({ type: z.literal('revise') }),
    z.object({ type: z.literal('review') }),
    z.object({ type: z.literal('validate') }),
    z.object({ type: z.literal('implement'), ...stepTask }),
    z.object({ type: z.literal('collect'), ...stepTask }),
    z.object({ type: z.literal('check') }),
    z.object({ type: z.literal('fix'), detail: z.string() }),
    z.object({ type: z.literal('commit') }),
    z.object({ type: z.literal('describe') }),
    z.object({ type: z.literal('publish') }),
    z.object({ type: z.literal('watch') }),
    z.object({ type: z.literal('pr_review') }),
  ])
  .describe('What Grove has to do now') satisfies z.ZodType<CoreTask>

const command = z.array(z.string()).exactOptional()

/** Settings as they were when the session began; each may be given in the form. */
export const SessionSettings = z
  .object({
    autoPush: z.boolean(),
    deleteBranchAfterMerge: z.boolean(),
    recommendedReviews: z.int(),
    expiryHours: z.number(),
    maxCallsPerHour: z.int(),
    timeoutMinutes: z.number(),
    tokenBudget: z.int().nullable(),
  })
  .meta({ id: 'SessionSettings', description: 'Settings of one feature session.' })

/** session.json */
export const SessionFile = z
  .object({
    version: fileVersion,
    id: z.string(),
    projectId: z.string().describe('A short form that is safe in folders and addresses'),
    featureId: z.string(),
    project: z.object({ id: z.string(), name: z.string() }).describe('As the rest of Grove names it'),
    title: z.string(),
    featureDescription: z.string(),
    projectPath: z.string(),
    acceptanceCriteria: z.array(Criterion),
    affectedFiles: z.array(z.string()),
    technicalNotes: z.string(),
    baseBranch: z.string(),
    featureBranch: z.string(),
    baseCommitSha: z.string(),
    existingBranch: z.boolean().default(false).describe('The branch was there before; its own commits stay'),
    status: Status,
    currentStage: StageNumber,
    replanningCount: z.int(),
    claudeSessionId: z.string().nullable(),
    claudePlanFilePath: z.string().nullable(),
    currentPlanVersion: z.int(),
    sessionExpiresAt: isoTime.nullable(),
    createdAt: isoTime,
    updatedAt: isoTime,

    revision: z.int().describe('Grows with every change; a command may name the one it was made for'),
    mode: WorkPlaceMode,
    folder: z.string().describe('Where the work happens'),
    settings: SessionSettings,
    commands: z.object({ test: command, build: command, lint: command, types: command, setup: command }),
    task: Task.nullable(),
    hold: Hold.nullable(),
    planHash: z.string(),
    approval: z
      .object({
        planHash: z.string(),
        planVersion: z.int(),
        signedOff: z.boolean(),
        at: isoTime,
        by: z.string().exactOptional().describe('Who approved it; absent for an owner without a name'),
      })
      .nullable()
      .describe("A person's word for exactly this plan"),
    startWhenClean: z
      .string()
      .nullable()
      .describe('The hash of the plan that may start by itself once a review is clean'),
    isClean: z.boolean().describe('The last review of this plan left nothing to decide'),
    reviewCount: z.int(),
    recommendedReviews: z.int(),
    carried: z.array(
      z.object({
        from: z.enum(['answer', 'change_request', 'blocker', 'todo', 'pr_review', 'ci', 'final_approval', 'guidance']),
        text: z.string(),
      }),
    ),
    fixAttempts: z.int(),
    acceptsFailure: z.boolean(),
    localReview: z.boolean(),
    baseUpdate: z.enum(['rebase', 'merge', 'skip']),
    mayPush: z.boolean(),
    parked: z
      .object({ toolUseId: z.string(), tool: z.string(), batch: z.string() })
      .nullable()
      .describe('The call of Claude that waits for answers'),
    claudeSessions: z.array(
      z.object({ id: z.string(), stage: StageNumber, model: z.string().nullable(), startedAt: isoTime }),
    ),
    usage: z.object({
      costUsd: z.number(),
      inputTokens: z.int(),
      outputTokens: z.int(),
      contextTokens: z.int(),
      window: z.int(),
    }),
    recalled: z
      .array(z.object({ kind: z.enum(['memory', 'learning']), id: z.string(), title: z.string() }))
      .describe('What the team knew and Claude was given'),
    continues: z.string().nullable().describe('The expired session that this one goes on from'),
    requests: z
      .array(z.string())
      .default([])
      .describe('Commands that were done, by the ids they were sent with; the newest'),
    rolledBack: z
      .object({
        savedAs: z.string().describe('The hidden ref'),
        restore: z.string().describe('The command that brings it back'),
      })
      .nullable()
      .default(null)
      .describe('Where everything lies that a rollback has put away'),
    archivedAt: isoTime.nullable(),
    deletedAt: isoTime.nullable(),
  })
  .meta({ id: 'FeatureSession', description: 'One run of the six-stage workflow.' })
export type SessionFile = z.infer<typeof SessionFile>
