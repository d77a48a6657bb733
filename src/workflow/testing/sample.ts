import type { FeatureFiles } from '#protocol/workflow/feature-files.ts'
import { FILE_VERSION } from '#protocol/workflow/fields.ts'
import type { SessionFile } from '#protocol/workflow/session.ts'
import { emptyFiles } from '../new-files.ts'

/** A session as it is right after its form was sent. */
export function sampleSession(change: Partial<SessionFile> = {}): SessionFile {
  const at = '2026-01-10T14:30:00.000Z'
  return {
    version: FILE_VERSION,
    id: '7d8a6c1e-0000-4000-8000-000000000001',
    projectId: 'app-1a2b3c',
    featureId: 'add-login',
    project: { id: 'example.com/team/app', name: 'app' },
    title: 'Add login',
    featureDescription: 'People can log in with their mail address.',
    projectPath: '/projects/app',
    acceptanceCriteria: [{ text: 'All tests pass', checked: true, type: 'automated' }],
    affectedFiles: [],
    technicalNotes: '',
    baseBranch: 'main',
    featureBranch: 'feature/add-login',
    existingBranch: false,
    baseCommitSha: 'abc123',
    status: 'active',
    currentStage: 1,
    replanningCount: 0,
    claudeSessionId: null,
    claudePlanFilePath: null,
    currentPlanVersion: 0,
    sessionExpiresAt: null,
    createdAt: at,
    updatedAt: at,
    revision: 1,
    mode: 'worktree',
    folder: '/worktrees/add-login',
    settings: {
      autoPush: true,
      deleteBranchAfterMerge: true,
      recommendedReviews: 10,
      expiryHours: 24,
      maxCallsPerHour: 100,
      timeoutMinutes: 15,
      tokenBudget: null,
    },
    commands: { test: ['npm', 'test'] },
    task: { type: 'open' },
    hold: null,
    planHash: '',
    approval: null,
    startWhenClean: null,
    isClean: false,
    reviewCount: 0,
    recommendedReviews: 10,
    carried: [],
    fixAttempts: 0,
    acceptsFailure: false,
    localReview: false,
    baseUpdate: 'rebase',
    mayPush: false,
    parked: null,
    claudeSessions: [],
    usage: { costUsd: 0, inputTokens: 0, outputTokens: 0, contextTokens: 0, window: 0 },
    recalled: [],
    continues: null,
    requests: [],
    rolledBack: null,
    archivedAt: null,
    deletedAt: null,
    ...change,
  }
}

export function sampleFiles(change: Partial<SessionFile> = {}): FeatureFiles {
  const session = sampleSession(change)
  return { session, ...emptyFiles(session) }
}
