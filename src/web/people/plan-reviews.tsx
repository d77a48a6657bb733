import { useState } from 'react'
import { Link } from 'wouter'
import type { SessionSnapshot } from '#protocol/api/sessions.ts'
import type { PlanReview } from '#protocol/workflow/reviews.ts'
import { useComments } from '../feature/use-comments.ts'
import type { FeatureAction } from '../feature/use-feature.ts'
import { plural } from '../ui/format.ts'
import { Mark } from '../ui/mark.tsx'
import { Ago, Button } from '../ui/small.tsx'
import { useStored } from '../ui/stored.ts'
import { toast } from '../ui/toasts.ts'
import { askable, askedOf, verdictWords } from './derive-plan-reviews.ts'
import { NameForm } from './name-form.tsx'
import { usePeople } from './use-me.ts'
import './people.css'

interface Props {
  snapshot: SessionSnapshot
  run: FeatureAction
}

/** What teammates say about the plan: asked for, given, and sent on to Claude. */
export function PlanReviews({ snapshot, run }: Props) {
  const { me, others } = usePeople()
  const { plan, planReviews } = snapshot
  if (!plan || !me) return null
  const isMine = askedOf(snapshot, me.id) !== undefined || !me.isOwner
  const hasSaid = planReviews.some((one) => one.personId === me.id && one.planHash === plan.hash && one.verdict)
  return (
    <section className="plan-reviews" aria-label="Teammates about the plan">
      {isMine && !hasSaid && <MyReview snapshot={snapshot} run={run} />}
      {(planReviews.length > 0 || others.length > 0) && <h3>Teammates</h3>}
      {planReviews.length > 0 && (
        <ul className="brief">
          {planReviews.slice(0, 6).map((review) => (
            <Review key={review.id} review={review} snapshot={snapshot} run={run} />
          ))}
        </ul>
      )}
      {me.isOwner && (
        <Ask snapshot={snapshot} run={run} people={askable(others, snapshot)} isAlone={others.length === 0} />
      )}
    </section>
  )
}

function Review({ review, snapshot, run }: Props & { review: PlanReview }) {
  const { person, verdict, text, comments, sentAt, askedAt, answeredAt, planHash } = review
  const canSend =
    verdict === 'changes' && !sentAt && planHash === snapshot.plan?.hash && snapshot.actions.includes('comment')
  return (
    <li>
      <Mark shape={verdict === 'fine' ? 'done' : verdict === 'changes' ? 'turn' : 'open'} />
      <div>
        <b>{person}</b> {verdictWords(review)}
        {text && <p className="text said">{text}</p>}
        {comments
          .filter(({ stepId }) => stepId === undefined)
          .map((one) => (
            <p className="text said" key={one.text}>
              {one.text}
            </p>
          ))}
        {canSend && (
          <p>
            <Button
              onClick={() =>
                void run('sessionPlans', 'sendReview', {}, { label: `What ${person} said`, id: review.id }).then(
                  (done) =>
                    done === 'done' &&
                    toast({ tone: 'go', text: 'Sent as one change request. Claude writes the next version.' }),
                )
              }
            >
              Send what {person} said as one change request
            </Button>
          </p>
        )}
      </div>
      <span className="faint">
        <Ago at={Date.parse(answeredAt ?? askedAt)} />
      </span>
    </li>
  )
}

/** A teammate says what they think. It changes nothing by itself. */
function MyReview({ snapshot, run }: Props) {
  const { me } = usePeople()
  const { session, plan } = snapshot
  const [text, setText] = useStored(`grove.draft.review.${session.id}`, '')
  const [comments, setComments] = useComments(session.id)
  if (!plan || !me) return null
  const about = comments.map((one) => ({
    text: one.text,
    ...(one.stepId && { stepId: one.stepId }),
    ...(one.quote && { quote: one.quote }),
  }))
  const give = async (verdict: 'fine' | 'changes') => {
    const body = { planHash: plan.hash, verdict, comments: about, text }
    const done = await run('sessionPlans', 'giveReview', body, { label: 'Your review' })
    if (done !== 'done' && done !== 'kept') return
    setText(undefined)
    setComments(undefined)
    if (done === 'done') toast({ tone: 'go', text: 'Kept with the plan, under your name.' })
  }
  if (me.name === null) {
    return (
      <>
        <h2>Your review of plan v{plan.planVersion}</h2>
        <p className="dim">It is kept under your name; say it first.</p>
        <NameForm name="" action="This is me" />
      </>
    )
  }
  return (
    <>
      <h2>Your review of plan v{plan.planVersion}</h2>
      <p className="small dim">
        {comments.length > 0
          ? `Your ${plural(comments.length, 'comment')} on the plan ${comments.length === 1 ? 'goes' : 'go'} with it.`
          : 'Every line of the plan can be commented on; the comments go with it.'}
      </p>
      <textarea
        className="input"
        aria-label="What you think of the plan"
        placeholder="What you think of it, in your words"
        rows={3}
        maxLength={5000}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <div className="row">
        <Button onClick={() => void give('fine')}>The plan is fine</Button>
        <Button onClick={() => void give('changes')} disabled={text.trim() === '' && comments.length === 0}>
          Ask for changes
        </Button>
      </div>
    </>
  )
}

function Ask({
  snapshot,
  run,
  people,
  isAlone,
}: Props & { people: { id: string; name: string | null }[]; isAlone: boolean }) {
  const [chosen, setChosen] = useState('')
  if (isAlone) {
    return (
      <p className="small faint">
        A teammate can look at this plan too: <Link href="/settings/team">invite one</Link>.
      </p>
    )
  }
  const who = people.find(({ id }) => id === chosen) ?? people[0]
  if (!who) return null
  return (
    <div className="row">
      <select
        className="input"
        aria-label="Whom to ask"
        value={who.id}
        onChange={({ target }) => setChosen(target.value)}
      >
        {people.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <Button
        onClick={() =>
          void run(
            'sessionPlans',
            'askReview',
            { planHash: snapshot.plan!.hash, personId: who.id },
            { label: `Ask ${who.name} for a review` },
          )
        }
      >
        Ask {who.name} to look at plan v{snapshot.plan!.planVersion}
      </Button>
    </div>
  )
}
