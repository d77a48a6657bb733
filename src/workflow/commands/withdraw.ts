import { changeQuestions } from '../new-questions.ts'
import type { FeatureFiles } from '../world.ts'

/** What was open loses its ground with the plan it was about. */
export function withdraw(files: FeatureFiles): FeatureFiles {
  return changeQuestions(files, (one) =>
    one.state === 'open' || one.state === 'validating' ? { ...one, state: 'withdrawn' } : one,
  )
}
