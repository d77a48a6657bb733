import { redact } from '#core/redact/redact.ts'
import type { AskedQuestion } from '#core/workflow/reports.ts'
import type { Feature } from '../feature.ts'
import { newQuestions, withQuestions } from '../new-questions.ts'
import type { WorkflowWorld } from '../world.ts'
import { NOT_NOW, RECORDED, type ReportedBy, type Taken } from './taken.ts'

const SEVERITIES = { 1: 'critical', 2: 'major', 3: 'suggestion' } as const

export async function takePrReview(
  world: WorkflowWorld,
  feature: Feature,
  findings: readonly AskedQuestion[],
  summary: string,
  by: ReportedBy,
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
