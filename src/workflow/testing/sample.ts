import type { FeatureFiles } from '#protocol/workflow/feature-files.ts'
import type { SessionFile } from '#protocol/workflow/session.ts'
import { emptyFiles } from '../new-files.ts'
import { newSession } from '../new-session.ts'

const FORM = {
  title: 'Add login',
  description: 'People can log in with their mail address.',
  projectPath: '/projects/app',
  acceptanceCriteria: [{ text: 'All tests pass', checked: true, type: 'automated' as const }],
  affectedFiles: [],
  technicalNotes: '',
  options: {},
}
const PLACE = {
  projectId: 'app-1a2b3c',
  featureId: 'add-login',
  baseBranch: 'main',
  featureBranch: 'feature/add-login',
  existingBranch: false,
  mode: 'worktree' as const,
  folder: '/worktrees/add-login',
}
const SETTINGS = {
  autoPush: true,
  deleteBranchAfterMerge: true,
  recommendedReviews: 10,
  expiryHours: 24,
  maxCallsPerHour: 100,
  timeoutMinutes: 15,
  tokenBudget: 0,
}

/** A session as it is when its branch has been opened. */
export function sampleSession(change: Partial<SessionFile> = {}): SessionFile {
  const facts = { projectId: 'example.com/team/app', name: 'app', path: FORM.projectPath }
  const id = '7d8a6c1e-0000-4000-8000-000000000001'
  const begun = newSession(FORM, facts, PLACE, SETTINGS, { id, at: '2026-01-10T14:30:00.000Z', continues: null })
  return { ...begun, revision: 1, baseCommitSha: 'abc123', commands: { test: ['npm', 'test'] }, ...change }
}

export function sampleFiles(change: Partial<SessionFile> = {}): FeatureFiles {
  const session = sampleSession(change)
  return { session, ...emptyFiles(session) }
}
