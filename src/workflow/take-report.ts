import { approvedText, comparePlans } from '#core/plan/compare.ts'
import { nextStep } from '#core/plan/order.ts'
import type { ProposedStep } from '#core/plan/plan.ts'
import { faultsOf, stepsOf } from '#core/plan/propose.ts'
import { markChanged } from '#core/plan/states.ts'
import { redact } from '#core/redact/redact.ts'
import { confidenceOf } from '#core/workflow/confidence.ts'
import { isExit } from '#core/workflow/exit.ts'
import type { AskedQuestion, Report } from '#core/workflow/reports.ts'
import type { NewWorkflowEvent } from '#protocol/workflow/events.ts'
import type { FeatureFiles } from '#protocol/workflow/feature-files.ts'
import { FILE_VERSION } from '#protocol/workflow/fields.ts'
import type { PlanFile, PlanStep } from '#protocol/workflow/plan.ts'
import type { Finding } from '#protocol/workflow/reviews.ts'
import { planId } from './announce.ts'
import type { Feature } from './feature.ts'
import { askedEvents, newQuestions, withQuestions } from './new-questions.ts'
import type { WorkflowWorld } from './world.ts'

/** The answer to a report: what Claude reads, and whether it has to correct something. */
export interface Taken {
  text: string
  isError?: boolean
}

const RECORDED = 'Recorded. End your turn now; Grove goes on from here.'
const NOT_NOW = 'This report does not belong to what you were asked to do now.'

/** Takes a report. It is written before it is answered, so that what was acknowledged is never lost. */
export async function takeReport(
  world: WorkflowWorld,
  feature: Feature,
  report: Report,
  by: 'tool' | 'native' | 'marker' | 'judge',
): Promise<Taken> {
  switch (report.type) {
    case 'questions':
      return takeQuestions(world, feature, report.questions, { askedBy: by, batch: world.newId(), parked: null })
    case 'plan':
      return takePlan(world, feature, report.steps, report.summary)
    case 'plan_kept':
      return keepPlan(feature)
    case 'plan_file':
      await feature.update((files) => ({
        files: { ...files, session: { ...files.session, claudePlanFilePath: report.path } },
        events: [],
      }))
      return { text: RECORDED }
    case 'review':
      return feature.session.task?.type === 'pr_review'
        ? takePrReview(world, feature, report.findings, report.summary, by)
        : takeReview(world, feature, report.findings, by)
    case 'pr_approved':
      return takePrReview(world, feature, [], report.summary, by)
    case 'status':
      await feature.update((files) => ({
        files,
        events: [{ type: 'execution.status', ...report.status, message: redact(report.status.message) }],
      }))
      return { text: 'Noted.' }
    case 'step_complete':
      return completeStep(feature, report.stepId, report.summary)
    case 'implementation_complete':
      return completeAll(feature, report.summary)
    case 'pr':
      return takeWords(feature, report.title, report.body)
  }
}

/** Questions are validated from stage 2 on; blockers and what stage 1 asks go straight to the person. */
export async function takeQuestions(
  world: WorkflowWorld,
  feature: Feature,
  asked: readonly AskedQuestion[],
  facts: {
    askedBy: 'tool' | 'native' | 'marker' | 'judge'
    batch: string
    parked: { toolUseId: string; tool: string } | null
  },
): Promise<Taken> {
  const { task } = feature.session
  if (!task || !MAY_ASK.has(task.type)) return { text: NOT_NOW, isError: true }
  const validate = feature.session.currentStage > 1 && asked.some(({ immediate }) => !immediate)
  const stepId = 'stepId' in task ? task.stepId : null
  const parked = facts.parked && { ...facts.parked, batch: facts.batch }
  await feature.happen({ type: 'asked', validate }, (files) => {
    const questions = newQuestions(files, asked, { ...facts, validate, stepId, newId: world.newId, at: feature.now() })
    const withThem = withQuestions(files, questions)
    const after = parked ? { ...withThem, session: { ...withThem.session, parked } } : withThem
    return { files: after, events: askedEvents(files.questions.questions, after.questions.questions) }
  })
  return { text: RECORDED }
}

const MAY_ASK = new Set(['discover', 'revise', 'review', 'implement', 'fix', 'pr_review'])

async function takePlan(
  world: WorkflowWorld,
  feature: Feature,
  proposed: readonly ProposedStep[],
  summary: string,
): Promise<Taken> {
  const { task } = feature.session
  const isPlanning = task?.type === 'discover' || task?.type === 'revise'
  if (!isPlanning) return { text: NOT_NOW, isError: true }
  const faults = faultsOf(proposed)
  if (faults.length > 0)
    return { text: `The plan cannot be taken:\n${faults.map((fault) => `- ${fault}`).join('\n')}`, isError: true }
  const before = feature.files.plan
  const at = feature.now()
  const clean = proposed.map((step) => ({ ...step, title: redact(step.title), description: redact(step.description) }))
  const facts = { branch: feature.session.featureBranch, newId: world.newId, at }
  const steps = markChanged(before?.steps ?? [], stepsOf(clean, before?.steps ?? [], facts))
  const hash = world.digest(approvedText(steps))
  const version = (before?.planVersion ?? 0) + 1
  const next = nextStep({ steps })?.id ?? null
  const ciFailing = feature.files.pr.ci === 'failing'
  await feature.happen({ type: 'plan_proposed', version, hash, next, ciFailing }, (files) => {
    if (hash === before?.hash) return {}
    const plan: PlanFile = {
      version: FILE_VERSION,
      planVersion: version,
      sessionId: files.session.id,
      isApproved: false,
      reviewCount: files.session.reviewCount,
      createdAt: at,
      hash,
      summary: redact(summary),
      reason: reasonOf(feature.session.carried),
      updatedBy: 'agent',
      steps,
    }
    return { files: { ...files, plan }, events: planEvents(before?.steps ?? [], plan, files.session) }
  })
  return { text: RECORDED }
}

function reasonOf(carried: FeatureFiles['session']['carried']): string {
  return carried.map(({ text }) => text.split('\n')[0]!.slice(0, 200)).join('; ') || 'First plan'
}

function planEvents(before: readonly PlanStep[], plan: PlanFile, session: FeatureFiles['session']): NewWorkflowEvent[] {
  const id = planId(session)
  const created: NewWorkflowEvent = {
    type: 'plan.created',
    planId: id,
    version: plan.planVersion,
    hash: plan.hash,
    steps: plan.steps,
  }
  if (before.length === 0) return [created]
  const changes = comparePlans(before, plan.steps).map(({ change, stepId, after, fields }): NewWorkflowEvent => {
    const by = { planId: id, updatedBy: 'agent' }
    if (change === 'removed') return { type: 'plan.step_removed', stepId, ...by }
    if (change === 'added') return { type: 'plan.step_added', step: after!, ...by }
    if (change === 'moved') return { type: 'plan.step_reordered', stepId, orderIndex: after!.orderIndex, ...by }
    return { type: 'plan.step_updated', stepId, changes: fields, ...by }
  })
  return [created, ...changes]
}

async function keepPlan(feature: Feature): Promise<Taken> {
  if (feature.session.task?.type !== 'revise') return { text: NOT_NOW, isError: true }
  const next = feature.files.plan ? (nextStep(feature.files.plan)?.id ?? null) : null
  await feature.happen({ type: 'plan_kept', next, ciFailing: feature.files.pr.ci === 'failing' })
  return { text: RECORDED }
}

const REVIEWED_CATEGORIES = /^[\w -]{1,40}$/

async function takeReview(
  world: WorkflowWorld,
  feature: Feature,
  findings: readonly AskedQuestion[],
  by: 'tool' | 'native' | 'marker' | 'judge',
): Promise<Taken> {
  if (feature.session.task?.type !== 'review') return { text: NOT_NOW, isError: true }
  const clean = findings.length === 0
  const at = feature.now()
  const next = feature.files.plan ? (nextStep(feature.files.plan)?.id ?? null) : null
  const batch = world.newId()
  await feature.happen({ type: 'reviewed', clean, next, at }, (files) => {
    const { session } = files
    const questions = newQuestions(files, findings, { askedBy: by, batch, validate: true, newId: world.newId, at })
    const found = questions.map(
      (question): Finding => ({
        id: world.newId(),
        category: REVIEWED_CATEGORIES.test(question.category) ? question.category : 'other',
        priority: question.priority,
        issue: question.questionText,
        impact: question.context,
        resolved: false,
        questionId: question.id,
      }),
    )
    const iterations = files.reviews.iterations.map((iteration) =>
      iteration.outcome === 'running'
        ? {
            ...iteration,
            findings: found,
            outcome: clean ? ('clean' as const) : ('findings' as const),
            userApproved: clean,
            completedAt: at,
          }
        : iteration,
    )
    const iteration = session.reviewCount
    const about = { planId: planId(session), iteration }
    const after = withQuestions({ ...files, reviews: { ...files.reviews, iterations } }, questions)
    return {
      files: after,
      events: [
        ...(clean ? [] : [{ type: 'review.findings' as const, ...about, issues: found }]),
        {
          type: 'review.iteration_complete',
          ...about,
          outcome: clean ? 'clean' : 'findings',
          recommended: session.recommendedReviews,
        },
      ],
    }
  })
  return { text: RECORDED }
}

const SEVERITIES = { 1: 'critical', 2: 'major', 3: 'suggestion' } as const

async function takePrReview(
  world: WorkflowWorld,
  feature: Feature,
  findings: readonly AskedQuestion[],
  summary: string,
  by: 'tool' | 'native' | 'marker' | 'judge',
): Promise<Taken> {
  if (feature.session.task?.type !== 'pr_review') return { text: NOT_NOW, isError: true }
  const clean = findings.length === 0
  const at = feature.now()
  const event = clean ? ({ type: 'pr_reviewed' } as const) : ({ type: 'asked', validate: true } as const)
  await feature.happen(event, (files) => {
    // Suggestions need no answer.
    const asked = findings.map((one) => ({ ...one, required: one.required && one.priority < 3 }))
    const questions = newQuestions(files, asked, {
      askedBy: by,
      batch: world.newId(),
      validate: true,
      newId: world.newId,
      at,
    })
    const issuesFound = questions.map((question) => ({
      id: world.newId(),
      file: question.file,
      line: question.line,
      issue: question.questionText,
      severity: SEVERITIES[question.priority],
      suggestion: question.options.find(({ recommended }) => recommended)?.label ?? '',
      resolved: false,
      questionId: question.id,
    }))
    const review = {
      id: world.newId(),
      issuesFound,
      allResolved: clean,
      approved: clean,
      summary: redact(summary),
      headCommit: files.pr.pullRequest?.headCommit ?? '',
      reviewedAt: at,
    }
    const prId = files.pr.pullRequest?.id ?? ''
    const after = withQuestions({ ...files, pr: { ...files.pr, reviews: [...files.pr.reviews, review] } }, questions)
    const session = { ...after.session, carried: after.session.carried.filter(({ from }) => from !== 'final_approval') }
    return {
      files: { ...after, session },
      events: issuesFound.map(({ issue, severity, suggestion, file, line }) => ({
        type: 'pr.issue_found' as const,
        prId,
        issue,
        severity,
        suggestion,
        file,
        line,
      })),
    }
  })
  return { text: RECORDED }
}

async function completeStep(feature: Feature, said: string, summary: string): Promise<Taken> {
  const { task } = feature.session
  const at = feature.now()
  const step = task?.type === 'implement' ? feature.files.plan?.steps.find(({ id }) => id === task.stepId) : undefined
  if (!step) return { text: NOT_NOW, isError: true }
  if (said !== '' && said !== step.id && said !== step.uid) {
    return { text: `The step at hand is ${step.id}, not ${said}. Complete that one.`, isError: true }
  }
  await feature.happen({ type: 'step_done', stepId: step.id }, (files) => ({
    files: { ...files, plan: markDone(files.plan!, [step.id], summary, at) },
    events: [{ type: 'execution.step_completed', stepId: step.id, summary: redact(summary), files: [] }],
  }))
  return { text: RECORDED }
}

/**
 * Claude reports everything done. Where that is plausible, all open steps are done with it; else only the current one.
 */
async function completeAll(feature: Feature, summary: string): Promise<Taken> {
  const { task } = feature.session
  const { plan } = feature.files
  if (task?.type !== 'implement' || !plan) return { text: NOT_NOW, isError: true }
  const left = plan.steps.filter(({ status }) => status !== 'completed').map(({ id }) => id)
  const said = { complete: true, confidence: confidenceOf(summary, 1) }
  const open = isExit(feature.files.status.exitSignals, said) ? left : [task.stepId]
  const at = feature.now()
  await feature.happen({ type: 'step_done', stepId: task.stepId }, (files) => ({
    files: { ...files, plan: markDone(files.plan!, open, summary, at) },
    events: open.map((stepId) => ({ type: 'execution.step_completed', stepId, summary: redact(summary), files: [] })),
  }))
  return { text: RECORDED }
}

function markDone(plan: PlanFile, ids: readonly string[], summary: string, completedAt: string): PlanFile {
  const steps = plan.steps.map((step) =>
    ids.includes(step.id)
      ? {
          ...step,
          status: 'completed' as const,
          metadata: { ...step.metadata, doneBy: 'agent' as const, summary: redact(summary), completedAt },
        }
      : step,
  )
  return { ...plan, steps }
}

async function takeWords(feature: Feature, title: string, body: string): Promise<Taken> {
  if (feature.session.task?.type !== 'describe') return { text: NOT_NOW, isError: true }
  if (title.trim() === '') return { text: 'The pull request has no title.', isError: true }
  await feature.happen({ type: 'described' }, (files) => ({
    files: { ...files, pr: { ...files.pr, draft: { title: redact(title.trim()).slice(0, 200), body: redact(body) } } },
  }))
  return { text: RECORDED }
}
