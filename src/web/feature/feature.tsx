import { useEffect, useState } from 'react'
import { Link, useLocation, useSearchParams } from 'wouter'
import type { SessionSnapshot } from '#protocol/api/sessions.ts'
import { Refused } from '../api/client.ts'
import { useAsk } from '../api/queries.ts'
import { Damaged } from '../features/damaged.tsx'
import { featurePath } from '../features/derive-features.ts'
import { useKeys } from '../shell/keys.ts'
import { duration } from '../ui/format.ts'
import { Mark } from '../ui/mark.tsx'
import { useSeconds } from '../ui/now.ts'
import { Segments } from '../ui/segments.tsx'
import { Button, Note, Skeleton } from '../ui/small.tsx'
import { useTitle } from '../ui/title.ts'
import { isStillShown, Trouble } from '../ui/trouble.tsx'
import { windowWords } from './derive-hold.ts'
import { silence, stageMarks, TABS, type Tab } from './derive-stages.ts'
import { Foot } from './foot.tsx'
import { Header } from './header.tsx'
import { useLinkedStep } from './linked-step.ts'
import { PlanBand } from './plan-band.tsx'
import { actionsOn } from './use-feature.ts'
import { WaitsBand } from './waits-band.tsx'
import './feature.css'
import './plan.css'
import './story.css'

type Band = 'waits' | 'plan' | 'story'

/** One feature: how far it is, its plan, what it waits for, and what happened. */
export default function Feature({
  projectId,
  featureId,
  tab,
}: {
  projectId: string
  featureId: string
  tab: string | undefined
}) {
  const { data, error, refetch } = useAsk('sessions', 'show', { params: { projectId, featureId } })
  useTitle(data?.session.summary.title ?? 'Feature')
  if (error && !isStillShown(error, data)) {
    const isMissing = error instanceof Refused && error.refusal.code === 'session_not_found'
    const way = { href: '/features', label: 'Show all features' }
    const trouble = <Trouble error={error} what="This feature" onRetry={() => void refetch()} way={way} />
    return (
      <div className="page stack">
        <header>
          <p className="small faint">
            <Link href="/features">Features</Link>
          </p>
          <h1 className="two-lines" title={featureId}>
            {featureId}
          </h1>
        </header>
        {isMissing ? <Damaged only={{ projectId, featureId }} otherwise={trouble} /> : trouble}
      </div>
    )
  }
  if (!data) {
    return (
      <div className="page">
        <Skeleton rows={6} />
      </div>
    )
  }
  return <Open snapshot={data.session} tab={TABS.find((one) => one === tab)} />
}

function Open({ snapshot, tab }: { snapshot: SessionSnapshot; tab: Tab | undefined }) {
  const { summary, problems, session } = snapshot
  const params = { projectId: summary.projectId, featureId: summary.featureId }
  const run = actionsOn(params)
  const [, go] = useLocation()
  // A tab or a view of the plan in the address was opened on purpose: on a phone that is the band to show.
  const [search] = useSearchParams()
  const [band, setBand] = useState<Band>(tab ? 'story' : search.has('view') ? 'plan' : 'waits')
  const linked = useLinkedStep()
  useEffect(() => {
    if (linked) setBand('plan')
  }, [linked])
  const current = tab ?? 'story'
  const choose = (next: Tab) => {
    setBand('story')
    go(featurePath(summary, next))
  }
  const step = (by: number) => choose(TABS[(TABS.indexOf(current) + by + TABS.length) % TABS.length]!)
  useKeys('This feature', { '[': ['previous tab', () => step(-1)], ']': ['next tab', () => step(1)] })
  const marks = stageMarks(snapshot)
  const pressure = windowWords(session.usage)
  const asked = summary.archived || summary.deleted ? [] : summary.waiting
  const waiting = asked.some(({ kind }) => kind === 'questions') ? snapshot.questions.length : asked.length
  return (
    <div className={waiting > 0 ? 'feature asks' : 'feature'} data-band={band}>
      <Header snapshot={snapshot} run={run} />
      <div>
        {(problems.length > 0 || pressure) && (
          <div className="notes">
            {pressure && <Note>{pressure}</Note>}
            {problems.map((problem) => (
              <Note key={problem}>{problem}</Note>
            ))}
          </div>
        )}
        <nav className="stages" aria-label="Stages">
          {marks.map(({ number, title, detail, isCurrent, shape, tone, tab: opens }) => (
            <Link
              key={number}
              href={featurePath(summary, opens)}
              className={`${isCurrent ? 'current' : ''} ${shape === 'done' ? 'done' : ''} ${tone}`}
              {...(isCurrent && { 'aria-current': 'step' as const })}
            >
              <Mark shape={shape} tone={tone} />
              <span>
                <b>
                  {number} {title}
                </b>
                <small>{detail || '\u00a0'}</small>
              </span>
            </Link>
          ))}
        </nav>
        <div className="phone-tabs">
          <Segments
            label="Part of the page"
            value={band}
            onChoose={setBand}
            choices={[
              {
                value: 'waits',
                label: waiting > 0 ? 'Waits for you' : 'Now',
                count: waiting > 0 ? waiting : undefined,
              },
              { value: 'plan', label: 'Plan' },
              { value: 'story', label: 'What happened' },
            ]}
          />
        </div>
      </div>
      <div className="bands">
        <PlanBand snapshot={snapshot} run={run} linked={linked} />
        <WaitsBand
          snapshot={snapshot}
          run={run}
          tab={current}
          quiet={
            <Silence
              snapshot={snapshot}
              onInterrupt={() => void run('sessions', 'interrupt', {}, { label: 'Interrupt' })}
            />
          }
        />
      </div>
      <Foot
        key={session.id}
        snapshot={snapshot}
        run={run}
        tab={current}
        isTall={tab !== undefined && tab !== 'story'}
        onTab={choose}
      />
    </div>
  )
}

/** After half a minute without news: what it waits for, since when, and what can be done. */
function Silence({ snapshot, onInterrupt }: { snapshot: SessionSnapshot; onInterrupt(): void }) {
  const now = useSeconds()
  const quiet = silence(snapshot, Date.parse(snapshot.status.lastActionAt), now)
  if (!quiet) return null
  return (
    <Note>
      <span className="grow">
        No news for {duration(now - quiet.since)}. {quiet.text}. Long thinking and long tests are silent too.
      </span>
      {snapshot.actions.includes('interrupt') && <Button onClick={onInterrupt}>Interrupt and say something</Button>}
    </Note>
  )
}
