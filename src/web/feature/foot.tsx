import { useQueries } from '@tanstack/react-query'
import { Fragment, lazy, Suspense, useState } from 'react'
import type { SessionSnapshot } from '#protocol/api/sessions.ts'
import { asking, useAsk } from '../api/queries.ts'
import { count, day, moment, money, timeOfDay } from '../ui/format.ts'
import { Mark } from '../ui/mark.tsx'
import { useNow } from '../ui/now.ts'
import { Segments } from '../ui/segments.tsx'
import { Button, Skeleton } from '../ui/small.tsx'
import { Trouble } from '../ui/trouble.tsx'
import type { Tab } from './derive-stages.ts'
import { storyLines } from './derive-story.ts'
import { EvidenceTab } from './evidence.tsx'
import { PullRequestTab } from './pr.tsx'
import type { FeatureAction } from './use-feature.ts'

const Output = lazy(() => import('./output.tsx').then(({ Output: component }) => ({ default: component })))
const Changes = lazy(() => import('./changes.tsx').then(({ Changes: component }) => ({ default: component })))
const Conversation = lazy(() =>
  import('./conversation.tsx').then(({ Conversation: component }) => ({ default: component })),
)

interface Props {
  snapshot: SessionSnapshot
  run: FeatureAction
  tab: Tab
  isTall: boolean
  onTab(tab: Tab): void
}

/** What happened, and what came of it. */
export function Foot({ snapshot, run, tab, isTall, onTab }: Props) {
  const { criteria, pr } = snapshot
  const proven = criteria.filter(({ state }) => state === 'passed').length
  return (
    <section className={isTall ? 'foot tall' : 'foot'} aria-label="What happened">
      <div className="foot-tabs">
        <Segments
          label="What to show"
          value={tab}
          onChoose={onTab}
          panel="foot-panel"
          choices={[
            { value: 'story', label: 'Story' },
            { value: 'output', label: 'Output' },
            { value: 'conversation', label: 'Conversation' },
            { value: 'changes', label: 'Changes' },
            { value: 'evidence', label: 'Evidence', count: `${proven}/${criteria.length}` },
            {
              value: 'pr',
              label: 'Pull request',
              count: pr.pullRequest?.prNumber ? `#${pr.pullRequest.prNumber}` : undefined,
            },
          ]}
        />
        <span className="grow" />
        <span className="small faint wide-only roomy-only">
          <kbd>[</kbd> <kbd>]</kbd> switch
        </span>
      </div>
      <div id="foot-panel" role="tabpanel" aria-label={tab} style={{ display: 'contents' }}>
        <Suspense fallback={<Skeleton rows={3} />}>
          {tab === 'output' ? (
            <Output snapshot={snapshot} />
          ) : tab === 'conversation' ? (
            <Conversation snapshot={snapshot} run={run} />
          ) : (
            <div className="foot-body" tabIndex={0}>
              {tab === 'story' && <Story snapshot={snapshot} run={run} />}
              {tab === 'changes' && <Changes snapshot={snapshot} run={run} />}
              {tab === 'evidence' && <EvidenceTab snapshot={snapshot} />}
              {tab === 'pr' && <PullRequestTab snapshot={snapshot} />}
            </div>
          )}
        </Suspense>
      </div>
    </section>
  )
}

const SHOWN = 120
const PAGE = 500

function Story({ snapshot: { summary, lastEvent }, run }: { snapshot: SessionSnapshot; run: FeatureAction }) {
  const params = { projectId: summary.projectId, featureId: summary.featureId }
  const [shown, setShown] = useState(SHOWN)
  const [earlier, setEarlier] = useState(0)
  const newest = Math.max(0, lastEvent - PAGE)
  const { data, error } = useAsk(
    'sessionRecords',
    'events',
    { params, query: { after: newest, limit: PAGE } },
    { keep: true },
  )
  // Pages that do not move while new events come; what the newest one holds as well is told once.
  const before = useQueries({
    queries: Array.from({ length: earlier }, (_, index) => Math.floor(newest / PAGE) - index)
      .filter((page) => page >= 0)
      .map((page) => asking('sessionRecords', 'events', { params, query: { after: page * PAGE, limit: PAGE } })),
  })
  // Only for the words of what was answered; without them the answers alone are told.
  const questions = useAsk('sessionQuestions', 'list', { params, query: { all: 'true' } }, { keep: true })
  const now = useNow()
  if (error) return <Trouble error={error} what="The story" />
  if (!data) return <Skeleton rows={3} />
  const known = new Map(
    [...before.toReversed().flatMap((page) => page.data?.events ?? []), ...data.events].map((event) => [
      event.id,
      event,
    ]),
  )
  const lines = storyLines([...known.values()], questions.data?.questions)
  const hasEarlier = newest > 0 && earlier <= Math.floor(newest / PAGE)
  if (lines.length === 0) return <p className="dim">Nothing has happened yet.</p>
  return (
    <>
      <ul className="story">
        {lines.slice(0, shown).map(({ id, at, shape, text, costUsd, restores }, index) => (
          <Fragment key={id}>
            {day(at, now) !== day(lines[index - 1]?.at ?? now, now) && <li className="day">{day(at, now)}</li>}
            <li>
              <time dateTime={new Date(at).toISOString()} title={moment(at)}>
                {timeOfDay(at)}
              </time>
              <Mark shape={shape} />
              <span className="text">{text}</span>
              <span className="faint small num">
                {costUsd !== undefined && money(costUsd)}
                {restores && (
                  <button
                    type="button"
                    className="link"
                    onClick={() =>
                      void run('sessionQuestions', 'restore', {}, { label: 'Bring a question back', id: restores })
                    }
                  >
                    Bring it back
                  </button>
                )}
              </span>
            </li>
          </Fragment>
        ))}
      </ul>
      {lines.length > shown ? (
        <Button look="quiet" onClick={() => setShown(shown + 300)}>
          Show {count(Math.min(300, lines.length - shown))} more
        </Button>
      ) : (
        hasEarlier && (
          <Button
            look="quiet"
            onClick={() => {
              setEarlier(earlier + 1)
              setShown(shown + 300)
            }}
          >
            Show what happened earlier
          </Button>
        )
      )}
    </>
  )
}
