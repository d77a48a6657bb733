import { useState } from 'react'
import { type Action, scoreWord } from '#protocol/agent-actions.ts'
import { useKeys } from '../shell/keys.ts'
import { plural } from '../ui/format.ts'
import { useWidth } from '../ui/width.ts'
import { axisNumbers, driftPoints, placedLabels } from './derive-agent.ts'

const HEIGHT = 116
const EDGE = { left: 28, right: 12, top: 12, bottom: 22 }

/** The score of each action against the goal, with the corrections on the line. Drawn for its width, never scaled. */
export function DriftPlot({ actions }: { actions: Action[] }) {
  const [ref, width] = useWidth<HTMLDivElement>()
  const [isTable, setTable] = useState(false)
  useKeys('This agent', { t: ['drift as a table', () => setTable(!isTable)] })
  const inner = Math.max(80, width - EDGE.left - EDGE.right)
  const points = driftPoints(actions, { width: inner, height: HEIGHT })
  const last = points.at(-1)
  return (
    <section>
      <div className="row">
        <h2>Drift</h2>
        <span className="small faint grow">
          score of each action against the goal: 10 is on goal, under 5 is refused
        </span>
        <button type="button" className="link small" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? 'As a plot' : 'As a table'}
        </button>
        <kbd>t</kbd>
      </div>
      <div ref={ref}>
        {points.length === 0 ? (
          <p className="empty">No action has been scored yet.</p>
        ) : isTable ? (
          <ScoreTable actions={actions} />
        ) : (
          <svg
            className="plot"
            width={width}
            height={HEIGHT + EDGE.top + EDGE.bottom}
            role="img"
            aria-label={`Drift score of ${plural(points.length, 'action')}, now ${last?.action.score}. The table has every value.`}
          >
            <g transform={`translate(${EDGE.left} ${EDGE.top})`}>
              {[0, 5, 10].map((score) => {
                const y = HEIGHT - (score / 10) * HEIGHT
                return (
                  <g key={score}>
                    <line className={score === 5 ? 'limit' : 'axis'} x1={0} x2={inner} y1={y} y2={y} />
                    <text x={-8} y={y + 4} textAnchor="end">
                      {score}
                    </text>
                  </g>
                )
              })}
              <polyline className="line" points={points.map(({ x, y }) => `${x},${y}`).join(' ')} />
              {points.map(({ x, y, action }) =>
                action.isRejected ? (
                  <rect key={action.id} className="bad" x={x - 3.5} y={y - 3.5} width={7} height={7} />
                ) : action.level ? (
                  <path key={action.id} className="dot" d={`M${x - 4.5} ${y - 4}h9l-4.5 8z`} />
                ) : (
                  points.length < 120 && <circle key={action.id} className="dot" cx={x} cy={y} r={2} />
                ),
              )}
              {placedLabels(points, { letter: 6.5, width: inner }).map(({ x, y, label, action, side }) => (
                <text
                  key={action.id}
                  className={action.isRejected ? 'label bad' : 'label'}
                  x={side === 'before' ? x - 10 : x + 10}
                  y={y + 8}
                  textAnchor={side === 'before' ? 'end' : 'start'}
                >
                  {label}
                </text>
              ))}
              {last && (
                <text className="label" x={inner} y={Math.max(2, last.y - 8)} textAnchor="end">
                  now {last.action.score}
                </text>
              )}
              {axisNumbers(points, 48).map(({ x, action }) => (
                <text
                  key={action.id}
                  x={x}
                  y={HEIGHT + 18}
                  textAnchor={x <= 0 ? 'start' : x >= inner ? 'end' : 'middle'}
                >
                  {action.number}
                </text>
              ))}
            </g>
          </svg>
        )}
      </div>
    </section>
  )
}

function ScoreTable({ actions }: { actions: Action[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Action</th>
          <th scope="col">Tool</th>
          <th scope="col">Score</th>
          <th scope="col">Correction</th>
        </tr>
      </thead>
      <tbody>
        {actions.slice(-100).map((action) => (
          <tr key={action.id}>
            <td className="num">{action.number}</td>
            <td>{action.tool}</td>
            <td className="num">
              {action.score ?? '–'} {scoreWord(action)}
            </td>
            <td>{action.level ?? '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
