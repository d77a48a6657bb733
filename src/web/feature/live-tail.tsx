import { Link } from 'wouter'
import type { SessionSnapshot } from '#protocol/api/sessions.ts'
import { useAsk } from '../api/queries.ts'
import { featurePath } from '../features/derive-features.ts'
import { plainly } from '../ui/plain.ts'
import { useLiveLines } from './use-output.ts'

/** The last lines of what Claude does, while nothing else asks for attention. */
export function LiveTail({ snapshot: { summary, session } }: { snapshot: SessionSnapshot }) {
  const params = { projectId: summary.projectId, featureId: summary.featureId }
  const first = useAsk('sessionRecords', 'output', {
    params,
    query: { before: String(Number.MAX_SAFE_INTEGER), view: 'raw', limit: 12 },
  })
  const { lines } = useLiveLines(session.id)
  const shown = [...(first.data?.lines ?? []), ...lines].slice(-8)
  return (
    <section>
      <div className="row">
        <h2 className="grow">Live output</h2>
        <Link href={featurePath(summary, 'output')} className="small">
          All of it
        </Link>
      </div>
      <pre className="log" aria-live="off" tabIndex={0}>
        {shown.map(({ text }) => shortened(text, session.folder)).join('\n') || 'Nothing yet.'}
      </pre>
    </section>
  )
}

/** The first line of it, with paths as they are in the project. */
function shortened(text: string, folder: string): string {
  return plainly(text).split('\n', 1)[0]!.replaceAll(`${folder}/`, '').slice(0, 160)
}
