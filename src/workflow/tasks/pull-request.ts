import type { PullRequest as Found } from '#core/ports/repository.ts'
import { criterionStates } from '#core/workflow/evidence.ts'
import { decisionText } from '#core/workflow/questions.ts'
import type { FeatureFiles } from '#protocol/workflow/feature-files.ts'
import type { PullRequest } from '#protocol/workflow/pr.ts'
import { Held } from '../hold-error.ts'
import { reportPlease } from '../prompts/implementation.ts'
import { type ChangeFacts, prReviewPrompt, pullRequestPrompt } from '../prompts/pull-request.ts'
import { runAgent } from '../run/agent-run.ts'
import { takeReport } from '../take-report.ts'
import { checkEnd, notUnderstood, readFreely } from './after-run.ts'
import { LEFT_OUT, orHold, placeOf, type TaskContext } from './context.ts'

const PATCH_BYTES = 200_000

async function changeFacts({ world, feature }: TaskContext): Promise<ChangeFacts> {
  const diff = orHold(
    await world.repository.diff(placeOf(feature), feature.session.baseCommitSha, {
      without: LEFT_OUT,
      maxBytes: PATCH_BYTES,
    }),
    'read the changes',
  )
  return {
    files: diff.files.map(({ path, status, added, removed }) => `${status} ${path} (+${added} −${removed})`),
    patch: diff.truncated ? `${diff.patch}\n(the rest is left out; read the files)` : diff.patch,
    results: newestRuns(feature.files).map(({ command, result }) => `${command.join(' ')}: ${result}`),
  }
}

function newestRuns({ checks }: FeatureFiles) {
  return (['test', 'types', 'lint', 'build'] as const).flatMap(
    (kind) => checks.runs.findLast((run) => run.kind === kind) ?? [],
  )
}

/** Stage 4: Claude writes title and description; failing that, the plan's text is used. */
export async function describe(context: TaskContext): Promise<void> {
  const { world, feature } = context
  const { session } = feature
  const plan = feature.files.plan!
  const result = await runAgent(world, feature, context.handle, {
    task: 'describe',
    conversation: 'fresh',
    prompt: pullRequestPrompt(plan, session, await changeFacts(context)),
    nudges: [reportPlease('report_pr')],
  })
  checkEnd(context, result.end)
  if (!result.unanswered) return
  const body = ['## Summary', session.featureDescription, '', ...plan.steps.map(({ title }) => `- ${title}`)].join('\n')
  await takeReport(world, feature, { type: 'pr', title: session.title.slice(0, 71), body }, 'judge')
}

/** Stage 4: Grove pushes, and opens or updates the one pull request of the session. */
export async function publish(context: TaskContext): Promise<void> {
  const { world, feature } = context
  const { session } = feature
  const at = placeOf(feature)
  const words = bodyOf(feature.files)
  const facts = await world.repository.inspect(session.projectPath)
  const hasRemote = facts.ok && facts.value.remote !== undefined
  if (session.localReview || !hasRemote)
    return publishLocally(context, words, hasRemote ? null : 'The repository has no remote.')
  const ready = await world.pulls.ready(session.folder)
  if (!ready.ok && ready.code === 'not_logged_in') {
    throw new Held({
      kind: 'gh_login',
      message: 'GitHub needs a login: run gh auth login in a terminal.',
      detail: ready.message,
    })
  }
  if (!ready.ok) return publishLocally(context, words, ready.message)
  if (!session.settings.autoPush && !session.mayPush) {
    throw new Held({ kind: 'push_consent', message: `The branch ${session.featureBranch} is ready to be pushed.` })
  }
  const existing = await world.pulls.find(session.folder, session.featureBranch)
  await bringBaseIn(context, existing.ok && existing.value !== undefined)
  const pushed = await world.repository.push(at, {})
  const { commit } = orHold(pushed, 'push the branch')
  const pr = await openOrUpdate(context, words)
  await record(context, {
    id: feature.files.pr.pullRequest?.id ?? world.newId(),
    prNumber: String(pr.number),
    prUrl: pr.url,
    title: pr.title,
    body: pr.body,
    status: pr.state,
    headCommit: commit,
  })
}

async function publishLocally(
  context: TaskContext,
  words: { title: string; body: string },
  why: string | null,
): Promise<void> {
  const { world, feature } = context
  if (why) {
    await feature.update((files) => ({
      files: { ...files, session: { ...files.session, localReview: true } },
      events: [{ type: 'agent.warning', message: `${why} The review happens on this machine.` }],
    }))
  }
  const head = await world.repository.find(placeOf(feature))
  await record(context, {
    id: feature.files.pr.pullRequest?.id ?? world.newId(),
    prNumber: '',
    prUrl: '',
    ...words,
    status: 'local',
    headCommit: head.ok ? head.value.head : '',
  })
}

async function record({ feature }: TaskContext, pr: Omit<PullRequest, 'createdAt' | 'updatedAt'>): Promise<void> {
  const at = feature.now()
  const before = feature.files.pr.pullRequest
  await feature.happen({ type: 'published' }, (files) => ({
    files: {
      ...files,
      pr: {
        ...files.pr,
        pullRequest: { ...pr, createdAt: before?.createdAt ?? at, updatedAt: at },
        draft: null,
        checks: [],
        ci: 'none',
      },
      session: { ...files.session, mayPush: false, baseUpdate: 'rebase' },
    },
    events: [{ type: 'pr.created', prNumber: pr.prNumber, prUrl: pr.prUrl, title: pr.title, updated: before !== null }],
  }))
}

/** Updates the branch from its base: by rebase before the first push, by merge once others may have it. */
async function bringBaseIn({ world, feature }: TaskContext, isPublic: boolean): Promise<void> {
  const { baseUpdate, baseBranch } = feature.session
  if (baseUpdate === 'skip') return
  const at = placeOf(feature)
  const how = isPublic || baseUpdate === 'merge' ? 'mergeBase' : 'rebase'
  const moved = await world.repository[how](at, baseBranch, LEFT_OUT)
  const conflicts = moved.ok ? moved.value.conflicts : []
  if (moved.ok && conflicts.length === 0) return
  if (!moved.ok && moved.code !== 'conflict') orHold(moved, `bring ${baseBranch} in`)
  throw new Held({
    kind: 'rebase_conflict',
    message: `${baseBranch} has changed in the same places. Resolve it in ${feature.session.folder}, or choose another way.`,
    detail: moved.ok ? conflicts.join('\n') : [moved.message, moved.detail].filter(Boolean).join('\n'),
  })
}

async function openOrUpdate({ world, feature }: TaskContext, words: { title: string; body: string }): Promise<Found> {
  const { folder, featureBranch: head, baseBranch: base } = feature.session
  const attempt = async () => {
    const found = await world.pulls.find(folder, head)
    if (found.ok && found.value?.state === 'open') return world.pulls.edit(folder, found.value.number, words)
    return found.ok ? world.pulls.create(folder, { base, head, ...words }) : found
  }
  const first = await attempt()
  const second = first.ok ? first : await attempt()
  if (second.ok) return second.value
  if (second.code === 'not_logged_in') {
    throw new Held({
      kind: 'gh_login',
      message: 'GitHub needs a login: run gh auth login in a terminal.',
      detail: second.message,
    })
  }
  throw new Held({
    kind: 'pr_failed',
    message: 'Opening the pull request failed twice.',
    detail: [second.message, second.detail].filter(Boolean).join('\n'),
  })
}

/** The description: criteria that only people can judge as a checklist, and the evidence for the others. */
function bodyOf(files: FeatureFiles): { title: string; body: string } {
  const { session, pr } = files
  const states = evidence(files)
  const manual = states.filter(({ type }) => type === 'manual').map(({ text }) => `- [ ] ${text}`)
  const shown = states
    .filter(({ type }) => type === 'automated')
    .map(({ text, state, evidence: why }) => `- ${text}: ${state.replaceAll('_', ' ')} (${why})`)
  const { title, body } = pr.draft ?? { title: session.title, body: session.featureDescription }
  const parts = [
    body.trim(),
    ...(shown.length > 0 ? [`## Checks\n\n${shown.join('\n')}`] : []),
    ...(manual.length > 0 ? [`## To be looked at by a person\n\n${manual.join('\n')}`] : []),
  ]
  return { title, body: parts.join('\n\n') }
}

export function evidence(files: FeatureFiles) {
  const { session, checks, plan, pr } = files
  const review = pr.reviews.at(-1)
  return criterionStates(session.acceptanceCriteria, {
    runs: checks.runs,
    commands: (['test', 'types', 'lint', 'build'] as const).filter((kind) => session.commands[kind] !== undefined),
    steps: plan?.steps ?? [],
    acceptsFailure: session.acceptsFailure,
    reviewClear: review?.allResolved === true,
  })
}

/** Stage 5: a review with fresh eyes. */
export async function prReview(context: TaskContext): Promise<void> {
  const { world, feature } = context
  const { session, pr, plan } = feature.files
  await feature.update((files) => ({
    files,
    events: [{ type: 'pr.review_started', prNumber: pr.pullRequest?.prNumber ?? '' }],
  }))
  const settled = feature.files.questions.questions.filter(
    ({ stage, state }) => stage === 'pr_review' && state === 'answered',
  )
  const result = await runAgent(world, feature, context.handle, {
    task: 'pr_review',
    conversation: 'fresh',
    prompt: prReviewPrompt(plan!, session, {
      ...(await changeFacts(context)),
      title: pr.pullRequest?.title ?? session.title,
      body: pr.pullRequest?.body ?? '',
      settled: settled.map(decisionText),
      feedback: session.carried
        .filter(({ from }) => from === 'final_approval' || from === 'guidance')
        .map(({ text }) => text),
      ci: pr.checks.map(({ name, state }) => `${name}: ${state}`).join('\n'),
    }),
    nudges: [reportPlease('report_review')],
  })
  checkEnd(context, result.end)
  if (result.unanswered && !(await readFreely(context, result, 'review'))) throw notUnderstood(result, 'review')
}
