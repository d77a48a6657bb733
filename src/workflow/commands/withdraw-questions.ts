import type { FeatureFiles } from '#protocol/workflow/feature-files.ts'
import { changeQuestions } from '../new-questions.ts'

/** Withdraws the open questions of a plan that is replaced. */
export function withdraw(files: FeatureFiles): FeatureFiles {
  return changeQuestions(files, (one) =>
    one.state === 'open' || one.state === 'validating' ? { ...one, state: 'withdrawn' } : one,
  )
}
