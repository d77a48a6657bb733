import { Link, useLocation, useSearchParams } from 'wouter'
import { act } from '../api/actions.ts'
import { refresh, useAsk } from '../api/queries.ts'
import { plural } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { State } from '../ui/mark.tsx'
import { Segments } from '../ui/segments.tsx'
import { Command, Note, Skeleton } from '../ui/small.tsx'
import { useTitle } from '../ui/title.ts'
import { Trouble } from '../ui/trouble.tsx'
import type { Intent, Listed } from './derive-intents.ts'
import { ScopeTree } from './scope.tsx'
import { Blame, Changes, Coverage } from './trace.tsx'
import './intents.css'

const NEXT: Record<string, string> = { planned: 'in_progress', in_progress: 'done', done: 'in_progress' }

/** Declared work: what each intent owns, what was changed for it, and what was changed for none. */
export default function Intents({ id }: { id: string | undefined }) {
  const [params, setParams] = useSearchParams()
  const all = params.get('all') === 'true'
  const file = params.get('file')
  const { data, error, isPending } = useAsk(
    'intents',
    'list',
    { query: { all: all ? 'true' : 'false' } },
    { keep: true },
  )
  const [, go] = useLocation()
  useTitle('Intents')
  const listed = data?.projects ?? []
  const wanted = params.get('project') ?? listed[0]?.project.id
  const current = listed.find(({ project }) => project.id === wanted)
  const chosen = current?.intents.find((one) => one.id === id)
  const search = params.size > 0 ? `?${params}` : ''
  return (
    <div className="page">
      <header className="page-head">
        <div className="grow">
          <h1>Intents</h1>
          <p className="about">
            {listed.length > 0
              ? `${plural(
                  listed.reduce((sum, { intents }) => sum + intents.length, 0),
                  all ? 'intent' : 'open intent',
                )} in ${plural(listed.length, 'project')}`
              : '\u00a0'}
          </p>
        </div>
        <Segments
          label="Which intents"
          value={all ? 'all' : 'open'}
          onChoose={(value) => setParams(value === 'all' ? { ...Object.fromEntries(params), all: 'true' } : {})}
          choices={[
            { value: 'open', label: 'Open' },
            { value: 'all', label: 'All' },
          ]}
        />
      </header>
      {error && <Trouble error={error} what="Intents" />}
      {isPending && <Skeleton rows={5} />}
      {data && listed.length === 0 && (
        <div className="empty">
          <h2>No project declares intents.</h2>
          <p>
            An intent says what may be changed for a piece of work, and when it is done. The guard then checks every
            write against it.
          </p>
          <Command text="grove intent add" />
        </div>
      )}
      {listed.length > 1 && (
        <div className="tools">
          <Segments
            label="Project"
            value={wanted ?? ''}
            onChoose={(project) => go(`/intents?project=${encodeURIComponent(project)}`)}
            choices={listed.map(({ project, intents }) => ({
              value: project.id,
              label: project.name,
              count: intents.length,
            }))}
          />
        </div>
      )}
      {current?.problems.map((problem) => (
        <Note tone="wrong" key={problem.line}>
          The file of intents has a mistake in line {problem.line}, column {problem.column}: {problem.message}
        </Note>
      ))}
      {current && (
        <div className={id || file ? 'list-detail chosen' : 'list-detail'}>
          <div className="list">
            {current.intents.map((intent) => (
              <Row
                key={intent.id}
                intent={intent}
                href={`/intents/${encodeURIComponent(intent.id)}${search}`}
                isChosen={intent.id === id}
              />
            ))}
            {current.intents.length === 0 && <p className="empty">No open intent in this project.</p>}
            <Coverage project={current.project.id} />
          </div>
          <div className="detail">
            {(id || file) && (
              <Link
                href={`/intents${wanted ? `?project=${encodeURIComponent(wanted)}` : ''}`}
                className={file ? 'button quiet' : 'button quiet back'}
              >
                <Icon name="left" /> All intents
              </Link>
            )}
            {file ? (
              <Blame project={current.project.id} file={file} />
            ) : chosen ? (
              <Detail listed={current} intent={chosen} />
            ) : (
              <>
                {id && <Note>{id} is not among these intents. It may be done, or of another project.</Note>}
                <ScopeTree project={current.project.id} intent={undefined} />
                <Changes project={current.project.id} intent={undefined} />
              </>
            )}
          </div>
        </div>
      )}
    </div>
  )
}

function Row({ intent, href, isChosen }: { intent: Intent; href: string; isChosen: boolean }) {
  return (
    <Link href={href} className="hit" {...(isChosen && { 'aria-current': 'true' as const })}>
      <span className="title">{intent.name}</span>
      <span className="facts">
        <span className="mono">{intent.id}</span>
        <State shape={intent.status === 'in_progress' ? 'works' : intent.status === 'done' ? 'done' : 'open'}>
          {intent.status.replaceAll('_', ' ')}
        </State>
        {intent.needsApproval && <span>every change needs a person</span>}
      </span>
      <span className="facts mono">{intent.ownedScope.slice(0, 4).join('  ')}</span>
    </Link>
  )
}

function Detail({ listed: { project }, intent }: { listed: Listed; intent: Intent }) {
  const next = NEXT[intent.status]
  const change = async (status: string) => {
    await act(
      'intents',
      'change',
      { params: { id: intent.id }, body: { project: project.id, status } },
      { label: `Status of ${intent.id}` },
    )
    refresh(['intents'])
  }
  return (
    <article>
      <header className="page-head">
        <div className="grow">
          <h1>{intent.name}</h1>
          <p className="facts">
            <span className="mono">{intent.id}</span>
            <span>{intent.status.replaceAll('_', ' ')}</span>
            {intent.owner && <span>{intent.owner}</span>}
          </p>
        </div>
        {next && (
          <button type="button" className="button" onClick={() => void change(next)}>
            {next === 'done'
              ? 'Mark as done'
              : next === 'in_progress' && intent.status === 'done'
                ? 'Open again'
                : 'Start'}
          </button>
        )}
      </header>
      <Part title="Owns" lines={intent.ownedScope} isCode />
      <ScopeTree project={project.id} intent={intent.id} />
      <Part title="Limits" lines={intent.constraints} />
      <Part title="Done when" lines={intent.acceptanceCriteria} />
      <Part title="After" lines={intent.dependencies} isCode />
      <Changes project={project.id} intent={intent.id} />
    </article>
  )
}

function Part({ title, lines, isCode = false }: { title: string; lines: string[]; isCode?: boolean }) {
  if (lines.length === 0) return null
  return (
    <section className="part">
      <h3>{title}</h3>
      <ul className="text">
        {lines.map((line) => (
          <li key={line}>{isCode ? <code>{line}</code> : line}</li>
        ))}
      </ul>
    </section>
  )
}
