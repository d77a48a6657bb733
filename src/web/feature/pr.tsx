import type { SessionSnapshot } from '#protocol/api/sessions.ts'
import type { CiCheck } from '#protocol/workflow/pr.ts'
import { plural } from '../ui/format.ts'
import { type Shape, State } from '../ui/mark.tsx'
import { Away, Markdown } from '../ui/markdown.tsx'
import { Ago, CopyButton, Path } from '../ui/small.tsx'
import { plainly } from '../ui/visible-text.ts'

const CHECKS: Record<CiCheck['state'], Shape> = { pending: 'works', passing: 'done', failing: 'wrong', skipped: 'open' }

const NEED: CiCheck['state'][] = ['failing', 'pending', 'passing', 'skipped']

/** What fails first, then what is not done; otherwise as the service tells them. */
const byNeed = (checks: CiCheck[]) => checks.toSorted((a, b) => NEED.indexOf(a.state) - NEED.indexOf(b.state))

/** The pull request with its checks and what its review found. */
export function PullRequestTab({ snapshot: { pr } }: { snapshot: SessionSnapshot }) {
  const { pullRequest, checks, ci, reviews } = pr
  if (!pullRequest) {
    return (
      <div className="empty">
        <h2>No pull request yet.</h2>
        <p>
          It is made when all steps are done and what Grove checks passes. Pushing leaves this machine; you are asked
          first unless you allowed it.
        </p>
      </div>
    )
  }
  return (
    <div className="stack-2">
      <section className="stack">
        <h2 className="text">{pullRequest.title}</h2>
        <p className="facts">
          {pullRequest.prUrl ? (
            <Away href={pullRequest.prUrl}>#{pullRequest.prNumber}</Away>
          ) : (
            <span>reviewed on this machine</span>
          )}
          <span>{pullRequest.status}</span>
          <span className="mono">{pullRequest.headCommit.slice(0, 10)}</span>
          <Ago at={Date.parse(pullRequest.updatedAt)} />
        </p>
        <Markdown text={pullRequest.body} />
      </section>
      <section>
        <h2>CI</h2>
        <p className="small dim">
          {ci === 'none' ? 'This repository has no checks.' : `CI is ${ci}, ${plural(checks.length, 'check')}`}
        </p>
        <ul className="brief">
          {byNeed(checks).map(({ name, state, url, log }) => (
            <li key={name}>
              <State shape={CHECKS[state]}>{''}</State>
              <div>
                {url ? <Away href={url}>{name}</Away> : name}{' '}
                <span className={state === 'failing' ? 'wrong' : 'faint'}>{state}</span>
                {log && (
                  <details open={state === 'failing'}>
                    <summary className="small">What failed</summary>
                    <pre className="log">{plainly(log)}</pre>
                    <CopyButton text={log} label="Copy the log" />
                  </details>
                )}
              </div>
              <span />
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h2>Reviews</h2>
        {reviews.length === 0 && <p className="dim">Claude reviews it with fresh eyes when it is there.</p>}
        {reviews.toReversed().map((review) => (
          <div key={review.id} className="part">
            <h3>
              {review.approved ? 'Clear' : plural(review.issuesFound.length, 'issue')}{' '}
              <Ago at={Date.parse(review.reviewedAt)} />
            </h3>
            <p className="text">{review.summary}</p>
            <ul className="brief">
              {review.issuesFound.map((issue) => (
                <li key={issue.id}>
                  <State shape={issue.resolved ? 'done' : issue.severity === 'suggestion' ? 'open' : 'wrong'}>
                    {''}
                  </State>
                  <div>
                    <span className="tag">{issue.severity}</span> <span className="text">{issue.issue}</span>
                    {issue.suggestion && <p className="dim text">{issue.suggestion}</p>}
                    {issue.file && <Path path={issue.line ? `${issue.file}:${issue.line}` : issue.file} />}
                  </div>
                  <span className="faint">{issue.resolved ? 'resolved' : ''}</span>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </section>
    </div>
  )
}
