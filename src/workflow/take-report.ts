import { redact } from '#core/redact/redact.ts'
import type { Report } from '#core/workflow/reports.ts'
import type { Feature } from './feature.ts'
import { keepPlan, takePlan } from './reports/plan.ts'
import { takePrReview } from './reports/pr-review.ts'
import { takeQuestions } from './reports/questions.ts'
import { takeReview } from './reports/review.ts'
import { completeAll, completeStep } from './reports/steps-done.ts'
import { NOT_NOW, RECORDED, type ReportedBy, type Taken } from './reports/taken.ts'
import type { WorkflowWorld } from './world.ts'

/** Takes a report. It is written before it is answered, so that what was acknowledged is never lost. */
export async function takeReport(
  world: WorkflowWorld,
  feature: Feature,
  report: Report,
  by: ReportedBy,
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

async function takeWords(feature: Feature, title: string, body: string): Promise<Taken> {
  if (feature.session.task?.type !== 'describe') return { text: NOT_NOW, isError: true }
  if (title.trim() === '') return { text: 'The pull request has no title.', isError: true }
  await feature.happen({ type: 'described' }, (files) => ({
    files: { ...files, pr: { ...files.pr, draft: { title: redact(title.trim()).slice(0, 200), body: redact(body) } } },
  }))
  return { text: RECORDED }
}
