import { join } from 'node:path'
import type { RepositoryFacts, RepositoryTrouble } from '#core/ports/repository.ts'
import { type Refusal, refusal } from '#core/refusal.ts'
import { branchName, slug } from '#core/workflow/naming.ts'
import type { SessionForm } from '#protocol/api/session-form.ts'
import { isRefusal } from '#protocol/refusal.ts'
import type { SessionFile } from '#protocol/workflow/session.ts'
import type { Engine } from './engine.ts'
import type { Feature } from './feature.ts'
import { emptyFiles } from './new-files.ts'
import { newSession } from './new-session.ts'

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
  const mode = form.options.mode ?? world.settings.mode
  const id = world.newId()
  const at = new Date(world.clock.now()).toISOString()
  const branch = await chooseBranch(engine, form, facts, { sessionId: id, date: at.slice(0, 10) })
  if (isRefusal(branch)) return branch
  const baseBranch = chooseBase(world, form, facts)
  if (isRefusal(baseBranch)) return baseBranch
  const refused = mode === 'in_place' ? await clearCheckout(engine, form, facts) : undefined
  if (refused) return refused
  const projectId = projectKey(world.digest, { id: facts.projectId, name: facts.name })
  const featureId = await claim(engine, projectId, slug(form.title))
  const folder = mode === 'in_place' ? facts.path : join(world.worktrees, projectId, featureId)
  const place = { projectId, featureId, mode, folder, baseBranch, ...branch }
  const session = newSession(form, facts, place, world.settings, { id, at, continues })
  return engine.adopt({ session, ...emptyFiles(session) })
}

type Branch = Pick<SessionFile, 'featureBranch' | 'existingBranch'>

/** The branch that the form names, or one made from the title; a taken name is used or numbered only if the form says so. */
async function chooseBranch(
  engine: Engine,
  { title, options }: SessionForm,
  facts: RepositoryFacts,
  { sessionId, date }: { sessionId: string; date: string },
): Promise<Branch | Refused> {
  const { repository, settings } = engine.world
  const wanted = options.branch ?? branchName(settings.branchPattern, { slug: slug(title), sessionId, date })
  const allowed = await repository.checkBranch(wanted)
  if (!allowed.ok) return refusal('bad_branch', allowed.message, 'Choose a name that git accepts.')
  const promised = engine
    .all()
    .filter(({ session }) => session.projectPath === facts.path && session.task?.type === 'open')
    .map(({ session }) => session.featureBranch)
  const free = await repository.freeBranch(facts.path, allowed.value, promised)
  if (!free.ok) return refusal('bad_branch', free.message, 'Choose another name.')
  const isTaken = options.branch !== undefined && free.value !== allowed.value
  const existingBranch = isTaken && options.ifBranchExists === 'use'
  const owner = existingBranch && engine.all().find((one) => worksOn(one, facts.path, allowed.value))
  if (owner) {
    return refusal(
      'branch_exists',
      `"${owner.session.title}" works on the branch ${allowed.value} already.`,
      `Choose another name; ${free.value} is free.`,
    )
  }
  if (isTaken && !existingBranch && options.ifBranchExists !== 'number') {
    return refusal(
      'branch_exists',
      `The branch ${allowed.value} exists already.`,
      `Continue from it, or choose another name; ${free.value} is free.`,
    )
  }
  return { featureBranch: existingBranch ? allowed.value : free.value, existingBranch }
}

/** The branch that the work begins from: the form's, the settings', or the repository's default one. */
function chooseBase({ settings }: Engine['world'], { options }: SessionForm, facts: RepositoryFacts): string | Refused {
  const isKnown = (branch: string) => facts.branches.includes(branch)
  if (options.baseBranch && !isKnown(options.baseBranch)) {
    return refusal(
      'bad_branch',
      `There is no branch ${options.baseBranch}.`,
      'Choose one of the branches of the repository.',
    )
  }
  const preferred = options.baseBranch ?? settings.baseBranch
  return isKnown(preferred) ? preferred : facts.defaultBranch
}

/** Makes sure that a session can work in the checkout itself: no other does, and uncommitted changes are stashed if the form says so. */
async function clearCheckout(engine: Engine, form: SessionForm, facts: RepositoryFacts): Promise<Refused | undefined> {
  const other = engine.all().find((one) => worksIn(one, facts.path))
  if (other) {
    return refusal(
      'session_active',
      `"${other.session.title}" works in this checkout already.`,
      'Complete, pause and archive, or roll back that session first; or use a worktree.',
    )
  }
  if (!facts.dirty) return undefined
  if (!form.options.stash) {
    return refusal(
      'dirty_tree',
      'The checkout has uncommitted changes.',
      'Commit them, let Grove stash them, or use a worktree, which leaves them alone.',
    )
  }
  const stashed = await engine.world.repository.stash(facts.path, `Before the feature session "${form.title}"`)
  return stashed.ok
    ? undefined
    : refusal('dirty_tree', stashed.message, 'Commit or stash the changes yourself, and try again.')
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
