import { useDeferredValue, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { OUTBOX } from '../api/actions.ts'
import type { Waiting } from '../api/outbox.ts'
import { useAsk } from '../api/queries.ts'
import { useKeys } from '../shell/keys.ts'
import { useAddress } from '../ui/address.ts'
import { count, plural } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { ListHead } from '../ui/list-head.tsx'
import { Segments } from '../ui/segments.tsx'
import { Ago, Button, Command, Marked, Skeleton } from '../ui/small.tsx'
import { useStored } from '../ui/stored.ts'
import { useTitle } from '../ui/title.ts'
import { Trouble } from '../ui/trouble.tsx'
import { countsWithout, gist, isLeaving, type Listed, listed, wordsOf } from './derive-memory.ts'
import { MemoryDetail } from './detail.tsx'
import { exportMemories, ImportButton } from './transfer.tsx'

const PAGE = 50
const ALL = ''
const NONE: Waiting[] = []

/** What was learned from finished work: searched, read, corrected, removed. */
export default function Memory({ id }: { id: string | undefined }) {
  const [params, set] = useAddress()
  const search = params.get('q') ?? ''
  const project = params.get('project') ?? ALL
  const asked = useDeferredValue(search.trim())
  const [limit, setLimit] = useState(PAGE)
  const [leaving] = useStored<Waiting[]>(OUTBOX, NONE)
  const field = useRef<HTMLInputElement>(null)
  const [, go] = useLocation()
  useTitle('Memory')

  const inProject = project === ALL ? {} : { project }
  const known = useAsk('projects', 'list', {}).data?.projects
  const list = useAsk('memories', 'list', { query: { ...inProject, limit } }, { enabled: asked === '', keep: true })
  const found = useAsk(
    'memories',
    'search',
    { query: { ...inProject, q: [asked], limit: 30 } },
    { enabled: asked !== '', keep: true },
  )
  const rows = listed(list.data?.memories ?? [], asked === '' ? undefined : (found.data?.hits ?? [])).filter(
    ({ entry }) => !isLeaving(leaving, entry.id),
  )
  const loaded = [...(list.data?.memories ?? []), ...(found.data?.hits ?? []).map(({ entry }) => entry)]
  const counts = countsWithout(known ?? [], loaded, leaving)
  const projects = counts.filter(({ memories }) => memories > 0)
  // The chosen one stays in sight, also when its last memory is gone.
  const offered = counts.filter((one) => one.id === project || projects.slice(0, 6).includes(one))
  const nameOf = (projectId: string) => known?.find((one) => one.id === projectId)?.name ?? projectId
  const chosen = rows.find(({ entry }) => entry.id === id)
  const words = wordsOf(asked)
  const total = projects.reduce((sum, { memories }) => sum + memories, 0)
  const to = (memory: string | undefined) =>
    `/memory${memory ? `/${encodeURIComponent(memory)}` : ''}${params.size > 0 ? `?${params}` : ''}`
  const move = (step: number) => {
    const at = rows.findIndex(({ entry }) => entry.id === id)
    const next = rows[Math.min(rows.length - 1, Math.max(0, at + step))]
    if (next) go(to(next.entry.id))
  }
  useKeys('Memory', {
    '/': ['search', () => field.current?.focus()],
    j: ['next', () => move(1)],
    k: ['previous', () => move(-1)],
  })
  const error = asked === '' ? list.error : found.error
  const isLoading = asked === '' ? list.isPending : found.isPending

  return (
    <div className="page">
      <ListHead
        title="Memory"
        about={
          known && total > 0 ? `${plural(total, 'memory', 'memories')} in ${plural(projects.length, 'project')}` : ''
        }
        actions={
          <div className="row">
            <ImportButton projects={known} />
            <Button onClick={() => void exportMemories(project || undefined)} disabled={total === 0}>
              Export {project === ALL && total > 0 ? `${count(total)} ` : ''}as JSON lines
            </Button>
          </div>
        }
        search={{
          label: 'Search memories',
          placeholder: 'Words, a file, an error message',
          value: search,
          field,
          onChange: (text) => set('q', text),
        }}
      >
        {(projects.length > 1 || project !== ALL) && (
          <Segments
            label="Project"
            value={project}
            onChoose={(value) => set('project', value)}
            choices={[
              { value: ALL, label: 'All projects' },
              ...offered.map(({ id: value, name, memories }) => ({ value, label: name, count: memories })),
            ]}
          />
        )}
        <span className="small faint end">
          {asked !== '' &&
            found.data &&
            rows.length > 0 &&
            `${plural(rows.length, 'memory', 'memories')} found, best first`}
        </span>
      </ListHead>
      {error && <Trouble error={error} what="Memories" />}
      <div className={id ? 'list-detail chosen' : 'list-detail'}>
        <div className="list">
          {isLoading ? (
            <Skeleton rows={6} />
          ) : rows.length === 0 ? (
            !error && <Nothing isSearch={asked !== '' || project !== ALL} onAll={() => go('/memory')} />
          ) : (
            rows.map((row) => (
              <Row
                key={row.entry.id}
                row={row}
                project={nameOf(row.entry.projectId)}
                words={words}
                href={to(row.entry.id)}
                isChosen={row.entry.id === id}
              />
            ))
          )}
          {asked === '' && list.data?.next && (
            <Button look="quiet" onClick={() => setLimit(Math.min(500, limit + 100))}>
              Show more
            </Button>
          )}
        </div>
        <div className="detail">
          {id ? (
            <>
              <Link href={to(undefined)} className="button quiet back">
                <Icon name="left" /> All memories
              </Link>
              <MemoryDetail
                key={id}
                id={id}
                nameOf={nameOf}
                known={chosen?.entry}
                words={words}
                why={chosen?.why}
                onGone={() => go(to(undefined))}
              />
            </>
          ) : (
            rows.length > 0 && <p className="empty">Choose a memory to read it.</p>
          )}
        </div>
      </div>
    </div>
  )
}

function Row({
  row: { entry, why },
  project,
  words,
  href,
  isChosen,
}: {
  row: Listed
  project: string
  words: string[]
  href: string
  isChosen: boolean
}) {
  return (
    <Link href={href} className="hit" {...(isChosen && { 'aria-current': 'true' as const })}>
      <span className="title">
        <Marked text={entry.goal} words={words} />
      </span>
      <p className="two-lines text">
        <Marked text={gist(entry)} words={words} />
      </p>
      <span className="facts">
        <span className="mono">{project}</span>
        {entry.user && <span>{entry.user}</span>}
        <Ago at={entry.createdAt} />
        {entry.status !== 'complete' && <span>{entry.status}</span>}
        {entry.standing === 'open' && <span>on an open branch</span>}
      </span>
      {why && (
        <span className="small">
          Found: <Marked text={why} words={words} />
        </span>
      )}
    </Link>
  )
}

function Nothing({ isSearch, onAll }: { isSearch: boolean; onAll(): void }) {
  if (isSearch) {
    return (
      <div className="empty">
        <h2>No memory matches.</h2>
        <p>Try fewer words, a file name, or another project.</p>
        <p className="row">
          <Button onClick={onAll}>Show all memories</Button>
        </p>
      </div>
    )
  }
  return (
    <div className="empty">
      <h2>No memories yet.</h2>
      <p>
        When an agent finishes a piece of work, its summary is kept here. Earlier work can be brought in from git or
        from transcripts:
      </p>
      <Command text="grove import git" />
    </div>
  )
}
