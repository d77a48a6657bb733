import type { Waiting } from '#protocol/api/sessions.ts'
import { useAsk } from '../api/queries.ts'
import { ApprovalGate } from '../feature/approval-gate.tsx'
import { FinalApproval } from '../feature/final-approval.tsx'
import { HoldCard } from '../feature/hold.tsx'
import { PlanInPlace } from '../feature/plan-in-place.tsx'
import { Questions } from '../feature/questions.tsx'
import { actionsOn } from '../feature/use-feature.ts'
import { featurePath } from '../features/derive-features.ts'
import { PlanReviews } from '../people/plan-reviews.tsx'
import { Skeleton } from '../ui/small.tsx'
import { isStillShown, Trouble } from '../ui/trouble.tsx'
import '../feature/feature.css'

/** What a feature waits for, answered without opening it. */
export function FeatureBody({ waiting, snooze }: { waiting: Waiting; snooze: React.ReactNode }) {
  const params = { projectId: waiting.projectId, featureId: waiting.featureId }
  const { data, error } = useAsk('sessions', 'show', { params })
  if (error && !isStillShown(error, data)) return <Trouble error={error} what="This feature" />
  if (!data) return <Skeleton rows={6} />
  const { session: snapshot } = data
  const run = actionsOn(params)
  return (
    <div className="in-place">
      {waiting.kind === 'questions' && (
        <Questions
          questions={snapshot.questions}
          held={snapshot.held}
          sessionId={snapshot.session.id}
          run={run}
          featureAddress={featurePath(snapshot.summary)}
          beside={snooze}
        />
      )}
      {(waiting.kind === 'plan_approval' || waiting.kind === 'plan_review') && (
        <PlanInPlace snapshot={snapshot} run={run} />
      )}
      {waiting.kind === 'plan_approval' && <ApprovalGate snapshot={snapshot} run={run} isMain beside={snooze} />}
      {waiting.kind === 'plan_review' && <PlanReviews snapshot={snapshot} run={run} />}
      {waiting.kind === 'final_approval' && <FinalApproval snapshot={snapshot} run={run} beside={snooze} />}
      {waiting.kind === 'hold' && <HoldCard waiting={waiting} snapshot={snapshot} run={run} beside={snooze} />}
      {waiting.kind === 'plan_review' && <div className="row">{snooze}</div>}
    </div>
  )
}
