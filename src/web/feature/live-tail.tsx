import { useLayoutEffect, useRef } from 'react'
import { Link } from 'wouter'
import type { SessionSnapshot } from '#protocol/api/sessions.ts'
import { useAsk } from '../api/queries.ts'
import { featurePath } from '../features/derive-features.ts'
import { plainly } from '../ui/visible-text.ts'
import { useLiveLines } from './use-output.ts'

/** The last lines of what Claude does, while nothing else asks for attention. */
export function LiveTail({ snapshot: { summary, session } }: { snapshot: SessionSnapshot }) {
  const params = { projectId: summary.projectId, featureId: summary.featureId }
  const first = useAsk('sessionRecords', 'output', {
    params,
    query: { before: String(Number.MAX_SAFE_INTEGER), view: 'raw', limit: 12 },
  })
  const { lines } = useLiveLines(session.id)
  // What Grove has asked for is no news: the story tells which step began.
  const shown = [...(first.data?.lines ?? []), ...lines].filter(({ kind }) => kind !== 'prompt').slice(-8)
  const said = shown.map(({ text }) => shortened(text, session.folder)).join('\n')
  const log = useRef<HTMLPreElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the newest line is at the end, and comes into sight with it
  useLayoutEffect(() => {
    if (log.current) log.current.scrollTop = log.current.scrollHeight
  }, [said])
  return (
    <section className="stack">
      <div className="row">
        <h2 className="grow">Live output</h2>
        <Link href={featurePath(summary, 'output')} className="small">
          All of it
        </Link>
      </div>
      <pre className="log" ref={log} aria-live="off" tabIndex={0}>
        {said || 'Nothing yet.'}
      </pre>
    </section>
  )
}

/** The first line of it, with paths as they are in the project. */
function shortened(text: string, folder: string): string {
  return plainly(text).split('\n', 1)[0]!.replaceAll(`${folder}/`, '').slice(0, 160)
}
