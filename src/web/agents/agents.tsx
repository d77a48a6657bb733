import { Link } from 'wouter'
import type { AgentSummary } from '#protocol/api/agents.ts'
import { useAsk } from '../api/queries.ts'
import { money, percent, plural, short } from '../ui/format.ts'
import { Mark, State } from '../ui/mark.tsx'
import { useNow } from '../ui/now.ts'
import { Ago, Command, Skeleton } from '../ui/small.tsx'
import { useTitle } from '../ui/title.ts'
import { Trouble } from '../ui/trouble.tsx'
import { plainly } from '../ui/visible-text.ts'
import { agentMark, contribution, waitingFirst, waitOf } from './derive-agent.ts'
import './agents.css'

/** Every live agent session in a line. */
export default function Agents() {
  const { data, error, refetch } = useAsk('agents', 'list', {})
  useTitle('Agents')
  return (
    <div className="page">
      <header className="page-head">
        <div className="grow">
          <h1>Agents</h1>
          <p className="about">
            {data?.agents.length
              ? `${plural(data.agents.length, 'session')} seen in the last half hour${data.judge.costTodayUsd > 0 ? ` · judge cost ${money(data.judge.costTodayUsd)} today` : ''}`
              : ' '}
          </p>
        </div>
      </header>
      {error && <Trouble error={error} what="The list of agents" onRetry={() => void refetch()} />}
      {!data ? (
        !error && <Skeleton rows={5} />
      ) : data.agents.length === 0 ? (
        <Nobody />
      ) : (
        <div>
          <div className="agent-row agent-head" aria-hidden="true">
            <span />
            <span>Goal</span>
            <span>Window</span>
            <span>Last score</span>
            <span className="right">Used</span>
            <span className="right">Seen</span>
          </div>
          <ul>
            {waitingFirst(data.agents).map((agent) => (
              <li key={agent.sessionId}>
                <Row agent={agent} />
                <Wait agent={agent} />
              </li>
            ))}
          </ul>
        </div>
      )}
      <Finished />
    </div>
  )
}

const SHOWN = 10

/** What sessions have brought to an end, also those that are over. */
function Finished() {
  const { data } = useAsk('agents', 'finished', {})
  if (!data || data.finished.length === 0) return null
  return (
    <section className="finished-work">
      <h2>Finished in the last seven days</h2>
      <ul>
        {data.finished.slice(0, SHOWN).map((work) => (
          <li key={work.sessionId}>
            <Link href={`/agents/${work.sessionId}`} className="agent-row">
              <Mark shape={work.outcome === 'complete' ? 'done' : 'open'} />
              <div>
                <span className="title two-lines">{work.goal}</span>
                <p className="facts">
                  <span className="mono">{work.project}</span>
                  {work.outcome !== 'complete' && <span>{work.outcome}</span>}
                  {contribution(work) && <span>{contribution(work)}</span>}
                </p>
              </div>
              <span />
              <span />
              <span />
              <span className="seen right small faint">
                <Ago at={work.at} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Row({ agent }: { agent: AgentSummary }) {
  const {
    sessionId,
    goal,
    finished,
    project,
    mode,
    model,
    contextTokens,
    window,
    lastScore,
    corrections,
    actions,
    lastSeenAt,
  } = agent
  const share = window ? contextTokens / window : undefined
  const now = useNow()
  return (
    <Link href={`/agents/${sessionId}`} className="agent-row">
      <Mark {...agentMark(agent, now)} />
      <div>
        <span className={goal ? 'title two-lines' : 'dim'}>{goal ?? 'No goal yet'}</span>
        <p className="facts">
          <span className="mono">{project ?? '–'}</span>
          {model && <span>{model}</span>}
          {finished ? (
            <span>{finished === 'completed' ? 'finished' : 'given up'}</span>
          ) : (
            <span>{plural(actions, 'action')}</span>
          )}
          {contribution(agent) && <span>{contribution(agent)}</span>}
          {mode && mode !== 'normal' && <span className={mode === 'forced' ? 'wrong' : ''}>mode {mode}</span>}
        </p>
      </div>
      <div className="gauge-cell small dim">
        {share !== undefined && <Gauge share={share} />}
        {short(contextTokens)} tokens{share !== undefined && `, ${percent(share)}`}
      </div>
      <span className="score-cell">
        {lastScore === undefined ? (
          <span className="faint small">not scored</span>
        ) : (
          <State shape={lastScore < 5 ? 'refused' : 'done'}>
            {lastScore} {corrections > 0 && `· ${plural(corrections, 'correction')}`}
          </State>
        )}
      </span>
      <span className="cost-cell right small dim num" title={`Grove’s judge: ${money(agent.judgeCostUsd)}`}>
        {agent.tokens > 0 ? `${short(agent.tokens)} tokens` : '–'}
        {agent.judgeCostUsd > 0 && <span className="faint"> · judge {money(agent.judgeCostUsd)}</span>}
      </span>
      <span className="seen right small faint">
        <Ago at={lastSeenAt} />
      </span>
    </Link>
  )
}

/** Leads to where the agent is answered. */
function Wait({ agent }: { agent: AgentSummary }) {
  const wait = waitOf(agent)
  return (
    wait && (
      <p className="agent-waits small">
        <Link href={wait.href}>{plainly(wait.text)}</Link>
      </p>
    )
  )
}

/** How full the window is; the ticks are where Grove warns and clears. */
export function Gauge({ share }: { share: number }) {
  return (
    <div className={share >= 0.8 ? 'gauge wait' : 'gauge'}>
      <i className="level" style={{ width: `${Math.min(100, share * 100)}%` }} />
      <i className="limit" style={{ insetInlineStart: '80%' }} />
      <i className="limit" style={{ insetInlineStart: '90%' }} />
    </div>
  )
}

function Nobody() {
  return (
    <div className="empty stack">
      <h2>No agent is live.</h2>
      <p>Start Claude Code in any project that Grove is attached to, and its work appears here.</p>
      <Command text="grove claude" />
      <p className="small faint">
        Nothing appears? <Link href="/settings/doctor">Open the doctor</Link>.
      </p>
    </div>
  )
}
