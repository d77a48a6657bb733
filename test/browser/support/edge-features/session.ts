import { type Stage, stageName } from '../../../../src/core/workflow/stage.ts'
import type { SessionSnapshot } from '../../../../src/protocol/api/sessions.ts'
import { SessionSnapshot as Schema } from '../../../../src/protocol/api/sessions.ts'
import { noProgress } from '../../../../src/workflow/new-files.ts'
import { sampleFiles } from '../../../../src/workflow/testing/sample.ts'
import { iso, now } from './ago.ts'
import { planOf } from './plan.ts'
import { CRITERIA, REVIEWS } from './reviewed.ts'

/** Feature sessions as the server would tell of them, for sizes and faults that a real one does not have; each is checked against the declared shape. */

export type More = Partial<Omit<SessionSnapshot, 'summary' | 'session'>> & {
  summary?: Partial<SessionSnapshot['summary']>
  session?: Partial<SessionSnapshot['session']>
}

export function feature(featureId: string, title: string, stage: Stage, more: More = {}): SessionSnapshot {
  const id = `ses_${featureId}`
  const plan = more.plan === undefined ? (stage >= 2 ? planOf(stage) : null) : more.plan
  const steps = plan?.steps ?? []
  const place = { projectId: 'p-billing', featureId }
  const waiting = (more.summary?.waiting ?? []).map((one) => ({ ...one, ...place, sessionTitle: title }))
  const isExecuting = more.summary?.executing ?? false
  const { session, ...files } = sampleFiles({
    id,
    ...place,
    project: { id: 'example.com/billing', name: 'billing' },
    title,
    featureDescription:
      'Refresh tokens live for thirty days today. A stolen one is good for as long, and nobody notices. Rotate them on every use, and end the family when one is used twice.',
    projectPath: '/src/billing',
    acceptanceCriteria: CRITERIA.map(({ text, type }) => ({ text, type, checked: true })),
    featureBranch: `feature/${featureId}`,
    status: more.summary?.status ?? 'active',
    currentStage: stage,
    claudeSessionId: 'b41f7c09-0000-4000-8000-000000000000',
    currentPlanVersion: plan?.planVersion ?? 0,
    createdAt: iso(120),
    updatedAt: iso(6),
    folder: `/home/work/.grove/worktrees/${featureId}`,
    task: null,
    planHash: plan?.hash ?? '',
    reviewCount: stage >= 2 ? 3 : 0,
    mayPush: true,
    usage: { costUsd: 1.84, inputTokens: 120_000, outputTokens: 9_000, contextTokens: 82_000, window: 200_000 },
    recalled: [{ kind: 'memory', id: 'mem_0', title: 'Why sign-in uses opaque refresh tokens' }],
    ...more.session,
  })
  const snapshot: SessionSnapshot = {
    summary: {
      id,
      ...place,
      title,
      projectName: 'billing',
      projectPath: '/src/billing',
      branch: `feature/${featureId}`,
      status: 'active',
      stage,
      stageName: stageName(stage),
      stageText: [
        'Feature discovery',
        'Plan review (3/10)',
        'Implementation',
        'Pull request',
        'Pull request review',
        'Final approval',
      ][stage - 1]!,
      executing: false,
      reviewCount: stage >= 2 ? 3 : 0,
      recommendedReviews: 10,
      replanningCount: 0,
      stepsDone: steps.filter(({ status }) => status === 'completed').length,
      stepsTotal: steps.length,
      currentStep: null,
      pr: null,
      costUsd: costOf(featureId),
      archived: false,
      deleted: false,
      createdAt: iso(120),
      updatedAt: iso(featureId.length * 3 - 8),
      ...more.summary,
      waiting,
    },
    session,
    status: {
      ...files.status,
      timestamp: iso(0),
      currentStage: stage,
      currentStepId: stage === 3 ? '4' : null,
      status: isExecuting ? 'executing' : 'waiting',
      claudeSpawnCount: 9,
      callsThisHour: 12,
      nextHourReset: iso(-20),
      lastOutputLength: 900,
      lastAction: 'Edit src/auth/refresh.ts',
      lastActionAt: new Date(now - 4_000).toISOString(),
    },
    progress: {
      ...noProgress(id),
      isExecuting,
      startedAt: iso(3),
      elapsedSeconds: 180,
      lastOutputLine: 'npm test -- refresh',
      filesModifiedThisStep: 3,
      estimatedProgress: 62,
    },
    plan,
    questions: [],
    held: 0,
    filtered: 0,
    reviews: stage >= 2 ? REVIEWS : [],
    planReviews: [],
    todos: [],
    pr: files.pr,
    checks: [],
    criteria: CRITERIA,
    actions: ['pause', 'cancel', 'interrupt', 'message', 'rollback', 'archive', 'delete'],
    lastEvent: 40,
    problems: [],
    ...Object.fromEntries(
      Object.entries(more).filter(([key]) => key !== 'summary' && key !== 'session' && key !== 'plan'),
    ),
  }
  return Schema.parse(snapshot)
}

/** Each another, so that a list looks like one. */
function costOf(featureId: string): number {
  const sum = [...featureId].reduce((all, letter) => all + letter.charCodeAt(0), 0)
  return (sum % 430) / 100 + 0.12
}
