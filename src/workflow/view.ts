import { progressOf as stepsDone } from '#core/plan/order.ts'
import { isOver } from '#core/workflow/decide.ts'
import { heldBack, released } from '#core/workflow/questions.ts'
import { stageName } from '#core/workflow/stage.ts'
import { currentStep, stageText } from '#core/workflow/stage-text.ts'
import { waitsFor } from '#core/workflow/waiting.ts'
import type { ACTIONS, SessionSnapshot, SessionSummary, Waiting } from '#protocol/api/sessions.ts'
import type { Feature } from './feature.ts'
import { progressOf } from './progress.ts'
import { evidence } from './tasks/pull-request.ts'

/** A feature session as lists and pages show it, derived from its files. */

export function waitingOf({ session, files }: Feature): Waiting[] {
  const { projectId, featureId, title: sessionTitle, updatedAt } = session
  return waitsFor(session, files.questions.questions, updatedAt).map((one) => ({
    projectId,
    featureId,
    sessionTitle,
    ...one,
    ...(one.kind === 'hold' && session.hold && { hold: session.hold.kind }),
    ...(one.kind === 'questions' && aboutOf(session, files)),
  }))
}

function aboutOf({ currentStage }: Feature['session'], { questions }: Feature['files']): Pick<Waiting, 'about'> {
  if (released(questions.questions).some(({ immediate }) => immediate)) return { about: 'blocker' }
  return currentStage === 5 ? { about: 'pull_request' } : {}
}

/** Reviews that a teammate was asked for and has not given. Only that teammate sees them; a changed plan cancels them. */
export function reviewsAskedOf({ session, files }: Feature, personId: string): Waiting[] {
  const { projectId, featureId, title: sessionTitle, planHash } = session
  return (files.reviews.people ?? [])
    .filter((one) => one.personId === personId && one.verdict === null && one.planHash === planHash)
    .map(({ askedAt, askedBy, planVersion }) => ({
      projectId,
      featureId,
      sessionTitle,
      kind: 'plan_review',
      title: `${askedBy ?? 'The owner of this Grove'} asks you to look at plan v${planVersion}.`,
      detail: '',
      count: 0,
      choices: [],
      since: askedAt,
      until: null,
    }))
}

export function summaryOf(feature: Feature, executing: boolean): SessionSummary {
  const { session, files } = feature
  const steps = files.plan?.steps ?? []
  const { done, total } = stepsDone({ steps })
  const { pullRequest } = files.pr
  return {
    id: session.id,
    projectId: session.projectId,
    featureId: session.featureId,
    title: session.title,
    projectName: session.project.name,
    projectPath: session.projectPath,
    branch: session.featureBranch,
    status: session.status,
    stage: session.currentStage,
    stageName: stageName(session.currentStage),
    stageText: stageText(session, steps),
    executing,
    waiting: waitingOf(feature),
    reviewCount: session.reviewCount,
    recommendedReviews: session.recommendedReviews,
    replanningCount: session.replanningCount,
    stepsDone: done,
    stepsTotal: total,
    currentStep: currentStep(session, steps)?.title ?? null,
    pr: pullRequest && { number: pullRequest.prNumber, url: pullRequest.prUrl, state: pullRequest.status },
    costUsd: session.usage.costUsd,
    archived: session.archivedAt !== null,
    deleted: session.deletedAt !== null,
    createdAt: session.createdAt,
    updatedAt: session.updatedAt,
  }
}

/** `since` while something runs for it. */
export function snapshotOf(feature: Feature, since: string | undefined, now: number): SessionSnapshot {
  const executing = since !== undefined
  const { files, session } = feature
  const { questions } = files.questions
  return {
    summary: summaryOf(feature, executing),
    session,
    status: files.status,
    progress: progressOf(feature, since, now),
    plan: files.plan,
    questions: released(questions),
    held: heldBack(questions),
    filtered: questions.filter(({ state }) => state === 'filtered').length,
    reviews: files.reviews.iterations,
    planReviews: (files.reviews.people ?? []).toReversed(),
    todos: files.todos.items,
    pr: files.pr,
    checks: files.checks.runs,
    criteria: evidence(files),
    actions: actionsFor(feature, executing),
    lastEvent: feature.events.last,
    problems: feature.problems,
  }
}

type Action = (typeof ACTIONS)[number]

/** The actions that are possible now; the page offers no others. */
function actionsFor({ session, files }: Feature, executing: boolean): Action[] {
  const over = isOver(session)
  const open = files.questions.questions.some(({ state }) => state === 'open')
  const could: [Action, boolean][] = [
    ['choose', session.hold !== null],
    ['pause', ['active', 'error', 'interrupted'].includes(session.status)],
    ['resume', session.status === 'paused' || session.hold?.kind === 'interrupted'],
    ['cancel', executing],
    ['interrupt', executing],
    ['message', !over],
    [
      'approve',
      !over && session.currentStage === 2 && session.planHash !== '' && !open && session.task?.type !== 'revise',
    ],
    ['comment', !over && session.planHash !== '' && session.currentStage !== 4],
    ['final_approval', !over && session.currentStage === 6],
    ['rollback', session.status !== 'rolled_back' && session.status !== 'completed' && session.baseCommitSha !== ''],
    ['archive', session.archivedAt === null],
    ['unarchive', session.archivedAt !== null],
    ['delete', session.deletedAt === null],
    ['undelete', session.deletedAt !== null],
  ]
  return could.filter(([, can]) => can).map(([action]) => action)
}
