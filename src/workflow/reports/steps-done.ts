import { redact } from '#core/redact/redact.ts'
import { confidenceOf } from '#core/workflow/confidence.ts'
import { isExit } from '#core/workflow/exit.ts'
import type { PlanFile } from '#protocol/workflow/plan.ts'
import type { Feature } from '../feature.ts'
import { NOT_NOW, RECORDED, type Taken } from './taken.ts'

export async function completeStep(feature: Feature, said: string, summary: string): Promise<Taken> {
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
export async function completeAll(feature: Feature, summary: string): Promise<Taken> {
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
