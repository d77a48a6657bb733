import { Link } from 'wouter'
import { agentMark } from '../agents/derive-agent.ts'
import { useAsk } from '../api/queries.ts'
import { featurePath } from '../features/derive-features.ts'
import { CodeWords } from '../ui/code-words.tsx'
import { shortId } from '../ui/format.ts'
import { Mark } from '../ui/mark.tsx'
import { useNow } from '../ui/now.ts'
import { Ago } from '../ui/small.tsx'
import { plainly } from '../ui/visible-text.ts'

/** What works at the moment, so that an empty inbox is good news and not a riddle. */
export function Running() {
  const { data } = useAsk('agents', 'list', {})
  const now = useNow()
  if (!data) return null
  return (
    <section>
      <h2>Running now</h2>
      {data.agents.length === 0 && <p className="small dim">No agent is live.</p>}
      <ul className="brief">
        {data.agents.slice(0, 8).map(({ sessionId, goal, project, lastSeenAt, ...agent }) => (
          <li key={sessionId}>
            <Mark {...agentMark({ ...agent, lastSeenAt }, now)} />
            <div>
              <Link href={`/agents/${sessionId}`} className="text two-lines">
                {goal ?? 'No goal yet'}
              </Link>
              <span className="faint">{project ?? shortId(sessionId)}</span>
            </div>
            <span className="faint">
              <Ago at={lastSeenAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The features that go on by themselves meanwhile: where they are, and since when there was news. */
export function WorkingFeatures() {
  const { data } = useAsk('sessions', 'list', { query: { filter: 'all', limit: 500 } })
  const going = data?.sessions.filter(({ status, waiting }) => status === 'active' && waiting.length === 0) ?? []
  if (going.length === 0) return null
  return (
    <section className="working">
      <h3>Running without you</h3>
      <ul className="brief">
        {going.slice(0, 8).map((one) => (
          <li key={one.id}>
            <Mark shape="works" />
            <div>
              <Link href={featurePath(one)} className="text two-lines">
                {one.title}
              </Link>
              <span className="faint">
                {one.stageText}
                {one.currentStep && `: ${one.currentStep}`}
              </span>
            </div>
            <span className="faint">
              <Ago at={Date.parse(one.updatedAt)} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The latest answers, from every browser and terminal. */
export function Answered() {
  const { data } = useAsk('approvals', 'list', { query: { all: 'true' } })
  const answered = (data?.approvals ?? [])
    .filter(({ status, answeredAt }) => status !== 'pending' && answeredAt !== undefined)
    .sort((a, b) => b.answeredAt! - a.answeredAt!)
  if (answered.length === 0) return null
  return (
    <section>
      <h2>Answered</h2>
      <ul className="brief">
        {answered.slice(0, 5).map(({ id, what, status, answeredAt, answeredIn }) => (
          <li key={id}>
            <Mark shape={status === 'rejected' ? 'refused' : status === 'expired' ? 'expired' : 'done'} tone="rest" />
            <div>
              <span className="text two-lines">
                {status === 'rejected' ? 'Refused' : status === 'expired' ? 'Not answered here:' : 'Allowed'}{' '}
                <code>
                  <CodeWords text={plainly(what)} />
                </code>
              </span>
              <span className="faint">
                {status === 'expired'
                  ? 'it waits in its terminal'
                  : answeredIn === 'terminal'
                    ? 'in a terminal'
                    : 'on this page'}
              </span>
            </div>
            <span className="faint">
              <Ago at={answeredAt!} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

export function KeysHere() {
  const keys: [string, string][] = [
    ['j k', 'next, previous'],
    ['1–9', 'choose an answer'],
    ['e', 'answer in your own words'],
    ['Enter', 'take the recommended one'],
    ['s', 'snooze'],
    ['?', 'all keys'],
  ]
  return (
    <section className="keys-here">
      <h2>Keys</h2>
      <dl className="keys small">
        {keys.map(([key, label]) => (
          <div key={key}>
            <dt>
              {key.split(' ').map((one) => (
                <kbd key={one}>{one}</kbd>
              ))}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
