import { approvedText, comparePlans } from '#core/plan/compare.ts'
import { nextStep } from '#core/plan/order.ts'
import type { ProposedStep } from '#core/plan/plan.ts'
import { faultsOf, stepsOf } from '#core/plan/propose.ts'
import { markChanged } from '#core/plan/states.ts'
import { redact } from '#core/redact/redact.ts'
import type { NewWorkflowEvent } from '#protocol/workflow/events.ts'
import type { FeatureFiles } from '#protocol/workflow/feature-files.ts'
import { FILE_VERSION } from '#protocol/workflow/fields.ts'
import type { PlanFile, PlanStep } from '#protocol/workflow/plan.ts'
import { planId } from '../announce.ts'
import type { Feature } from '../feature.ts'
import type { WorkflowWorld } from '../world.ts'
import { NOT_NOW, RECORDED, type Taken } from './taken.ts'

export async function takePlan(
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

export async function keepPlan(feature: Feature): Promise<Taken> {
  if (feature.session.task?.type !== 'revise') return { text: NOT_NOW, isError: true }
  const next = feature.files.plan ? (nextStep(feature.files.plan)?.id ?? null) : null
  await feature.happen({ type: 'plan_kept', next, ciFailing: feature.files.pr.ci === 'failing' })
  return { text: RECORDED }
}
