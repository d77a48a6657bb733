import { planMarkdown } from '#core/plan/text.ts'
import type { PlanFile } from '#protocol/workflow/plan.ts'
import type { Question } from '#protocol/workflow/questions.ts'
import { type Prompt, part } from './prompt.ts'

/** Looks whether concerns are real before a person is asked about them. */
export function validationPrompt(plan: PlanFile | null, questions: readonly Question[]): Prompt {
  const concerns = questions.map((question) => {
    const place = question.file ? `\nFile: ${question.file}${question.line ? `:${question.line}` : ''}` : ''
    return `## ${question.id}\nConcern: ${question.questionText}\n${question.context}\nCategory: ${question.category}${place}`
  })
  return {
    parts: [...part('The plan', plan ? planMarkdown(plan.steps) : ''), ...part('Concerns', concerns.join('\n\n'))],
    text: `Check each concern before the user is asked about it. Read the plan, then the code that it is about; compare; look
whether it is solved already, in the plan or in the code. Depending on the concern check dependencies, security, performance,
tests, or integration. A concern is not valid only if plan or code show that it does not exist or is covered: name the place.
In doubt it is valid. Answer with one verdict for each id: {"verdicts": [{"id", "valid", "reason"}]}.`,
  }
}
