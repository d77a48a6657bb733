import type { ChecksFile } from './checks.ts'
import type { PlanFile } from './plan.ts'
import type { PrFile } from './pr.ts'
import type { QuestionsFile } from './questions.ts'
import type { ReviewsFile } from './reviews.ts'
import type { SessionFile } from './session.ts'
import type { BreakerHistoryFile, StatusFile } from './status.ts'
import type { TodosFile } from './todos.ts'

/** Everything that a feature session keeps besides its events and output. */
export interface FeatureFiles {
  session: SessionFile
  plan: PlanFile | null
  questions: QuestionsFile
  todos: TodosFile
  reviews: ReviewsFile
  pr: PrFile
  checks: ChecksFile
  status: StatusFile
  breaker: BreakerHistoryFile
}
