import type { z } from 'zod'
import { type FreeText, question } from '#core/workflow/free-text.ts'
import type { Report } from '#core/workflow/reports.ts'
import type { ReportVerdict } from './prompts.ts'

/**
 * Turns a model's reading of an agent's text into a report. A judge never reports a step as done or a review as clean.
 */
export function reportOf({ wanted }: FreeText, verdict: z.output<typeof ReportVerdict>): Report | undefined {
  const questions = verdict.questions.map(({ text, options, priority }) =>
    question(
      text,
      options.map((option, index) => ({ ...option, value: String.fromCharCode(65 + index), description: '' })),
      priority,
    ),
  )
  if (verdict.kind === 'questions' && questions.length > 0)
    return wanted === 'review'
      ? { type: 'review', findings: questions, clean: false, summary: '' }
      : { type: 'questions', questions }
  if (verdict.kind !== 'plan' || wanted !== 'plan' || verdict.steps.length === 0) return undefined
  const steps = verdict.steps.map((step, index) => ({ id: `step-${index + 1}`, ...step }))
  return { type: 'plan', summary: '', steps }
}
