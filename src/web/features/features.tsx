import { useQueries } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { SessionSummary } from '#protocol/api/sessions.ts'
import { asking, useAsk } from '../api/queries.ts'
import { useKeys } from '../shell/keys.ts'
import { oneOf, useAddress } from '../ui/address.ts'
import { money, plural } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { ListHead } from '../ui/list-head.tsx'
import { Segments } from '../ui/segments.tsx'
import { Button, Command, Skeleton } from '../ui/small.tsx'
import { useTitle } from '../ui/title.ts'
import { Trouble } from '../ui/trouble.tsx'
import { AlsoFound } from './also-found.tsx'
import { Damaged } from './damaged.tsx'
import { type Filter, found, groups, matches, type Sort, sorted } from './derive-features.ts'
import { type Row, Rows } from './rows.tsx'
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

/** Every feature session: what waits for you first, then what runs, then the rest. */
export default function Features() {
  const [params, set] = useAddress()
  const filter = oneOf(params.get('show'), Object.keys(FILTERS) as Filter[], 'all')
  const sort = oneOf(params.get('sort'), Object.keys(SORTS) as Sort[], 'activity')
  const search = params.get('q') ?? ''
  const list = useAsk(
    'sessions',
    'list',
    { query: { filter: filter === 'archived' ? 'archived' : 'all', limit: 500 } },
    { keep: true },
  )
  // How many there are on the other side: a count that comes and goes would move the choices under the pointer.
  const rest = useAsk('sessions', 'list', { query: { filter: 'all', limit: 500 } }, { keep: true })
  const aside = useAsk('sessions', 'list', { query: { filter: 'archived', limit: 1 } }, { keep: true })
  // What one answer cannot hold is asked for when a person wants to see it.
  const [pages, setPages] = useState(1)
  const older = useOlder(filter === 'archived' ? 'archived' : 'all', pages)
  const field = useRef<HTMLInputElement>(null)
  const [at, setAt] = useState(-1)
  const [, go] = useLocation()
  useTitle('Features')
  const all = useMemo(() => [...(list.data?.sessions ?? []), ...older], [list.data, older])
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
  }
  useKeys('Features', {
    '/': ['search', () => field.current?.focus()],
    n: ['new feature', () => go('/features/new')],
    j: ['next', () => move(1)],
    k: ['previous', () => move(-1)],
  })
  // Nothing is there that could be searched or sorted.
  const isNew = list.data?.total === 0 && filter === 'all' && search === ''
  const cost = all.reduce((sum, { costUsd }) => sum + costUsd, 0)
  return (
    <div className="page">
      <ListHead
        title="Features"
        about={
          list.data && list.data.total > 0
            ? `${plural(list.data.total, 'session')} in ${plural(new Set(all.map(({ projectId }) => projectId)).size, 'project')} · ${money(cost)}`
            : ''
        }
        actions={
          !isNew && (
            <Link href="/features/new" className="button primary">
              <Icon name="plus" /> New feature
            </Link>
          )
        }
        search={
          isNew
            ? undefined
            : {
                label: 'Search features',
                placeholder: 'Title, project, path or branch',
                value: search,
                field,
                onChange: (text) => set('q', text),
              }
        }
      >
        {!isNew && (
          <Segments
            label="Which features"
            value={filter}
            onChoose={(value) => set('show', value === 'all' ? '' : value)}
            choices={(Object.keys(FILTERS) as Filter[]).map((value) => ({
              value,
              label: FILTERS[value],
              count:
                value === 'archived'
                  ? aside.data?.total
                  : (filter === 'archived' ? rest.data?.sessions : all)?.filter((one) => matches(one, value)).length,
            }))}
          />
        )}
        {!isNew && (
          <label className="order end small">
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
        )}
      </ListHead>
      {list.error && <Trouble error={list.error} what="Features" onRetry={() => void list.refetch()} />}
      {search === '' && <Damaged />}
      {list.isPending ? (
        <Skeleton rows={7} />
      ) : rows.length === 0 ? (
        !list.error && <Nothing filter={filter} isSearched={search !== ''} onAll={() => go('/features')} />
      ) : (
        <Rows rows={rows} wanted={ordered[at]?.id} />
      )}
      {list.data && list.data.total > all.length && (
        <Button look="quiet" onClick={() => setPages(pages + 1)}>
          Show {plural(Math.min(PAGE, list.data.total - all.length), 'more session')}
        </Button>
      )}
      <AlsoFound />
    </div>
  )
}

const PAGE = 500
const NONE: SessionSummary[] = []

/** The pages after the first, without what has moved to an earlier one meanwhile. */
function useOlder(filter: 'all' | 'archived', pages: number): SessionSummary[] {
  return useQueries({
    queries: Array.from({ length: pages - 1 }, (_, index) =>
      asking('sessions', 'list', { query: { filter, limit: PAGE, offset: PAGE * (index + 1) } }),
    ),
    combine: joined,
  })
}

function joined(answers: { data?: { sessions: SessionSummary[] } | undefined }[]): SessionSummary[] {
  if (answers.length === 0) return NONE
  return answers.flatMap(({ data }) => data?.sessions ?? [])
}

function Nothing({ filter, isSearched, onAll }: { filter: Filter; isSearched: boolean; onAll(): void }) {
  if (filter !== 'all' || isSearched) {
    return (
      <div className="empty">
        <h2>{isSearched ? 'No feature matches.' : `No feature is ${FILTERS[filter].toLowerCase()}.`}</h2>
        <p className="row">
          <Button onClick={onAll}>Show all features</Button>
        </p>
      </div>
    )
  }
  return (
    <div className="empty">
      <h2>No features yet.</h2>
      <p>
        Describe what you want. Claude reads the code and asks, you approve a plan, and only then code is written, in a
        worktree of its own, up to a pull request.
      </p>
      <p className="row">
        <Link href="/features/new" className="button primary">
          Start a feature
        </Link>
      </p>
      <p className="small faint">From a terminal:</p>
      <Command text="grove feature new" />
    </div>
  )
}
