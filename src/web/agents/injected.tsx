import { useState } from 'react'
import type { AgentDetail } from '#protocol/api/agents.ts'
import { Dialog } from '../ui/dialog.tsx'
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
  const [open, setOpen] = useState<Injection>()
  const tokens = injections.reduce((sum, one) => sum + one.tokens, 0)
  return (
    <section>
      <h2>Injected</h2>
      <p className="small dim">
        {injections.length === 0 ? 'Nothing yet.' : `${plural(injections.length, 'time')}, ${count(tokens)} tokens`}
      </p>
      <ul className="brief">
        {injections.slice(0, 30).map((one) => (
          <li key={one.id}>
            <Mark shape={one.kind === 'correction' ? 'turn' : 'open'} />
            <div>
              <button type="button" className="link" onClick={() => setOpen(one)}>
                {capital(one.kind)}
              </button>{' '}
              <span className="faint">
                <Ago at={one.at} />
              </span>
              <p className="faint two-lines text">{one.why}</p>
            </div>
            <span className="num">{count(one.tokens)} tokens</span>
          </li>
        ))}
      </ul>
      {open && (
        <Dialog title={`Injected: ${open.kind}`} about={open.why} onClose={() => setOpen(undefined)} wide>
          <p className="quote">{open.text}</p>
          <p className="row">
            <span className="small faint">
              {count(open.tokens)} tokens, {PLACES[open.place]}
            </span>
            <CopyButton text={open.text} />
          </p>
        </Dialog>
      )}
    </section>
  )
}
