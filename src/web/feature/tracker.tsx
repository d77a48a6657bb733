import type { SessionSnapshot } from '#protocol/api/sessions.ts'
import { useAsk } from '../api/queries.ts'
import { plural } from '../ui/format.ts'
import { useWidth } from '../ui/width.ts'
import { findingCounts, openFindings } from './derive-review.ts'

const HEIGHT = 64
/** So many numbers of findings stand in a line. */
const MOST_RUN = 5
const SIGNS = { added: '+', removed: '−', changed: '±', moved: '↕' }

/** How the reviews go: findings of each as a plot, and beside it what the newest version changed. */
export function Tracker({ snapshot, onCompare }: { snapshot: SessionSnapshot; onCompare(): void }) {
  const { summary, reviews, plan } = snapshot
  const params = { projectId: summary.projectId, featureId: summary.featureId }
  const version = plan?.planVersion ?? 1
  const diff = useAsk('sessionPlans', 'diff', { params, query: { to: String(version) } }, { enabled: version > 1 })
  const open = openFindings(reviews)
  const counts = findingCounts(reviews)
  const total = reviews.reduce((sum, { findings }) => sum + findings.length, 0)
  if (version === 1 && reviews.length === 0 && summary.recommendedReviews === 0) return null
  return (
    <section className="tracker" aria-label="Reviews of the plan">
      <div>
        <p className="row">
          <b>Reviews</b>
          <span className="small faint">
            {counts.length === 0
              ? `none is over yet, ${plural(summary.recommendedReviews, 'is', 'are')} recommended`
              : `${summary.reviewCount} of ${summary.recommendedReviews}, ${total === 0 ? 'nothing found' : 'findings in each'}`}
          </span>
        </p>
        {total > 0 && <Findings counts={counts} recommended={summary.recommendedReviews} />}
      </div>
      <div>
        {version > 1 && (
          <>
            <b>Since v{version - 1}</b>
            <ul className="since dense">
              {diff.data?.changes.slice(0, 4).map(({ stepId, change, before, after }) => (
                <li key={stepId + change}>
                  <span aria-hidden="true">{SIGNS[change]}</span>
                  <span className="cut text">
                    <span className="hidden-label">{change}: </span>
                    {stepId} {(after ?? before)?.title}
                  </span>
                </li>
              ))}
            </ul>
            <button type="button" className="link small" onClick={onCompare}>
              {diff.data && diff.data.changes.length > 4
                ? `Show all ${plural(diff.data.changes.length, 'difference')}`
                : 'Show the differences'}
            </button>{' '}
          </>
        )}
        {total > 0 && (
          <p className="small faint">
            {total - open.length} of {plural(total, 'finding')} resolved.
          </p>
        )}
      </div>
    </section>
  )
}

function Findings({ counts, recommended }: { counts: ReturnType<typeof findingCounts>; recommended: number }) {
  const [ref, width] = useWidth<HTMLDivElement>()
  const slots = Math.max(recommended, counts.at(-1)?.iteration ?? 1, 2)
  const top = Math.max(1, ...counts.map(({ found }) => found))
  const inner = width - 34
  const x = (iteration: number) => 22 + ((iteration - 1) / (slots - 1)) * inner
  const y = (found: number) => 12 + (1 - found / top) * (HEIGHT - 12)
  const points = counts.map(({ iteration, found }) => `${x(iteration)},${y(found)}`).join(' ')
  const label = counts.map(({ found }) => found).join(' → ')
  const openNow = counts.at(-1)?.open ?? 0
  return (
    <div ref={ref}>
      {/* The plot in words, where there is no room for it. */}
      <p className="findings-run">
        {counts.length > MOST_RUN && '… → '}
        {counts
          .slice(-MOST_RUN)
          .map(({ found }) => found)
          .join(' → ')}{' '}
        {openNow > 0 && <span className="small faint">({openNow} open)</span>}
      </p>
      <svg
        className="plot"
        width={width}
        height={HEIGHT + 20}
        role="img"
        aria-label={
          counts.length > 0 ? `Findings of ${plural(counts.length, 'review')}: ${label}` : 'No review is over yet'
        }
      >
        <line className="axis" x1={22} x2={22 + inner} y1={HEIGHT} y2={HEIGHT} />
        <text x={4} y={HEIGHT + 4}>
          0
        </text>
        {counts.some(({ found }) => found > 0) && (
          <text x={4} y={16}>
            {top}
          </text>
        )}
        {Array.from({ length: slots }, (_, index) => index + 1).map((iteration) => (
          <g key={iteration}>
            {iteration > counts.length && <circle className="hole" cx={x(iteration)} cy={HEIGHT} r={3} />}
            {(slots <= 12 || iteration % 5 === 0) && (
              <text x={x(iteration)} y={HEIGHT + 16} textAnchor="middle">
                {iteration}
              </text>
            )}
          </g>
        ))}
        <polyline className="line" points={points} />
        {counts.map(({ iteration, found, open }) => (
          <g key={iteration}>
            <circle className="dot" cx={x(iteration)} cy={y(found)} r={3} />
            <text className="label" x={x(iteration) + 6} y={y(found) - 4}>
              {found}
              {open > 0 && iteration === counts.at(-1)?.iteration ? ` (${open} open)` : ''}
            </text>
          </g>
        ))}
      </svg>
    </div>
  )
}
