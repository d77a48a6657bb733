import { useDeferredValue, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { useAsk } from '../api/queries.ts'
import { wordsOf } from '../memory/derive-memory.ts'
import { useKeys } from '../shell/keys.ts'
import { oneOf, useAddress } from '../ui/address.ts'
import { plural } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { ListHead } from '../ui/list-head.tsx'
import { Segments } from '../ui/segments.tsx'
import { Ago, Marked, Skeleton } from '../ui/small.tsx'
import { useTitle } from '../ui/title.ts'
import { Trouble } from '../ui/trouble.tsx'
import { byCategory, type Learning, rejectedWith } from './derive-learnings.ts'
import { LearningDetail } from './detail.tsx'
import { Contradictions, RejectedList } from './rejected.tsx'
import './learnings.css'

type Life = 'active' | 'archived' | 'superseded' | 'rejected' | 'contradictions'
const LIVES: Record<Life, string> = {
  active: 'Active',
  archived: 'Archived',
  superseded: 'Superseded',
  rejected: 'Rejected',
  contradictions: 'Contradictions',
}

/** What agents have learned, by category and life. */
export default function Learnings({ id }: { id: string | undefined }) {
  const [params, set] = useAddress()
  const search = params.get('q') ?? ''
  const life = oneOf(params.get('life'), Object.keys(LIVES) as Life[], 'active')
  const asked = useDeferredValue(search.trim())
  const field = useRef<HTMLInputElement>(null)
  const [, go] = useLocation()
  useTitle('Learnings')
  const status = life === 'rejected' || life === 'contradictions' ? 'active' : life
  const { data, error, isPending } = useAsk(
    'learnings',
    'list',
    { query: { status, limit: 500, ...(asked && { q: asked }) } },
    { keep: true },
  )
  const insights = useAsk('insights', 'list', { query: {} })
  const projects = insights.data?.projects ?? []
  const total = (key: 'active' | 'archived' | 'superseded') =>
    projects.reduce((sum, { learnings }) => sum + learnings[key], 0)
  const turnedDown = useAsk('rejectedLearnings', 'list', { query: {} })
  const rejected = turnedDown.data?.candidates ?? []
  // Nothing is counted before it is known.
  const counts: Partial<Record<Life, number>> = {
    ...(insights.data && {
      active: total('active'),
      archived: total('archived'),
      superseded: total('superseded'),
    }),
    ...(turnedDown.data && {
      rejected: rejected.length,
      contradictions: rejected.filter(({ contradicts }) => contradicts).length,
    }),
  }
  const rows = data?.learnings ?? []
  const chosen = rows.find((one) => one.id === id)
  const words = wordsOf(asked)
  const matching = rejectedWith(rejected, words)
  const to = (learning?: string) =>
    `/learnings${learning ? `/${encodeURIComponent(learning)}` : ''}${params.size > 0 ? `?${params}` : ''}`
  const move = (step: number) => {
    const at = rows.findIndex((one) => one.id === id)
    const next = rows[Math.min(rows.length - 1, Math.max(0, at + step))]
    if (next) go(to(next.id))
  }
  useKeys('Learnings', {
    '/': ['search', () => field.current?.focus()],
    j: ['next', () => move(1)],
    k: ['previous', () => move(-1)],
  })
  return (
    <div className="page">
      <ListHead
        title="Learnings"
        about={
          projects.length > 0
            ? `${plural(total('active'), 'learning')} in use, ${plural(
                projects.reduce((sum, { reflections }) => sum + reflections, 0),
                'reflection',
              )} so far`
            : ''
        }
        search={{
          label: 'Search learnings',
          placeholder: 'What was learned about…',
          value: search,
          field,
          onChange: (text) => set('q', text),
        }}
      >
        <Segments
          label="Life"
          value={life}
          onChoose={(value) => set('life', value === 'active' ? '' : value)}
          choices={(Object.keys(LIVES) as Life[]).map((value) => ({
            value,
            label: LIVES[value],
            count: counts[value],
          }))}
        />
      </ListHead>
      {error && <Trouble error={error} what="Learnings" />}
      {turnedDown.isPending && (life === 'rejected' || life === 'contradictions') ? (
        <Skeleton rows={4} />
      ) : life === 'rejected' ? (
        <RejectedList rejected={matching} isSearch={asked !== ''} />
      ) : life === 'contradictions' ? (
        <Contradictions rejected={matching} isSearch={asked !== ''} />
      ) : (
        <div className={id ? 'list-detail chosen' : 'list-detail'}>
          <div className="list">
            {isPending ? (
              <Skeleton rows={6} />
            ) : rows.length === 0 ? (
              <div className="empty">
                <h2>{asked ? 'Nothing was learned about this.' : `No ${LIVES[life].toLowerCase()} learnings.`}</h2>
                <p>
                  Agents reflect when they have finished a piece of work. What they find worth keeping appears here.
                </p>
              </div>
            ) : (
              byCategory(rows).map(([category, list]) => (
                <section key={category} aria-label={category}>
                  <h2 className="group">
                    {category} <span className="faint">{list.length}</span>
                  </h2>
                  {list.map((one) => (
                    <Row key={one.id} learning={one} words={words} href={to(one.id)} isChosen={one.id === id} />
                  ))}
                </section>
              ))
            )}
          </div>
          <div className="detail">
            {id && (
              <Link href={to()} className="button quiet back">
                <Icon name="left" /> All learnings
              </Link>
            )}
            {chosen ? (
              <LearningDetail key={chosen.id} learning={chosen} others={rows} words={words} />
            ) : id && !isPending ? (
              <p className="empty">
                This learning is not in this list. It may have been archived, replaced or deleted.
              </p>
            ) : (
              rows.length > 0 && <p className="empty">Choose a learning to read it.</p>
            )}
          </div>
        </div>
      )}
    </div>
  )
}

function Row({
  learning,
  words,
  href,
  isChosen,
}: {
  learning: Learning
  words: string[]
  href: string
  isChosen: boolean
}) {
  return (
    <Link href={href} className="hit" {...(isChosen && { 'aria-current': 'true' as const })}>
      <span className="title">
        <Marked text={learning.summary} words={words} />
      </span>
      <span className="facts">
        <span className="mono">{learning.scope === 'personal' ? 'personal' : learning.project.name}</span>
        <span>{learning.confidence} confidence</span>
        {learning.hitRate !== undefined && <span>used {Math.round(learning.hitRate * 100)} %</span>}
        <Ago at={learning.at} />
      </span>
    </Link>
  )
}
