import { Link } from 'wouter'
import type { AgentDetail } from '#protocol/api/agents.ts'
import { HOW_USED } from '../memory/derive-memory.ts'
import { count, money, percent } from '../ui/format.ts'
import { Mark } from '../ui/mark.tsx'
import { Gauge } from './agents.tsx'

/** How full the window is. */
export function Window({ tokens, size }: { tokens: number; size: number | undefined }) {
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
export function GivenMemories({ memories }: { memories: AgentDetail['memories'] }) {
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

/** What the session has used up so far. */
export function Cost({ detail: { tokens, judgeCostUsd } }: { detail: AgentDetail }) {
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
