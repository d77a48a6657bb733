import { useState } from 'react'
import type { PlanStep } from '#protocol/workflow/plan.ts'
import { clock, duration, plural } from '../ui/format.ts'
import { useNow } from '../ui/now.ts'
import { timelineBars } from './derive-plan.ts'

/** So many bars are drawn at once; the newest are at the end. */
const MANY = 200

/** When each step was worked on, and for how long. */
export function PlanTimeline({ steps }: { steps: PlanStep[] }) {
  const now = useNow()
  const { bars, from, to } = timelineBars(steps, now)
  const [most, setMost] = useState(MANY)
  if (bars.length === 0) {
    return (
      <div className="empty">
        <h2>No step has begun.</h2>
        <p>The bars appear while the plan is worked through.</p>
      </div>
    )
  }
  return (
    <>
      <p className="small faint row">
        <span className="grow">{clock(from, now)}</span>
        <span>{clock(to, now)}</span>
      </p>
      {bars.length > most && (
        <button type="button" className="link small" onClick={() => setMost(most + MANY)}>
          Show {plural(Math.min(MANY, bars.length - most), 'earlier step')}
        </button>
      )}
      <ul className="timeline">
        {bars.slice(-most).map(({ step, start, length, ms, isRunning }) => (
          <li key={step.uid}>
            <span className="cut" title={step.title}>
              {step.id} {step.title}
            </span>
            <span className="track">
              <i
                className={isRunning ? 'running' : ''}
                style={{ insetInlineStart: `${start * 100}%`, width: `${length * 100}%` }}
              />
            </span>
            <span className="right num faint">{duration(ms)}</span>
          </li>
        ))}
      </ul>
      {bars.length < steps.length && (
        <p className="small faint">{plural(steps.length - bars.length, 'step has', 'steps have')} not begun.</p>
      )}
    </>
  )
}
