import { Link } from 'wouter'
import { actionsOf } from '#protocol/agent-actions.ts'
import { useAsk } from '../api/queries.ts'
import { featurePath } from '../features/derive-features.ts'
import { ApprovalBody } from '../inbox/approval.tsx'
import { SHORT_COMMAND } from '../inbox/derive-inbox.ts'
import { useReplaced } from '../inbox/replaced.ts'
import { takeLateClick } from '../shell/keys.ts'
import { CodeWords } from '../ui/code-words.tsx'
import { duration, plural, shortId } from '../ui/format.ts'
import { Ago, Note, Skeleton } from '../ui/small.tsx'
import { useTitle } from '../ui/title.ts'
import { isStillShown, Trouble } from '../ui/trouble.tsx'
import { plainly } from '../ui/visible-text.ts'
import { Cost, GivenMemories, Window } from './agent-aside.tsx'
import { contribution, wishOf } from './derive-agent.ts'
import { DriftPlot } from './drift-plot.tsx'
import { Goal } from './goal.tsx'
import { Injected } from './injected.tsx'
import { Steps } from './steps.tsx'
import './agents.css'

/** One agent session: what it is to do, how it keeps to it, what was said to it, what it costs. */
export default function Agent({ id }: { id: string }) {
  const { data, error, refetch } = useAsk('agents', 'show', { params: { sessionId: id } })
  const summary = useAsk('agents', 'list', {}).data?.agents.find(({ sessionId }) => sessionId === id)
  const task = data?.tasks.findLast(({ status }) => status === 'active') ?? data?.tasks.at(-1)
  const name = data?.feature?.title ?? task?.goal
  useTitle(name ?? 'Agent')
  if (error && !isStillShown(error, data)) {
    return (
      <div className="page stack">
        <header>
          <p className="small faint">
            <Link href="/agents">Agents</Link> /
          </p>
          <h1 className="two-lines" title={id}>
            {shortId(id)}
          </h1>
        </header>
        <Trouble
          error={error}
          what="This agent"
          onRetry={() => void refetch()}
          way={{ href: '/agents', label: 'Show all agents' }}
        />
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
  const actions = actionsOf(data)
  const { session } = data
  return (
    <div className="page">
      <p className="small faint">
        <Link href="/agents">Agents</Link> / <code title={id}>{shortId(id)}</code>
      </p>
      <header className="page-head">
        <div className="grow">
          <h1>{name ?? 'No goal yet'}</h1>
          <p className="facts">
            <span className="mono">{summary?.project ?? session.cwd ?? '–'}</span>
            {data.feature && <Link href={featurePath(data.feature)}>works for a feature</Link>}
            {session.model && <span>{session.model}</span>}
            <span>{session.attachments.join(' and ')}</span>
            <span>
              {plural(data.actions, 'action')} in{' '}
              {duration((session.endedAt ?? session.lastSeenAt) - session.startedAt)}
            </span>
            {task && task.status !== 'active' ? (
              <span>{task.status === 'completed' ? 'finished' : 'given up'}</span>
            ) : (
              session.endedAt !== undefined && <span>ended</span>
            )}
            {summary && contribution(summary) && <span>{contribution(summary)}</span>}
          </p>
        </div>
      </header>
      <Waiting sessionId={id} />
      <div className="split">
        <div className="stack-3">
          <Goal detail={data} />
          <DriftPlot actions={actions} />
          <Steps actions={actions} />
        </div>
        <aside className="stack-3">
          <Window tokens={session.contextTokens} size={summary?.window} />
          <Injected injections={data.injections} />
          <GivenMemories memories={data.memories} />
          <Cost detail={data} />
        </aside>
      </div>
    </div>
  )
}

/** The whole of it is read below. */
const shortened = (text: string) => (text.length > SHORT_COMMAND ? `${text.slice(0, SHORT_COMMAND)}…` : text)

function Wish({ what }: { what: string }) {
  const wish = wishOf(what)
  return (
    <>
      {wish.verb}{' '}
      <code>
        <CodeWords text={plainly(shortened(wish.what))} />
      </code>
    </>
  )
}

/** What this agent waits for, answered without leaving the page. */
function Waiting({ sessionId }: { sessionId: string }) {
  const { data } = useAsk('approvals', 'list', { query: {} })
  const all = data?.approvals.filter((one) => one.sessionId === sessionId) ?? []
  // As in the inbox: what has waited longest comes first.
  const own = all.toSorted((a, b) => a.askedAt - b.askedAt)
  useReplaced(
    own.map(({ id }) => id),
    own[0]?.id,
  )
  return own.map((approval, index) => (
    <div key={approval.id} className="stack" style={{ marginBottom: 16 }} onClickCapture={takeLateClick}>
      <Note tone="wait">
        <span className="grow">
          <Wish what={approval.what} /> · <Ago at={approval.askedAt} />
        </span>
      </Note>
      <ApprovalBody approval={approval} snooze={null} isFirst={index === 0} />
    </div>
  ))
}
