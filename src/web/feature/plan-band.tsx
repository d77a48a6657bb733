import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import type { SessionSnapshot } from '#protocol/api/sessions.ts'
import { commentsOn } from '../people/derive-plan-reviews.ts'
import { useKeys } from '../shell/keys.ts'
import { oneOf } from '../ui/address.ts'
import { plural } from '../ui/format.ts'
import { Segments } from '../ui/segments.tsx'
import type { LinkedStep } from './linked-step.ts'
import { PlanBoard } from './plan-board.tsx'
import { CommentsFoot, usePlanComments } from './plan-comments.tsx'
import { PlanTimeline } from './plan-timeline.tsx'
import { PlanTree } from './plan-tree.tsx'
import { PlanVersions } from './plan-versions.tsx'
import { Tracker } from './tracker.tsx'
import { useLineDrafts } from './use-comments.ts'
import type { FeatureAction } from './use-feature.ts'

const VIEWS = ['tree', 'board', 'timeline'] as const
type View = (typeof VIEWS)[number]

interface Props {
  snapshot: SessionSnapshot
  run: FeatureAction
  linked: LinkedStep | undefined
}

/** The plan: read as a tree, watched as a board, timed as bars; commented line by line. */
export function PlanBand({ snapshot, run, linked }: Props) {
  const { plan, summary, session } = snapshot
  const [params, setParams] = useSearchParams()
  const view = oneOf(params.get('view'), VIEWS, summary.stage === 3 && !linked ? 'board' : 'tree')
  const [isComparing, setComparing] = useState(false)
  const gathered = usePlanComments(snapshot, run)
  const drafts = useLineDrafts(session.id)
  const show = (value: View) =>
    setParams((before) => {
      const next = new URLSearchParams(before)
      next.set('view', value)
      return next
    })
  useKeys('Plan', {
    'v t': ['as a tree', () => show('tree')],
    'v b': ['as a board', () => show('board')],
    'v l': ['as a timeline', () => show('timeline')],
    'v d': ['what changed in this version', () => setComparing(true)],
  })
  if (!plan) {
    return (
      <section className="band plan" aria-label="Plan">
        <div className="band-head">
          <h2>Plan</h2>
        </div>
        <div className="band-body" tabIndex={0}>
          <div className="empty">
            <h2>No plan yet.</h2>
            <p>Claude writes it at the end of discovery. Nothing is changed in the repository before you approve it.</p>
          </div>
          <Feature snapshot={snapshot} />
        </div>
      </section>
    )
  }
  return (
    <section className="band plan" aria-label="Plan">
      <div className="band-head">
        <h2>Plan v{plan.planVersion}</h2>
        <span className="small faint cut">
          {plural(plan.steps.length, 'step')}
          {plan.isApproved &&
            summary.stage > 2 &&
            `, approved${session.approval?.by ? ` by ${session.approval.by}` : ''}`}
        </span>
        <button type="button" className="link small" onClick={() => setComparing(true)}>
          Versions
        </button>
        <span className="grow" />
        <Segments
          label="Show the plan as"
          value={view}
          onChoose={show}
          choices={[
            { value: 'tree', label: 'Tree' },
            { value: 'board', label: 'Board' },
            { value: 'timeline', label: 'Timeline' },
          ]}
        />
      </div>
      <div className="band-body" tabIndex={0}>
        {summary.stage === 2 && <Tracker snapshot={snapshot} onCompare={() => setComparing(true)} />}
        {view === 'tree' && (
          <PlanTree
            plan={plan}
            linked={linked}
            drafts={drafts}
            comments={gathered.comments}
            said={commentsOn(snapshot)}
            onComment={gathered.mayComment ? gathered.add : undefined}
            onRemove={gathered.remove}
          />
        )}
        {view === 'board' && <PlanBoard snapshot={snapshot} />}
        {view === 'timeline' && <PlanTimeline steps={plan.steps} />}
      </div>
      <CommentsFoot {...gathered} />
      {isComparing && <PlanVersions snapshot={snapshot} onClose={() => setComparing(false)} />}
    </section>
  )
}

/** What was asked, while there is no plan to look at. */
function Feature({ snapshot: { session } }: { snapshot: SessionSnapshot }) {
  return (
    <>
      <section className="part">
        <h3>What you asked for</h3>
        <p className="quote">{session.featureDescription}</p>
      </section>
      <section className="part">
        <h3>Done when</h3>
        <ul className="bulleted dense">
          {session.acceptanceCriteria
            .filter(({ checked }) => checked)
            .map(({ text }) => (
              <li key={text} className="text">
                {text}
              </li>
            ))}
        </ul>
      </section>
      {session.technicalNotes && (
        <section className="part">
          <h3>Notes</h3>
          <p className="quote">{session.technicalNotes}</p>
        </section>
      )}
      {session.recalled.length > 0 && (
        <section className="part">
          <h3>What the team knew, and Claude was given</h3>
          <ul className="bulleted dense">
            {session.recalled.map(({ kind, id, title }) => (
              <li key={id} className="text">
                <Link href={`/${kind === 'memory' ? 'memory' : 'learnings'}/${encodeURIComponent(id)}`}>{title}</Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
