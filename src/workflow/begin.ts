import { join } from 'node:path'
import type { RepositoryTrouble } from '#core/ports/repository.ts'
import { redact } from '#core/redact/redact.ts'
import { type Refusal, refusal } from '#core/refusal.ts'
import { branchName, slug } from '#core/workflow/naming.ts'
import type { SessionForm } from '#protocol/api/session-form.ts'
import { FILE_VERSION } from '#protocol/workflow/fields.ts'
import type { SessionFile } from '#protocol/workflow/session.ts'
import type { Engine } from './engine.ts'
import type { Feature } from './feature.ts'
import { emptyFiles } from './new-files.ts'

type Refused = Refusal<
  'bad_project' | 'bad_branch' | 'branch_exists' | 'dirty_tree' | 'session_active' | 'workflow_off'
>

const REMEDIES: Partial<Record<RepositoryTrouble, string>> = {
  not_found: 'Check the path; the folder must be on this machine.',
  not_a_folder: 'Give the folder of the repository.',
  not_a_repository: 'Run git init there, or give the folder of a repository.',
  no_commit: 'Make a first commit; a branch needs one to begin from.',
  not_readable: 'Give your user the right to read it.',
  not_writable: 'Give your user the right to write to it.',
}

export function remedyFor(code: RepositoryTrouble): string {
  return REMEDIES[code] ?? 'Read the message of git, then try again.'
}

/** A short form of a project's id that is safe in folders and addresses. */
export function projectKey(digest: (text: string) => string, project: { id: string; name: string }): string {
  return `${slug(project.name).slice(0, 40)}-${digest(project.id)
    .replace(/^sha256:/, '')
    .slice(0, 8)}`
}

/**
 * Begins a feature session, or says why not; everything is checked before anything is written. Forms are handled one
 * after the other, so that two with the same title do not choose the same branch.
 */
export function begin(engine: Engine, form: SessionForm, continues: string | null = null): Promise<Feature | Refused> {
  return engine.inTurn(() => beginNow(engine, form, continues))
}

async function beginNow(engine: Engine, form: SessionForm, continues: string | null): Promise<Feature | Refused> {
  const { world } = engine
  const { options } = form
  const client = await world.driver.client()
  if (!client) {
    return refusal(
      'workflow_off',
      'Claude Code is not installed, or not found.',
      'Install it, or set GROVE_CLAUDE_BIN to its path.',
    )
  }
  const inspected = await world.repository.inspect(form.projectPath)
  if (!inspected.ok) return refusal('bad_project', inspected.message, remedyFor(inspected.code))
  const facts = inspected.value
  if (!facts.head) return refusal('bad_project', 'The repository has no commits yet.', remedyFor('no_commit'))
  const mode = options.mode ?? world.settings.mode
  const id = world.newId()
  const at = new Date(world.clock.now()).toISOString()
  const projectId = projectKey(world.digest, { id: facts.projectId, name: facts.name })
  const name = slug(form.title)
  const wanted =
    options.branch ?? branchName(world.settings.branchPattern, { slug: name, sessionId: id, date: at.slice(0, 10) })
  const allowed = await world.repository.checkBranch(wanted)
  if (!allowed.ok) return refusal('bad_branch', allowed.message, 'Choose a name that git accepts.')
  const promised = engine
    .all()
    .filter(({ session }) => session.projectPath === facts.path && session.task?.type === 'open')
    .map(({ session }) => session.featureBranch)
  const branch = await world.repository.freeBranch(facts.path, allowed.value, promised)
  if (!branch.ok) return refusal('bad_branch', branch.message, 'Choose another name.')
  const isTaken = options.branch !== undefined && branch.value !== allowed.value
  const existingBranch = isTaken && options.ifBranchExists === 'use'
  const owner = existingBranch && engine.all().find((one) => worksOn(one, facts.path, allowed.value))
  if (owner) {
    return refusal(
      'branch_exists',
      `"${owner.session.title}" works on the branch ${allowed.value} already.`,
      `Choose another name; ${branch.value} is free.`,
    )
  }
  if (isTaken && !existingBranch && options.ifBranchExists !== 'number') {
    return refusal(
      'branch_exists',
      `The branch ${allowed.value} exists already.`,
      `Continue from it, or choose another name; ${branch.value} is free.`,
    )
  }
  const known = (one: string) => facts.branches.includes(one)
  const preferred = options.baseBranch ?? world.settings.baseBranch
  const baseBranch = options.baseBranch || known(preferred) ? preferred : facts.defaultBranch
  if (options.baseBranch && !known(options.baseBranch)) {
    return refusal(
      'bad_branch',
      `There is no branch ${options.baseBranch}.`,
      'Choose one of the branches of the repository.',
    )
  }
  if (mode === 'in_place') {
    const other = engine.all().find((one) => worksIn(one, facts.path))
    if (other) {
      return refusal(
        'session_active',
        `"${other.session.title}" works in this checkout already.`,
        'Complete, pause and archive, or roll back that session first; or use a worktree.',
      )
    }
    if (facts.dirty && !options.stash) {
      return refusal(
        'dirty_tree',
        'The checkout has uncommitted changes.',
        'Commit them, let Grove stash them, or use a worktree, which leaves them alone.',
      )
    }
    if (facts.dirty) {
      const stashed = await world.repository.stash(facts.path, `Before the feature session "${form.title}"`)
      if (!stashed.ok)
        return refusal('dirty_tree', stashed.message, 'Commit or stash the changes yourself, and try again.')
    }
  }
  const featureId = await claim(engine, projectId, name)
  const folder = mode === 'in_place' ? facts.path : join(world.worktrees, projectId, featureId)
  const { settings } = world
  const recommendedReviews = options.recommendedReviews ?? settings.recommendedReviews
  const session: SessionFile = {
    version: FILE_VERSION,
    id,
    projectId,
    featureId,
    project: { id: facts.projectId, name: facts.name },
    title: redact(form.title),
    featureDescription: redact(form.description),
    projectPath: facts.path,
    acceptanceCriteria: form.acceptanceCriteria,
    affectedFiles: form.affectedFiles,
    technicalNotes: redact(form.technicalNotes),
    baseBranch,
    featureBranch: existingBranch ? allowed.value : branch.value,
    existingBranch,
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
    mode,
    folder,
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
  return engine.adopt({ session, ...emptyFiles(session) })
}

function isLive({ session }: Feature): boolean {
  return ['active', 'paused', 'interrupted', 'error'].includes(session.status) && session.archivedAt === null
}

function worksIn(feature: Feature, path: string): boolean {
  return isLive(feature) && feature.session.mode === 'in_place' && feature.session.projectPath === path
}

function worksOn(feature: Feature, path: string, branch: string): boolean {
  return isLive(feature) && feature.session.projectPath === path && feature.session.featureBranch === branch
}

/** Creating the folder claims the name: two forms sent at once never share one. */
async function claim({ world }: Engine, projectId: string, name: string): Promise<string> {
  for (let number = 1; ; number++) {
    const featureId = number === 1 ? name : `${name}-${number}`
    if (await world.store.claim(projectId, featureId)) return featureId
  }
}
