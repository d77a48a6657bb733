import type { Stage } from '#core/workflow/stage.ts'
import type { NewWorkflowEvent } from '#protocol/workflow/events.ts'
import type { FeatureFiles } from '#protocol/workflow/feature-files.ts'

/** The plan in one of its versions, as events name it. */
export function planId({ id, currentPlanVersion }: FeatureFiles['session']): string {
  return `${id}:${currentPlanVersion}`
}

/** The events of a session's change from one state to another. */
export function announce(before: FeatureFiles, after: FeatureFiles, reason: string): NewWorkflowEvent[] {
  const [was, is] = [before.session, after.session]
  const events: NewWorkflowEvent[] = []
  if (was.currentStage !== is.currentStage) {
    events.push({ type: 'stage_transition', from: was.currentStage, to: is.currentStage, reason })
    events.push(...stageEvent(is.currentStage, after))
  }
  const hasTask = (type: string) => is.task?.type === type && was.task?.type !== type
  if (hasTask('revise')) events.push({ type: 'stage.planning', reason })
  if (hasTask('review')) {
    const iteration = is.reviewCount + 1
    events.push({ type: 'stage.review', iteration, recommended: is.recommendedReviews })
  }
  if (was.currentStage === 5 && is.currentStage === 2) {
    events.push({ type: 'pr.replanning_triggered', prNumber: prNumber(after), returnToStage: 2 })
  }
  if (is.currentStage === 6 && was.currentStage !== 6) events.push({ type: 'pr.approved', prNumber: prNumber(after) })
  if (is.approval && is.approval !== was.approval) {
    const { planHash: hash, signedOff, by } = is.approval
    events.push({ type: 'plan.approved', planId: planId(is), hash, signedOff, ...(by !== undefined && { by }) })
    events.push({ type: 'review.approved', planId: planId(is), reviewCount: is.reviewCount })
  }
  const waitsForApproval = is.currentStage === 2 && is.task === null && is.planHash !== '' && is.hold === null
  if (waitsForApproval && (was.task !== null || was.currentStage !== 2) && is.reviewCount < is.recommendedReviews) {
    const recommendedMin = is.recommendedReviews
    events.push({ type: 'review.signoff_required', planId: planId(is), reviewCount: is.reviewCount, recommendedMin })
  }
  if (was.status !== is.status || was.hold !== is.hold) {
    events.push({ type: 'session.changed', status: is.status, reason, hold: is.hold })
  }
  return events
}

function stageEvent(stage: Stage, files: FeatureFiles): NewWorkflowEvent[] {
  const { session } = files
  switch (stage) {
    case 1:
      return [{ type: 'stage.discovery', featureDescription: session.featureDescription }]
    case 3:
      return [{ type: 'stage.implementation', planId: planId(session) }]
    case 4:
      return [{ type: 'stage.pr_creation', branch: session.featureBranch }]
    case 5:
      return [{ type: 'stage.pr_review', prNumber: prNumber(files) }]
    case 6:
      return [{ type: 'stage.final_approval', prNumber: prNumber(files) }]
    case 2:
      return []
  }
}

function prNumber({ pr }: FeatureFiles): string {
  return pr.pullRequest?.prNumber ?? ''
}
