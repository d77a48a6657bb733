import { useState } from 'react'
import type { SessionSnapshot } from '#protocol/api/sessions.ts'
import type { PlanFile } from '#protocol/workflow/plan.ts'
import { useKeys } from '../shell/keys.ts'
import { plural } from '../ui/format.ts'
import { Button, Note } from '../ui/small.tsx'
import { toast } from '../ui/toasts.ts'
import { openFindings, signOffSentence } from './derive-review.ts'
import type { FeatureAction } from './use-feature.ts'

/** Approves exactly this plan. With fewer reviews than recommended the person signs a sentence that names what is open. */
export function ApprovalGate(props: Props) {
  const { plan } = props.snapshot
  return plan && <Gate {...props} plan={plan} />
}

interface Props {
  snapshot: SessionSnapshot
  run: FeatureAction
  /** It is what the page waits for, and so has the key. */
  isMain?: boolean
  /** Beside what else waits: in sight from the start. */
  isOpen?: boolean
  /** Stands in the row of the button. */
  beside?: React.ReactNode
}

function Gate({ snapshot, plan, run, isMain = false, isOpen = false, beside }: Props & { plan: PlanFile }) {
  const { summary, reviews, session, questions } = snapshot
  const [isSigned, setSigned] = useState(false)
  const isEarly = summary.reviewCount < summary.recommendedReviews
  const open = openFindings(reviews)
  const blocked = questions.filter(({ isRequired, priority }) => isRequired && priority === 1).length
  const label = `Approve plan v${plan.planVersion} and start implementing`
  const why =
    blocked > 0
      ? `Answer ${plural(blocked, 'P1 question')} first.`
      : isEarly && !isSigned
        ? 'Tick the sentence above first.'
        : ''
  const approve = async () => {
    const done = await run('sessionPlans', 'approve', { planHash: plan.hash, signOff: isEarly && isSigned }, { label })
    if (done === 'done')
      toast({ tone: 'go', text: `Plan v${plan.planVersion} is approved. The implementation begins.` })
  }
  useKeys('Plan approval', isMain ? { 'mod+Enter': ['approve the plan', () => why === '' && void approve()] } : {})
  const consent = (isOn: boolean) =>
    void run('sessionPlans', 'startWhenClean', { planHash: plan.hash, consent: isOn }, { label: 'Start when clean' })
  const body = (
    <>
      {session.isClean && (
        <Note tone="go" shape="done">
          The last review of this plan found nothing.
        </Note>
      )}
      {isEarly && (
        <label className="sign">
          <input type="checkbox" checked={isSigned} onChange={({ target }) => setSigned(target.checked)} />
          <span className="text">
            {signOffSentence(plan.planVersion, summary.reviewCount, summary.recommendedReviews, reviews)}
          </span>
        </label>
      )}
      {!isEarly && open.length > 0 && (
        <p className="small">
          {plural(open.length, 'finding')} of the reviews {open.length === 1 ? 'is' : 'are'} not resolved.
        </p>
      )}
      <div className="row">
        <Button
          {...(isMain && !why && { look: 'primary' as const })}
          disabled={why !== ''}
          onClick={() => void approve()}
          {...(isMain && { keys: 'Ctrl Enter' })}
        >
          {label}
        </Button>
        {why && <span className="small">{why}</span>}
        {beside}
      </div>
      <p className="small faint">
        {session.mode === 'worktree'
          ? 'Code is written in the worktree of this feature'
          : 'Code is written in your checkout'}
        , step by step. Nothing leaves this machine before the pull request.
      </p>
      {isEarly && !session.isClean && (
        <label className="sign">
          <input
            type="checkbox"
            checked={session.startWhenClean === plan.hash}
            onChange={({ target }) => consent(target.checked)}
          />
          <span>Start by itself once a review of exactly this plan finds nothing</span>
        </label>
      )}
    </>
  )
  if (isMain) {
    return (
      <section aria-label="Approval of the plan" className="stack">
        <h2>Approve the plan</h2>
        {/* The sentence to sign says how many there were. */}
        {!isEarly && (
          <p className="dim small">
            {summary.recommendedReviews > 0
              ? `${summary.reviewCount} of ${summary.recommendedReviews} recommended reviews.`
              : 'No review is asked for by the settings.'}
          </p>
        )}
        {body}
      </section>
    )
  }
  return (
    <details className="gate" open={isOpen}>
      <summary>
        <b>{isEarly ? `Approve before review ${summary.recommendedReviews}` : 'Approve the plan'}</b>
      </summary>
      {body}
    </details>
  )
}
