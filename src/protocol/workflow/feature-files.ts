import type { ChecksFile } from './checks.ts'
import type { EventRecord } from './events.ts'
import type { OutputLine } from './output.ts'
import type { PlanFile } from './plan.ts'
import type { PrFile } from './pr.ts'
import type { QuestionsFile } from './questions.ts'
import type { ReviewsFile } from './reviews.ts'
import type { SessionFile } from './session.ts'
import type { BreakerHistoryFile, ProgressFile, StatusFile } from './status.ts'
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

/** The records of a feature session, in the roles that `core/ports/workflow.ts` gives them. */
export interface FeatureRecords {
  session: SessionFile
  files: FeatureFiles
  plan: PlanFile
  progress: ProgressFile
  event: EventRecord
  output: OutputLine
}
