import { type Refusal, refusal } from '#core/refusal.ts'
import type { AnswerOf } from '#protocol/api/route.ts'
import { DEFAULT_CRITERIA } from '#protocol/api/session-form.ts'
import type { SessionSummary, sessionRoutes } from '#protocol/api/sessions.ts'
import { isRefusal } from '#protocol/refusal.ts'
import { begin, projectKey, remedyFor } from '#workflow/begin.ts'
import { final } from '#workflow/commands/approve.ts'
import { choose } from '#workflow/commands/choose.ts'
import type { CommandRefusal } from '#workflow/commands/refused.ts'
import { rollback } from '#workflow/commands/rollback.ts'
import * as running from '#workflow/commands/run.ts'
import type { Engine } from '#workflow/engine.ts'
import type { Feature } from '#workflow/feature.ts'
import { snapshotOf, summaryOf } from '#workflow/view.ts'
import type { Handlers } from '../serve-route.ts'

/** `/api/sessions`: feature sessions, begun, listed, shown and steered. */

export interface FeatureNeeds {
  features: Engine
}

export type NoSession = Refusal<'session_not_found'>

type Refused = 'not_possible_now' | 'choice_not_offered' | 'bad_branch' | 'branch_exists' | 'repository_trouble'

export function findFeature(
  { features }: FeatureNeeds,
  params: { projectId: string; featureId: string },
): Feature | NoSession {
  const found = features.find(params.projectId, params.featureId)
  return found ?? noSession()
}

function noSession(): NoSession {
  return refusal('session_not_found', 'There is no such feature session.', 'GET /api/sessions lists all of them.')
}

export function shown({ features }: FeatureNeeds, feature: Feature) {
  return { session: snapshotOf(feature, features.executingSince(feature), features.world.clock.now()) }
}

interface Given {
  params: { projectId: string; featureId: string }
  body: { requestId?: string | undefined; revision?: number | undefined }
}

/**
 * Runs a command on a session. A repeated request id is answered from the record, also after a restart; a revision that
 * is no longer the newest is refused.
 */
export async function onFeature<Result extends object>(
  needs: FeatureNeeds,
  { params, body }: Given,
  run: (feature: Feature, request: string | undefined) => Promise<Result>,
  again: (feature: Feature) => Result = (feature) => shown(needs, feature) as unknown as Result,
): Promise<Result | NoSession | Refusal<'stale_revision'>> {
  const feature = findFeature(needs, params)
  if (isRefusal(feature)) return feature
  if (body.requestId !== undefined && feature.session.requests.includes(body.requestId)) return again(feature)
  if (body.revision !== undefined && body.revision < feature.session.revision) {
    return refusal('stale_revision', 'The session has changed since you looked at it.', 'Look again, then decide.')
  }
  return run(feature, body.requestId)
}

type Command = (engine: Engine, feature: Feature, request: string | undefined) => Promise<CommandRefusal | undefined>

export function sessionHandlers(needs: FeatureNeeds): Handlers<typeof sessionRoutes> {
  const { features } = needs
  const { world } = features

  const command = (run: Command) => (given: Given) =>
    onFeature(needs, given, async (feature, request) => asked(await run(features, feature, request), feature))

  function asked(no: CommandRefusal | undefined, feature: Feature) {
    // Only what a command of this kind can be refused with reaches here.
    return (no ?? shown(needs, feature)) as ReturnType<typeof shown> | Refusal<'not_possible_now'>
  }

  return {
    async list({ query }) {
      const all = features.all().map((feature) => summaryOf(feature, features.executingSince(feature) !== undefined))
      const wanted = all.filter((one) => passes(one, query)).sort(ORDER[query.sort])
      return { sessions: wanted.slice(query.offset, query.offset + query.limit), total: wanted.length }
    },

    async create({ body }) {
      const { requestId } = body
      const known = requestId && features.all().find(({ session }) => session.requests.includes(requestId))
      if (known) return shown(needs, known)
      const feature = await begin(features, body)
      if (isRefusal(feature)) return feature
      return shown(needs, feature)
    },

    async template() {
      const { settings } = world
      const client = await world.driver.client()
      const { mode, baseBranch, branchPattern } = settings
      const problem = client
        ? client.supported
          ? null
          : `Claude Code ${client.version} is older than feature sessions need.`
        : 'Claude Code was not found.'
      return {
        criteria: [...DEFAULT_CRITERIA],
        settings: {
          autoPush: settings.autoPush,
          deleteBranchAfterMerge: settings.deleteBranchAfterMerge,
          recommendedReviews: settings.recommendedReviews,
          expiryHours: settings.expiryHours,
          maxCallsPerHour: settings.maxCallsPerHour,
          timeoutMinutes: settings.timeoutMinutes,
          tokenBudget: settings.tokenBudget || null,
        },
        mode,
        baseBranch,
        branchPattern,
        client: { version: client?.version ?? null, supported: client?.supported ?? false, problem },
      }
    },

    validatePath: ({ body }) => pathState(features, body.path),

    async files({ body }) {
      const words = body.search.toLowerCase()
      const all = await world.repository.files(body.path, 20_000)
      return { files: all.filter((path) => path.toLowerCase().includes(words)).slice(0, 50) }
    },

    existingTodos: ({ body }) => world.todos.all(body.path, 500),

    async orphanedBranches() {
      const ours = features.all().filter(({ session }) => session.status !== 'expired' && session.deletedAt === null)
      const paths = [...new Set(features.all().map(({ session }) => session.projectPath))]
      const found = await Promise.all(
        paths.map(async (projectPath) => {
          const branches = ours
            .filter(({ session }) => session.projectPath === projectPath)
            .map(({ session }) => session.featureBranch)
          const orphaned = await world.repository.orphanedBranches(projectPath, branches)
          return orphaned.ok ? orphaned.value.map((branch) => ({ projectPath, ...branch })) : []
        }),
      )
      return { branches: found.flat() }
    },

    async damaged() {
      const sessions = features.damaged().map(({ projectId, featureId }) => ({
        projectId,
        featureId,
        status: 'corrupted' as const,
        folder: world.store.folder(projectId, featureId),
      }))
      return { sessions }
    },

    async repair({ params: { projectId, featureId }, body }) {
      const isKnown = features.damaged().some((one) => one.projectId === projectId && one.featureId === featureId)
      if (!isKnown) return noSession()
      if (body.action === 'set_aside') return { readable: false, folder: await features.setAside(projectId, featureId) }
      return { readable: await features.readAgain(projectId, featureId), folder: null }
    },

    async show({ params }) {
      const feature = findFeature(needs, params)
      return isRefusal(feature) ? feature : shown(needs, feature)
    },

    pause: command(running.pause),
    resume: command(running.resume),
    cancel: command(running.pause),
    interrupt: command(running.interrupt),
    message: (given) =>
      command((engine, feature, request) => running.message(engine, feature, given.body.text, request))(given),
    archive: command((engine, feature, request) => running.mark(engine, feature, 'archivedAt', true, request)),
    unarchive: command((engine, feature, request) => running.mark(engine, feature, 'archivedAt', false, request)),
    delete: command((engine, feature, request) => running.mark(engine, feature, 'deletedAt', true, request)),
    undelete: command((engine, feature, request) => running.mark(engine, feature, 'deletedAt', false, request)),

    choose: (given) =>
      onFeature(needs, given, async (feature, request) => {
        const no = await choose(features, feature, given.body.choice, given.body.text, request)
        return (no as Refusal<Refused> | undefined) ?? shown(needs, feature)
      }),

    rollback: (given) =>
      onFeature(
        needs,
        given,
        async (feature, request) => {
          const done = await rollback(features, feature, request)
          if (isRefusal(done)) return done as Refusal<'not_possible_now' | 'repository_trouble'>
          return { ...shown(needs, feature), ...done }
        },
        (feature) => ({ ...shown(needs, feature), ...feature.session.rolledBack! }),
      ),

    finalApproval: (given, by) =>
      command((engine, feature, request) =>
        final(engine, feature, given.body.action, given.body.feedback ?? '', { request, by: by.name }),
      )(given),
  }
}

type PathState = AnswerOf<(typeof sessionRoutes)['validatePath']>

async function pathState({ world }: Engine, path: string): Promise<PathState> {
  const inspected = await world.repository.inspect(path)
  const nothing = {
    path,
    code: null,
    message: '',
    remedy: '',
    projectId: null,
    name: null,
    defaultBranch: null,
    currentBranch: null,
    branches: [],
    dirty: false,
    hasRemote: false,
    pullRequests: false,
    pullRequestProblem: null,
    untrackedHelpers: [],
    activeInPlace: null,
  }
  if (!inspected.ok) {
    return {
      ...nothing,
      ok: false,
      code: inspected.code,
      message: inspected.message,
      remedy: remedyFor(inspected.code),
    }
  }
  const facts = inspected.value
  const ready = facts.remote ? await world.pulls.ready(facts.path) : undefined
  return {
    ...nothing,
    ok: facts.head !== undefined,
    ...(facts.head === undefined && {
      code: 'no_commit',
      message: 'The repository has no commits yet.',
      remedy: remedyFor('no_commit'),
    }),
    path: facts.path,
    projectId: projectKey(world.digest, { id: facts.projectId, name: facts.name }),
    name: facts.name,
    defaultBranch: facts.defaultBranch,
    currentBranch: facts.currentBranch ?? null,
    branches: facts.branches,
    dirty: facts.dirty,
    hasRemote: facts.remote !== undefined,
    pullRequests: ready?.ok === true,
    pullRequestProblem: ready && !ready.ok ? ready.message : facts.remote ? null : 'The repository has no remote.',
    untrackedHelpers: facts.untrackedHelpers,
  }
}

const ORDER: Record<'activity' | 'created' | 'stage', (a: SessionSummary, b: SessionSummary) => number> = {
  activity: (a, b) => (a.updatedAt < b.updatedAt ? 1 : -1),
  created: (a, b) => (a.createdAt < b.createdAt ? 1 : -1),
  stage: (a, b) => b.stage - a.stage || (a.updatedAt < b.updatedAt ? 1 : -1),
}

function passes(
  one: SessionSummary,
  { filter, search, project }: { filter: string; search?: string | undefined; project?: string | undefined },
): boolean {
  const words = search?.toLowerCase() ?? ''
  if (project !== undefined && one.projectId !== project) return false
  if (![one.title, one.projectName, one.projectPath].some((text) => text.toLowerCase().includes(words))) return false
  if (filter === 'deleted') return one.deleted
  if (filter === 'archived') return one.archived && !one.deleted
  if (one.deleted || one.archived) return false
  if (filter === 'active') return ['active', 'paused', 'interrupted', 'error'].includes(one.status)
  if (filter === 'waiting') return one.waiting.length > 0
  return filter === 'all' || one.status === filter
}
