import type { RepositoryFacts } from '#core/ports/repository.ts'
import { redact } from '#core/redact/redact.ts'
import type { SessionForm } from '#protocol/api/session-form.ts'
import { FILE_VERSION } from '#protocol/workflow/fields.ts'
import type { SessionFile } from '#protocol/workflow/session.ts'
import type { WorkflowWorld } from './world.ts'

/** Where a new session works, and on which branch. */
type Place = Pick<
  SessionFile,
  'projectId' | 'featureId' | 'mode' | 'folder' | 'baseBranch' | 'featureBranch' | 'existingBranch'
>

/** A session as it begins: what the form says, and the settings for what it leaves open. */
export function newSession(
  form: SessionForm,
  facts: Pick<RepositoryFacts, 'projectId' | 'name' | 'path'>,
  place: Place,
  settings: Pick<WorkflowWorld['settings'], keyof SessionFile['settings']>,
  { id, at, continues }: { id: string; at: string; continues: string | null },
): SessionFile {
  const { options } = form
  const recommendedReviews = options.recommendedReviews ?? settings.recommendedReviews
  return {
    version: FILE_VERSION,
    id,
    projectId: place.projectId,
    featureId: place.featureId,
    project: { id: facts.projectId, name: facts.name },
    title: redact(form.title),
    featureDescription: redact(form.description),
    projectPath: facts.path,
    acceptanceCriteria: form.acceptanceCriteria,
    affectedFiles: form.affectedFiles,
    technicalNotes: redact(form.technicalNotes),
    baseBranch: place.baseBranch,
    featureBranch: place.featureBranch,
    existingBranch: place.existingBranch,
    baseCommitSha: '',
    status: 'active',
    currentStage: 1,
    replanningCount: 0,
    claudeSessionId: null,
    claudePlanFilePath: null,
    currentPlanVersion: 0,
    sessionExpiresAt: null,
    createdAt: at,
    updatedAt: at,
    revision: 0,
    mode: place.mode,
    folder: place.folder,
    settings: {
      autoPush: options.autoPush ?? settings.autoPush,
      deleteBranchAfterMerge: options.deleteBranchAfterMerge ?? settings.deleteBranchAfterMerge,
      recommendedReviews,
      expiryHours: options.expiryHours ?? settings.expiryHours,
      maxCallsPerHour: options.maxCallsPerHour ?? settings.maxCallsPerHour,
      timeoutMinutes: options.timeoutMinutes ?? settings.timeoutMinutes,
      tokenBudget: options.tokenBudget ?? (settings.tokenBudget || null),
    },
    commands: {},
    task: { type: 'open' },
    hold: null,
    planHash: '',
    approval: null,
    startWhenClean: null,
    isClean: false,
    reviewCount: 0,
    recommendedReviews,
    carried: [],
    fixAttempts: 0,
    acceptsFailure: false,
    localReview: options.localReview ?? false,
    baseUpdate: 'rebase',
    mayPush: false,
    parked: null,
    claudeSessions: [],
    usage: { costUsd: 0, inputTokens: 0, outputTokens: 0, contextTokens: 0, window: 0 },
    recalled: [],
    continues,
    requests: form.requestId === undefined ? [] : [form.requestId],
    rolledBack: null,
    archivedAt: null,
    deletedAt: null,
  }
}
