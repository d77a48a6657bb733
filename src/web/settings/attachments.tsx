import { useAsk } from '../api/queries.ts'
import { Mark } from '../ui/mark.tsx'

/** How Grove sees Claude Code, and which versions it does not understand whole. */
export function Attachments() {
  const { data } = useAsk('agents', 'list', {})
  const canary = useAsk('canary', 'list', {})
  const seen = new Set(data?.agents.flatMap(({ attachments }) => attachments) ?? [])
  return (
    <div className="stack-3">
      <section>
        <h2>How Grove sees Claude Code</h2>
        <ul className="brief">
          <li>
            <Mark shape={seen.has('hooks') ? 'works' : 'open'} />
            <div>
              <b>Hooks</b>
              <p className="dim">
                Context, guard, trace and reflection. Attached with <code>grove init</code>, detached with{' '}
                <code>grove unregister</code>.
              </p>
            </div>
            <span className="faint">{seen.has('hooks') ? 'in use now' : 'no live session'}</span>
          </li>
          <li>
            <Mark shape={seen.has('proxy') ? 'works' : 'open'} />
            <div>
              <b>Proxy</b>
              <p className="dim">
                Tokens, corrections in the conversation, clearing a full window. Entered with <code>grove claude</code>.
              </p>
            </div>
            <span className="faint">{seen.has('proxy') ? 'in use now' : 'no live session'}</span>
          </li>
        </ul>
      </section>
      <section>
        <h2>Client versions</h2>
        {canary.data?.findings.length === 0 && (
          <p className="dim">Everything of the Claude Code versions seen in the last month is understood.</p>
        )}
        <ul className="brief">
          {canary.data?.findings.map((finding) => (
            <li key={`${finding.version}${finding.kind}${finding.subject ?? ''}`}>
              <Mark shape="wrong" tone="rest" />
              <div>
                <b>{finding.version === 'unknown' ? 'An unknown version:' : finding.version}</b>{' '}
                <span className="text">{finding.noticed}</span>
                <p className="dim text">
                  Affected: {finding.affected}. Meanwhile: {finding.fallback}.
                </p>
              </div>
              <span />
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}
