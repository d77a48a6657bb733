import type { SessionSnapshot } from '#protocol/api/sessions.ts'
import { duration } from '../ui/format.ts'
import { useNow } from '../ui/now.ts'
import { boardColumns, stepFacts } from './derive-plan.ts'

/** The steps by how they stand, while they are worked on. */
export function PlanBoard({ snapshot: { plan, progress, summary, session } }: { snapshot: SessionSnapshot }) {
  const now = useNow()
  return (
    <div className="board">
      {boardColumns(plan?.steps ?? [], summary.executing).map(({ title, steps }) => (
        <section key={title} aria-label={title} className={steps.length === 0 ? 'none' : ''}>
          <h3>
            {title} <span className="faint">{steps.length}</span>
          </h3>
          {steps.length === 0 && <p className="faint">–</p>}
          {steps.slice(0, 60).map((step) => {
            const { startedAt, completedAt } = step.metadata
            const isLive = step.status === 'in_progress' && summary.executing
            const until = isLive ? now : completedAt && Date.parse(completedAt)
            const took = startedAt && until ? duration(until - Date.parse(startedAt)) : ''
            return (
              <div key={step.uid} className={isLive ? 'card live' : 'card'}>
                <span className="text">
                  {/^\d/.test(step.id) && `${step.id} `}
                  {step.title}
                </span>
                <p className="small faint">{[took, stepFacts(step)].filter(Boolean).join(' · ')}</p>
                {isLive && (
                  <>
                    {progress.lastOutputLine && (
                      <p className="small dim two-lines mono">
                        {progress.lastOutputLine.replaceAll(`${session.folder}/`, '')}
                      </p>
                    )}
                    <div
                      className="progress"
                      role="progressbar"
                      aria-label={`Step ${step.id}`}
                      aria-valuenow={progress.estimatedProgress}
                      aria-valuemin={0}
                      aria-valuemax={100}
                    >
                      <i style={{ width: `${progress.estimatedProgress}%` }} />
                    </div>
                  </>
                )}
              </div>
            )
          })}
          {steps.length > 60 && <p className="small faint">and {steps.length - 60} more in the tree</p>}
        </section>
      ))}
    </div>
  )
}
