import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { SessionSummary } from '#protocol/api/sessions.ts'
import { act } from '../api/actions.ts'
import { refresh, useAsk } from '../api/queries.ts'
import { useKeys } from '../shell/keys.ts'
import { useAddress } from '../ui/address.ts'
import { money, plural } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { ListHead } from '../ui/list-head.tsx'
import { Mark } from '../ui/mark.tsx'
import { Menu } from '../ui/menu.tsx'
import { Segments } from '../ui/segments.tsx'
import { Ago, Command, Skeleton } from '../ui/small.tsx'
import { useTitle } from '../ui/title.ts'
import { toast } from '../ui/toasts.ts'
import { Trouble } from '../ui/trouble.tsx'
import { AlsoFound } from './also-found.tsx'
import {
  type Filter,
  featurePath,
  found,
  groups,
  matches,
  miniature,
  type Sort,
  sorted,
  standing,
} from './derive-features.ts'
import './features.css'

const FILTERS: Record<Filter, string> = {
  all: 'All',
  active: 'Active',
  completed: 'Completed',
  expired: 'Expired',
  archived: 'Archived',
}
const SORTS: Record<Sort, string> = {
  activity: 'Last activity first',
  created: 'Newest first',
  stage: 'Furthest stage first',
}

type Row = { type: 'head'; title: string; count: number } | { type: 'feature'; feature: SessionSummary }

/** Every feature session: what waits for you first, then what runs, then the rest. */
export default function Features() {
  const [params, set] = useAddress()
  const filter = (params.get('show') ?? 'all') as Filter
  const sort = (params.get('sort') ?? 'activity') as Sort
  const search = params.get('q') ?? ''
  const list = useAsk(
    'sessions',
    'list',
    { query: { filter: filter === 'archived' ? 'archived' : 'all', limit: 500 } },
    { keep: true },
  )
  const field = useRef<HTMLInputElement>(null)
  const [at, setAt] = useState(-1)
  const [, go] = useLocation()
  useTitle('Features')
  const all = list.data?.sessions ?? []
  const shown = useMemo(
    () =>
      sorted(
        all.filter((one) => matches(one, filter) && found(one, search)),
        sort,
      ),
    [all, filter, search, sort],
  )
  const rows = useMemo(
    () =>
      groups(shown).flatMap(({ title, features }): Row[] => [
        { type: 'head', title, count: features.length },
        ...features.map((feature): Row => ({ type: 'feature', feature })),
      ]),
    [shown],
  )
  const ordered = rows.flatMap((row) => (row.type === 'feature' ? [row.feature] : []))
  const move = (step: number) => {
    const next = Math.min(ordered.length - 1, Math.max(0, at + step))
    setAt(next)
    document.querySelectorAll<HTMLElement>('.feature-row .title')[next]?.focus()
  }
  useKeys('Features', {
    '/': ['search', () => field.current?.focus()],
    n: ['new feature', () => go('/features/new')],
    j: ['next', () => move(1)],
    k: ['previous', () => move(-1)],
  })
  const cost = all.reduce((sum, { costUsd }) => sum + costUsd, 0)
  return (
    <div className="page">
      <ListHead
        title="Features"
        about={
          list.data
            ? `${plural(list.data.total, 'session')} in ${plural(new Set(all.map(({ projectId }) => projectId)).size, 'project')} · ${money(cost)} in all`
            : ''
        }
        actions={
          <Link href="/features/new" className="button primary">
            <Icon name="plus" /> New feature
          </Link>
        }
        search={{
          label: 'Search features',
          placeholder: 'Title, project, path or branch',
          value: search,
          field,
          onChange: (text) => set('q', text),
        }}
      >
        <Segments
          label="Which features"
          value={filter}
          onChoose={(value) => set('show', value === 'all' ? '' : value)}
          choices={(Object.keys(FILTERS) as Filter[]).map((value) => ({
            value,
            label: FILTERS[value],
            count:
              value === 'archived' && filter !== 'archived'
                ? undefined
                : all.filter((one) => matches(one, value)).length,
          }))}
        />
        <label className="end small">
          <span className="hidden-label">Order</span>
          <select
            className="input"
            value={sort}
            onChange={({ target }) => set('sort', target.value === 'activity' ? '' : target.value)}
          >
            {(Object.keys(SORTS) as Sort[]).map((value) => (
              <option key={value} value={value}>
                {SORTS[value]}
              </option>
            ))}
          </select>
        </label>
      </ListHead>
      {list.error && <Trouble error={list.error} what="Features" onRetry={() => void list.refetch()} />}
      {list.isPending ? (
        <Skeleton rows={7} />
      ) : rows.length === 0 ? (
        !list.error && <Nothing isFiltered={all.length > 0} />
      ) : (
        <Rows rows={rows} />
      )}
      <AlsoFound />
    </div>
  )
}

/** Only the rows in sight are there: 500 features scroll like five. */
function Rows({ rows }: { rows: Row[] }) {
  const list = useRef<HTMLUListElement>(null)
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => (rows[index]?.type === 'head' ? 43 : 61),
    overscan: 12,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: (index) => {
      const row = rows[index]!
      return row.type === 'head' ? row.title : row.feature.id
    },
  })
  return (
    <ul ref={list} style={{ height: virtual.getTotalSize(), position: 'relative' }} aria-label="Features">
      {virtual.getVirtualItems().map(({ index, key, start }) => {
        const row = rows[index]!
        return (
          <li
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            style={{
              position: 'absolute',
              insetInline: 0,
              top: 0,
              transform: `translateY(${start - virtual.options.scrollMargin}px)`,
            }}
          >
            {row.type === 'head' ? (
              <Head title={row.title} count={row.count} hasNames={index === 0} />
            ) : (
              <Feature feature={row.feature} />
            )}
          </li>
        )
      })}
    </ul>
  )
}

function Head({ title, count, hasNames }: { title: string; count: number; hasNames: boolean }) {
  return (
    <div className="feature-head">
      <h2 className="group-title small">
        {title} <span className="faint">{count}</span>
      </h2>
      {hasNames && (
        <>
          <span>Stage</span>
          <span>State</span>
          <span className="cost right">Cost</span>
          <span className="right">Active</span>
        </>
      )}
    </div>
  )
}

function Feature({ feature }: { feature: SessionSummary }) {
  const how = standing(feature)
  const params = { projectId: feature.projectId, featureId: feature.featureId }
  const run = async (
    name: 'archive' | 'unarchive' | 'delete' | 'undelete' | 'pause' | 'resume',
    said: string,
    undo?: 'unarchive' | 'undelete' | 'archive',
  ) => {
    const done = await act('sessions', name, { params, body: { requestId: crypto.randomUUID() } }, { label: said })
    refresh(['sessions'])
    if ('sent' in done) {
      toast({
        tone: 'go',
        text: said,
        forMs: 7_000,
        ...(undo && {
          action: {
            label: 'Undo',
            run: () =>
              void act('sessions', undo, { params, body: { requestId: crypto.randomUUID() } }, { label: 'Undo' }).then(
                () => refresh(['sessions']),
              ),
          },
        }),
      })
    }
  }
  const isOver = ['completed', 'rolled_back', 'corrupted'].includes(feature.status)
  return (
    <div className="feature-row">
      <Mark shape={how.shape} tone={how.tone} />
      <div>
        <Link href={featurePath(feature)} className="title two-lines" title={feature.title}>
          {feature.title}
        </Link>
        <p className="facts">
          <span className="mono">{feature.projectName}</span>
          <span className="mono cut">{feature.branch}</span>
          {feature.pr && (
            <span>
              {feature.pr.state === 'local' ? 'local review' : `PR #${feature.pr.number} ${feature.pr.state}`}
            </span>
          )}
          {feature.replanningCount > 0 && (
            <span>re-planned {feature.replanningCount === 1 ? 'once' : `${feature.replanningCount} times`}</span>
          )}
        </p>
      </div>
      <div className="stage">
        <div className="mini" aria-hidden="true">
          {miniature(feature).map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the six stages stand still
            <i key={index} className={part} />
          ))}
        </div>
        <p className="stage-text">
          {feature.stage} {feature.stageText}
        </p>
      </div>
      <span className={`standing dense ${how.tone}`}>{how.word}</span>
      <span className="cost right dense dim num">{money(feature.costUsd)}</span>
      <span className="active right dense dim">
        <Ago at={Date.parse(feature.updatedAt)} />
      </span>
      <span className="over">
        <Menu
          look="quiet"
          label={`More about ${feature.title}`}
          items={[
            feature.status === 'active' && {
              label: 'Pause after this turn',
              run: () => void run('pause', 'Paused. Nothing is lost.'),
            },
            (feature.status === 'paused' || feature.status === 'interrupted') && {
              label: 'Go on',
              run: () => void run('resume', 'It goes on.'),
            },
            feature.pr?.url
              ? {
                  label: `Open PR #${feature.pr.number} (leaves this page)`,
                  run: () => void window.open(feature.pr?.url, '_blank', 'noopener,noreferrer'),
                }
              : false,
            '-',
            feature.archived
              ? {
                  label: 'Bring back from the archive',
                  run: () => void run('unarchive', 'Back in the list.', 'archive'),
                }
              : { label: 'Archive', run: () => void run('archive', 'Archived. Nothing is removed.', 'unarchive') },
            {
              label: 'Delete from the list',
              danger: true,
              off: isOver || feature.status !== 'active' ? undefined : 'Pause it first',
              run: () => void run('delete', 'Hidden. Its files stay.', 'undelete'),
            },
          ]}
        />
      </span>
    </div>
  )
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <div className="empty">
        <h2>No feature fits.</h2>
        <p>Try other words or another filter.</p>
      </div>
    )
  }
  return (
    <div className="empty">
      <h2>No feature yet.</h2>
      <p>
        Describe what you want. Claude reads the code and asks, you approve a plan, and only then code is written, in a
        worktree of its own, up to a pull request.
      </p>
      <p className="row" style={{ marginTop: 12 }}>
        <Link href="/features/new" className="button primary">
          Start a feature
        </Link>
      </p>
      <p className="small faint">From a terminal:</p>
      <Command text="grove feature new" />
    </div>
  )
}
