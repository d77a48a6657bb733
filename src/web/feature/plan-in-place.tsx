import { useState } from 'react'
import type { SessionSnapshot } from '#protocol/api/sessions.ts'
import { commentsOn } from '../people/derive-plan-reviews.ts'
import { plural } from '../ui/format.ts'
import { CommentsFoot, usePlanComments } from './plan-comments.tsx'
import { PlanTree } from './plan-tree.tsx'
import { useLineDrafts } from './use-comments.ts'
import type { FeatureAction } from './use-feature.ts'
import './plan.css'

/** So many steps are read at a glance; more only when a person wants them. */
const GLANCE = 12

/** The plan where it is decided on without opening the feature: read, and commented on, line by line. */
export function PlanInPlace({ snapshot, run }: { snapshot: SessionSnapshot; run: FeatureAction }) {
  const { plan, session } = snapshot
  const gathered = usePlanComments(snapshot, run)
  const drafts = useLineDrafts(session.id)
  const [isWhole, setWhole] = useState(false)
  if (!plan) return null
  const { steps } = plan
  return (
    <section aria-label={`Plan v${plan.planVersion}`} className="plan-here">
      <h2>
        Plan v{plan.planVersion} <span className="small faint">{plural(steps.length, 'step')}</span>
      </h2>
      {plan.summary && <p className="text dim">{plan.summary}</p>}
      <div className="plan-steps">
        <PlanTree
          plan={plan}
          most={isWhole ? undefined : GLANCE}
          drafts={drafts}
          comments={gathered.comments}
          said={commentsOn(snapshot)}
          onComment={gathered.mayComment ? gathered.add : undefined}
          onRemove={gathered.remove}
        />
      </div>
      {steps.length > GLANCE && (
        <button type="button" className="link small" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : `Show all ${steps.length} steps`}
        </button>
      )}
      <CommentsFoot {...gathered} />
    </section>
  )
}
