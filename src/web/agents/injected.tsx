import { useState } from 'react'
import type { AgentDetail } from '#protocol/api/agents.ts'
import { capital, count, plural } from '../ui/format.ts'
import { Mark } from '../ui/mark.tsx'
import { Ago, CopyButton } from '../ui/small.tsx'

const PLACES: Record<Injection['place'], string> = {
  system: 'placed in the system prompt',
  message: 'placed in a message',
  hook: 'placed in the answer to a hook',
  clear: 'placed where the older part was cleared',
}

type Injection = AgentDetail['injections'][number]

/** What Grove has put before the agent, why, and how much of the window that took. */
export function Injected({ injections }: { injections: Injection[] }) {
  const tokens = injections.reduce((sum, one) => sum + one.tokens, 0)
  return (
    <section>
      <h2>Injected</h2>
      <p className="small dim">
        {injections.length === 0 ? 'Nothing yet.' : `${plural(injections.length, 'time')}, ${count(tokens)} tokens`}
      </p>
      <ul className="brief">
        {injections.slice(0, 30).map((one) => (
          <Entry key={one.id} injection={one} />
        ))}
      </ul>
    </section>
  )
}

/** Its words are read where it stands. */
function Entry({ injection: { kind, at, why, text, tokens, place } }: { injection: Injection }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <li>
      <Mark shape={kind === 'correction' ? 'turn' : 'open'} />
      <div>
        <button type="button" className="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {capital(kind)}
        </button>{' '}
        <span className="faint">
          <Ago at={at} />
        </span>
        <p className={isOpen ? 'faint text' : 'faint two-lines text'}>{why}</p>
      </div>
      <span className="num">{count(tokens)} tokens</span>
      {isOpen && (
        <div className="below">
          <p className="quote">{text}</p>
          <p className="row">
            <span className="small faint">{PLACES[place]}</span>
            <CopyButton text={text} />
          </p>
        </div>
      )}
    </li>
  )
}
