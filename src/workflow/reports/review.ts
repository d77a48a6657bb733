import { nextStep } from '#core/plan/order.ts'
import type { AskedQuestion } from '#core/workflow/reports.ts'
import type { Finding } from '#protocol/workflow/reviews.ts'
import { planId } from '../announce.ts'
import type { Feature } from '../feature.ts'
import { newQuestions, withQuestions } from '../new-questions.ts'
import type { WorkflowWorld } from '../world.ts'
import { NOT_NOW, RECORDED, type ReportedBy, type Taken } from './taken.ts'

const REVIEWED_CATEGORIES = /^[\w -]{1,40}$/

export async function takeReview(
  world: WorkflowWorld,
  feature: Feature,
  findings: readonly AskedQuestion[],
  by: ReportedBy,
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
