import { useDeferredValue, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { act } from '../api/actions.ts'
import { refresh, useAsk } from '../api/queries.ts'
import { wordsOf } from '../memory/derive-memory.ts'
import { useKeys } from '../shell/keys.ts'
import { useAddress } from '../ui/address.ts'
import { plural } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { ListHead } from '../ui/list-head.tsx'
import { Mark } from '../ui/mark.tsx'
import { Segments } from '../ui/segments.tsx'
import { Ago, Button, Marked, Path, Skeleton } from '../ui/small.tsx'
import { useTitle } from '../ui/title.ts'
import { toast } from '../ui/toasts.ts'
import { Trouble } from '../ui/trouble.tsx'
import { byCategory, fared, type Learning, rejectedBecause, rejectedOf } from './derive-learnings.ts'
import { LearningEditor } from './editor.tsx'

type Life = 'active' | 'archived' | 'superseded' | 'rejected'
const LIVES: Record<Life, string> = {
  active: 'Active',
  archived: 'Archived',
  superseded: 'Superseded',
  rejected: 'Turned down',
}

/** What agents have learned, by category and life. */
export default function Learnings({ id }: { id: string | undefined }) {
  const [params, set] = useAddress()
  const search = params.get('q') ?? ''
  const life = (params.get('life') ?? 'active') as Life
  const asked = useDeferredValue(search.trim())
  const field = useRef<HTMLInputElement>(null)
  const [, go] = useLocation()
  useTitle('Learnings')
  const status = life === 'rejected' ? 'active' : life
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
  const rejected = rejectedOf(projects)
  const rows = data?.learnings ?? []
  const chosen = rows.find((one) => one.id === id)
  const words = wordsOf(asked)
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
        about={`${plural(total('active'), 'learning')} in use, ${plural(
          projects.reduce((sum, { reflections }) => sum + reflections, 0),
          'reflection',
        )} so far`}
        search={{
          label: 'Search learnings',
          placeholder: 'What was learned about …',
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
            count: value === 'rejected' ? rejected.length : total(value),
          }))}
        />
      </ListHead>
      {error && <Trouble error={error} what="Learnings" />}
      {life === 'rejected' ? (
        <RejectedList rejected={rejected} />
      ) : (
        <div className={id ? 'list-detail chosen' : 'list-detail'}>
          <div className="list">
            {isPending ? (
              <Skeleton rows={6} />
            ) : rows.length === 0 ? (
              <div className="empty">
                <h2>{asked ? 'Nothing was learned about this.' : `No ${LIVES[life].toLowerCase()} learning.`}</h2>
                <p>Agents are asked to reflect when they finish a ticket; what passes the write gate appears here.</p>
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
            {chosen ? (
              <>
                <Link href={to()} className="button quiet back">
                  <Icon name="left" /> All learnings
                </Link>
                <Detail key={chosen.id} learning={chosen} words={words} />
              </>
            ) : (
              rows.length > 0 && (
                <p className="empty">
                  {id && !isPending ? 'This learning is not in this list.' : 'Choose a learning to read it.'}
                </p>
              )
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

function Detail({ learning, words }: { learning: Learning; words: string[] }) {
  const [isEditing, setEditing] = useState(false)
  if (isEditing) return <LearningEditor learning={learning} onClose={() => setEditing(false)} />
  const change = async (name: 'archive' | 'restore', label: string, said: string) => {
    const input = { params: { id: learning.id }, query: { project: learning.project.id }, body: {} }
    const done = await act('learnings', name, input, { label })
    refresh(['learnings'], ['insights'])
    if (!('sent' in done)) return
    const back = name === 'archive' ? 'restore' : 'archive'
    const undo = () =>
      void act('learnings', back, input, { label: 'Undo' }).then(() => refresh(['learnings'], ['insights']))
    toast({ tone: 'go', text: said, forMs: 7_000, action: { label: 'Undo', run: undo } })
  }
  return (
    <article>
      <header className="page-head">
        <div className="grow">
          <h1>{learning.summary}</h1>
          <p className="facts">
            <span className="tag">{learning.category}</span>
            <span>{learning.scope}</span>
            <span>{learning.confidence} confidence</span>
            <Ago at={learning.at} />
          </p>
        </div>
        <Button onClick={() => setEditing(true)}>Edit</Button>
        {learning.status === 'active' && (
          <Button
            look="quiet"
            onClick={() => void change('archive', 'Archive a learning', 'Set aside. Agents no longer see it.')}
          >
            Set aside
          </Button>
        )}
        {learning.status === 'archived' && (
          <Button
            look="quiet"
            onClick={() => void change('restore', 'Restore a learning', 'Taken back. Agents see it again.')}
          >
            Take back
          </Button>
        )}
      </header>
      <section className="part">
        <p className="text">
          <Marked text={learning.detail} words={words} />
        </p>
      </section>
      <section className="part">
        <h3>Worth keeping because</h3>
        <p>{learning.criteriaMet.map((one) => one.replaceAll('_', ' ')).join(', ') || '–'}</p>
      </section>
      <section className="part">
        <h3>How it fared</h3>
        <p>{fared(learning)}</p>
        {learning.usage?.supersededBy && (
          <p>
            Replaced by <Link href={`/learnings/${learning.usage.supersededBy}`}>a later one</Link>.
          </p>
        )}
        {learning.supersedes && (
          <p>
            Corrects <Link href={`/learnings/${learning.supersedes}?life=superseded`}>an earlier one</Link>.
          </p>
        )}
      </section>
      {learning.contextFiles.length > 0 && (
        <section className="part">
          <h3>Files</h3>
          <ul>
            {learning.contextFiles.map((file) => (
              <li key={file}>
                <Path path={file} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {learning.tags.length > 0 && (
        <p className="row part">
          {learning.tags.map((tag) => (
            <span className="tag" key={tag}>
              {tag}
            </span>
          ))}
        </p>
      )}
    </article>
  )
}

function RejectedList({ rejected }: { rejected: ReturnType<typeof rejectedOf> }) {
  if (rejected.length === 0) {
    return (
      <div className="empty">
        <h2>Nothing was turned down lately.</h2>
        <p>Candidates that do not pass the write gate are listed here with the reason.</p>
      </div>
    )
  }
  return (
    <ul className="brief">
      {rejected.map((one) => (
        <li key={`${one.at}${one.summary}`}>
          <Mark shape="refused" tone="rest" />
          <div>
            <span className="text">{one.summary}</span>
            <p className="faint">
              {rejectedBecause(one)} · {one.project}
            </p>
          </div>
          <span className="faint">
            <Ago at={one.at} />
          </span>
        </li>
      ))}
    </ul>
  )
}
