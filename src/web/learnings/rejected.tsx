import { Link } from 'wouter'
import { act } from '../api/actions.ts'
import { refresh } from '../api/queries.ts'
import { Mark } from '../ui/mark.tsx'
import { Ago, Button, Capped } from '../ui/small.tsx'
import { toast } from '../ui/toasts.ts'
import { type Rejected, rejectedBecause } from './derive-learnings.ts'

async function restore({ id, project }: Rejected, supersedes?: string): Promise<void> {
  const done = await act(
    'rejectedLearnings',
    'restore',
    { params: { id }, query: { project: project.id }, body: supersedes === undefined ? {} : { supersedes } },
    { label: 'Keep a candidate after all' },
  )
  refresh(['rejectedLearnings'], ['learnings'], ['insights'])
  if ('sent' in done)
    toast({
      tone: 'go',
      text: supersedes === undefined ? 'Kept. Agents see it from now on.' : 'Kept, in the place of the older one.',
    })
}

interface Props {
  rejected: Rejected[]
  isSearch: boolean
}

function NoMatch() {
  return (
    <div className="empty">
      <h2>None of these matches.</h2>
      <p>Try fewer words.</p>
    </div>
  )
}

/** Candidates that did not pass the write gate; a person may think otherwise. */
export function RejectedList({ rejected, isSearch }: Props) {
  if (rejected.length === 0 && isSearch) return <NoMatch />
  if (rejected.length === 0) {
    return (
      <div className="empty">
        <h2>Nothing was rejected recently.</h2>
        <p>Candidates that do not pass the write gate are listed here with the reason.</p>
      </div>
    )
  }
  return (
    <ul className="brief">
      {rejected.map((one) => (
        <li key={one.id}>
          <Mark shape="refused" tone="rest" />
          <div>
            <span className="text">{one.summary}</span>
            {one.restorable && one.detail && (
              <p className="text dim">
                <Capped text={one.detail} most={240} />
              </p>
            )}
            <p className="text faint">
              <Capped text={rejectedBecause(one)} most={160} />
            </p>
            <p className="facts">
              <span className="mono">{one.project.name}</span>
              <Ago at={one.at} />
            </p>
          </div>
          {one.restorable && <Button onClick={() => void restore(one)}>Keep it after all</Button>}
        </li>
      ))}
    </ul>
  )
}

/** What an agent wrote beside what is known and says the opposite: a person decides which holds. */
export function Contradictions({ rejected, isSearch }: Props) {
  const pairs = rejected.flatMap((one) => (one.contradicts ? [{ one, known: one.contradicts }] : []))
  if (pairs.length === 0 && isSearch) return <NoMatch />
  if (pairs.length === 0) {
    return (
      <div className="empty">
        <h2>Nothing contradicts what is known.</h2>
        <p>When an agent learns the opposite of an active learning, both stand here side by side.</p>
      </div>
    )
  }
  return (
    <ul className="contradictions">
      {pairs.map(({ one, known }) => (
        <li key={one.id}>
          <div>
            <h3>Known</h3>
            <Link href={`/learnings/${encodeURIComponent(known.id)}`} className="text">
              {known.summary}
            </Link>
          </div>
          <div>
            <h3>
              New, <Ago at={one.at} />
            </h3>
            <p className="text">{one.summary}</p>
            {one.detail && <p className="text dim">{one.detail}</p>}
          </div>
          <div className="row">
            <Button onClick={() => void restore(one, known.id)}>The new one holds: replace the known one</Button>
            <Button look="quiet" onClick={() => void restore(one)}>
              Both hold: keep both
            </Button>
            <span className="small faint">Do nothing, and the known one holds.</span>
          </div>
        </li>
      ))}
    </ul>
  )
}
