import type { z } from 'zod'
import { type FreeText, question } from '#core/workflow/free-text.ts'
import type { Report } from '#core/workflow/reports.ts'
import type { ReportVerdict } from './prompts.ts'

/**
 * What a model has read in an agent's text, as the report that it stands for. That a step is done, or a review clean, is
 * never a judge's word.
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
