import { useState } from 'react'
import { Link } from 'wouter'
import type { AgentDetail } from '#protocol/api/agents.ts'
import { useAsk } from '../api/queries.ts'
import { ApprovalBody } from '../inbox/approval.tsx'
import { HOW_USED } from '../memory/derive-memory.ts'
import { count, duration, money, percent, plural, shortId } from '../ui/format.ts'
import { Mark, State } from '../ui/mark.tsx'
import { Segments } from '../ui/segments.tsx'
import { Ago, Button, Capped, Note, Path, Skeleton } from '../ui/small.tsx'
import { useTitle } from '../ui/title.ts'
import { Trouble } from '../ui/trouble.tsx'
import { Gauge } from './agents.tsx'
import { type Action, type ActionFilter, actionsOf, filterActions, scoreWord } from './derive-agent.ts'
import { DriftPlot } from './drift-plot.tsx'
import { Injected } from './injected.tsx'
import './agents.css'

const SHOWN = 60

/** One agent session: what it is to do, how it keeps to it, what was said to it, what it costs. */
export default function Agent({ id }: { id: string }) {
  const { data, error, refetch } = useAsk('agents', 'show', { params: { sessionId: id } })
  const summary = useAsk('agents', 'list', {}).data?.agents.find(({ sessionId }) => sessionId === id)
  const task = data?.tasks.findLast(({ status }) => status === 'active') ?? data?.tasks.at(-1)
  useTitle(task?.goal ?? 'Agent')
  if (error) {
    return (
      <div className="page">
        <Trouble error={error} what="This agent" onRetry={() => void refetch()} />
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
          <h1>{task?.goal ?? 'No goal yet'}</h1>
          <p className="facts">
            <span className="mono">{summary?.project ?? session.cwd ?? '–'}</span>
            {session.model && <span>{session.model}</span>}
            <span>{session.attachments.join(' and ')}</span>
            <span>
              {plural(actions.length, 'action')} in{' '}
              {duration((session.endedAt ?? session.lastSeenAt) - session.startedAt)}
            </span>
            {session.endedAt !== undefined && <span>ended</span>}
          </p>
        </div>
      </header>
      <Waiting sessionId={id} />
      <div className="split">
        <div className="stack-3">
          <Goal detail={data} />
          <DriftPlot actions={actions} />
          <Actions actions={actions} />
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

/** What this agent waits for, answered without leaving the page. */
function Waiting({ sessionId }: { sessionId: string }) {
  const { data } = useAsk('approvals', 'list', { query: {} })
  const own = data?.approvals.filter((one) => one.sessionId === sessionId) ?? []
  return own.map((approval) => (
    <div key={approval.id} className="stack" style={{ marginBottom: 16 }}>
      <Note tone="wait">
        <span className="grow">
          Wants to <code>{approval.what}</code>. Waits since <Ago at={approval.askedAt} />.
        </span>
      </Note>
      <ApprovalBody approval={approval} snooze={null} />
    </div>
  ))
}

function Goal({ detail: { tasks } }: { detail: AgentDetail }) {
  const task = tasks.findLast(({ status }) => status === 'active') ?? tasks.at(-1)
  if (!task) return <p className="empty">Nothing has been asked of this agent yet.</p>
  return (
    <section>
      <div className="row">
        <h2>Goal and limits</h2>
        <span className={task.mode === 'forced' ? 'tag wrong' : 'tag'}>mode: {task.mode}</span>
        {task.kind !== 'main' && <span className="tag">{task.kind}</span>}
      </div>
      <table className="limits">
        <thead>
          <tr>
            <th scope="col">What Grove understood</th>
            <th scope="col">The sentence it came from</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td className="text">
              <b>Goal</b> {task.goal}
            </td>
            <td>
              <p className="quote">
                <Capped text={task.instruction} most={400} />
              </p>
            </td>
          </tr>
          {task.constraints.map((limit, index) => (
            <tr key={limit}>
              <td className="text">
                <b>Limit {index + 1}</b> {limit}
              </td>
              <td>
                <p className="quote">{sentenceWith(task.instruction, limit)}</p>
              </td>
            </tr>
          ))}
          {task.expectedScope.length > 0 && (
            <tr>
              <td>
                <b>Scope</b>{' '}
                {task.expectedScope.slice(0, 8).map((path) => (
                  <code key={path}>{path} </code>
                ))}
              </td>
              <td className="faint">derived from the goal and the files read</td>
            </tr>
          )}
        </tbody>
      </table>
    </section>
  )
}

/** The user's own sentence that holds a limit; the limit itself where none does. */
function sentenceWith(instruction: string, limit: string): string {
  const words = limit
    .toLowerCase()
    .split(/\W+/)
    .filter((word) => word.length > 3)
  const sentences = instruction.split(/(?<=[.!?\n])\s+/)
  const shared = (sentence: string) => words.filter((word) => sentence.toLowerCase().includes(word)).length
  const best = sentences.toSorted((a, b) => shared(b) - shared(a))[0]
  return best && shared(best) > 0 ? best.trim() : limit
}

function Actions({ actions }: { actions: Action[] }) {
  const [filter, setFilter] = useState<ActionFilter>('all')
  const [shown, setShown] = useState(SHOWN)
  const wanted = filterActions(actions, filter).toReversed()
  return (
    <section>
      <div className="row">
        <h2>Steps</h2>
        <span className="small faint grow">newest first</span>
        <Segments
          label="Which steps"
          value={filter}
          onChoose={setFilter}
          choices={(['all', 'corrected', 'refused'] as const).map((value) => ({
            value,
            label: { all: 'All', corrected: 'Corrected', refused: 'Refused' }[value],
            count: filterActions(actions, value).length,
          }))}
        />
      </div>
      {wanted.length === 0 ? (
        <p className="empty">None.</p>
      ) : (
        <ul className="actions-list">
          {wanted.slice(0, shown).map((action) => (
            <li key={action.id} className={action.isRejected ? 'action off' : 'action'}>
              <span className="nr num">{action.number}</span>
              <span className="cut" title={action.tool}>
                {action.tool}
              </span>
              <span className="cut">
                {action.isPath ? <Path path={action.what} /> : <code title={action.what}>{action.what || '–'}</code>}
              </span>
              <span className="scored">
                <State shape={action.isRejected ? 'refused' : action.level ? 'turn' : 'done'}>
                  {action.score ?? ''} {scoreWord(action)}
                </State>
              </span>
              <span className="when num">
                <Ago at={action.at} />
              </span>
              {(action.reason || action.subagent) && (
                <span className="reason text">
                  {action.subagent && <span className="tag">subagent</span>}{' '}
                  {action.reason && <Capped text={action.reason} most={240} />}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {wanted.length > shown && (
        <Button look="quiet" onClick={() => setShown(shown + 200)}>
          Show {Math.min(200, wanted.length - shown)} more
        </Button>
      )}
    </section>
  )
}

function Window({ tokens, size }: { tokens: number; size: number | undefined }) {
  return (
    <section>
      <h2>Window</h2>
      <p>
        <b>{count(tokens)}</b>{' '}
        <span className="small dim">{size ? `of ${count(size)} tokens, ${percent(tokens / size)}` : 'tokens'}</span>
      </p>
      {size && <Gauge share={tokens / size} />}
      <p className="small faint">Grove warns at 80 % and clears at 90 %: the older part becomes a summary.</p>
    </section>
  )
}

/** What of the team's memory was put before the agent, and whether it acted on it. */
function GivenMemories({ memories }: { memories: AgentDetail['memories'] }) {
  if (memories.length === 0) return null
  return (
    <section>
      <h2>Memories given</h2>
      <ul className="brief">
        {memories.map(({ id, goal, usedAt, how }) => (
          <li key={id}>
            <Mark shape={usedAt === undefined ? 'open' : 'done'} />
            <div>
              <Link href={`/memory/${encodeURIComponent(id)}`} className="text two-lines">
                {goal}
              </Link>
              <span className="faint">{usedAt === undefined ? 'not used so far' : HOW_USED[how ?? 'words']}</span>
            </div>
            <span />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Cost({ detail: { tokens, judgeCostUsd } }: { detail: AgentDetail }) {
  const read = tokens.input + tokens.cacheRead + tokens.cacheWrite
  return (
    <section>
      <h2>Cost</h2>
      <dl className="pairs" style={{ marginTop: 4 }}>
        <dt>Turns</dt>
        <dd className="right num">{count(tokens.turns)}</dd>
        <dt>Tokens in</dt>
        <dd className="right num">{count(read)}</dd>
        <dt>Tokens out</dt>
        <dd className="right num">{count(tokens.output)}</dd>
        <dt>Read from cache</dt>
        <dd className="right num">{read > 0 ? percent(tokens.cacheRead / read) : '–'}</dd>
        <dt>Grove’s judge</dt>
        <dd className="right num">{money(judgeCostUsd)}</dd>
      </dl>
    </section>
  )
}
