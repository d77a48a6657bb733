import { useState } from 'react'
import { useSearchParams } from 'wouter'
import type { Answer } from '../api/client.ts'
import { useAsk } from '../api/queries.ts'
import { useKeys } from '../shell/keys.ts'
import { oneOf } from '../ui/address.ts'
import { count, money, percent, plural, short } from '../ui/format.ts'
import { Segments } from '../ui/segments.tsx'
import { Command, Note, Skeleton } from '../ui/small.tsx'
import { useTitle } from '../ui/title.ts'
import { Trouble } from '../ui/trouble.tsx'
import { useWidth } from '../ui/width.ts'
import { bars, dayWords, isQuiet, type Series, seriesOf } from './derive-insights.ts'
import './insights.css'

const HEIGHT = 56
const SPANS = ['7', '30', '90'] as const

/** How well it goes, over time, and what is worth changing. */
export default function Insights() {
  const [params, setParams] = useSearchParams()
  const span = oneOf(params.get('days'), SPANS, '30')
  const [isTable, setTable] = useState(false)
  const days = useAsk('insights', 'days', { query: { days: Number(span) } }, { keep: true })
  const learning = useAsk('insights', 'list', { query: {} })
  useTitle('Insights')
  useKeys('Insights', { t: ['plots as a table', () => setTable(!isTable)] })
  const series = days.data ? seriesOf(days.data.days) : []
  return (
    <div className="page">
      <header className="page-head">
        <div className="grow">
          <h1>Insights</h1>
          <p className="about">What agents did, how often they left their goal and came back, and what Grove added</p>
        </div>
        <div className="row">
          <Segments
            label="How long"
            value={span}
            onChoose={(value) => setParams({ days: value })}
            choices={SPANS.map((value) => ({ value, label: `${value} days` }))}
          />
          <button type="button" className="button quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
            {isTable ? 'As plots' : 'As a table'} <kbd>t</kbd>
          </button>
        </div>
      </header>
      {days.error && <Trouble error={days.error} what="The plots" />}
      {!days.data ? (
        !days.error && <Skeleton rows={4} />
      ) : isQuiet(series) ? (
        <Quiet days={span} />
      ) : isTable ? (
        <Table days={days.data.days} />
      ) : (
        <div className="plots">
          {series.map((one) => (
            <Plot key={one.key} series={one} days={days.data.days.map(({ day }) => day)} />
          ))}
        </div>
      )}
      {learning.data && (days.data || days.error) && (
        <section className="section">
          <h2>Learning</h2>
          {learning.data.projects.map((project) => (
            <ProjectLearning key={project.project.id} insights={project} />
          ))}
          {learning.data.projects.length === 0 && <p className="dim">No project is known yet.</p>}
        </section>
      )}
    </div>
  )
}

function Quiet({ days }: { days: string }) {
  return (
    <div className="empty">
      <h2>Nothing in the last {days} days.</h2>
      <p>As soon as an agent works with Grove attached, its days are plotted here.</p>
      <Command text="grove claude" />
    </div>
  )
}

function Plot({ series, days }: { series: Series; days: string[] }) {
  const [ref, width] = useWidth<HTMLDivElement>()
  const drawn = bars(series.values, { width, height: HEIGHT }, series.unit === 'share' ? 1 : undefined)
  const most = Math.max(...series.values)
  const peak = drawn[series.values.indexOf(most)]
  const peakAt = peak ? peak.x + peak.width / 2 : 0
  return (
    <section ref={ref}>
      <h2>
        {series.title} <b>{written(series.total, series.unit)}</b>
      </h2>
      <p className="small faint">{series.about}</p>
      <svg
        className="plot"
        width={width}
        height={HEIGHT + 38}
        role="img"
        aria-label={`${series.title}: ${written(series.total, series.unit)} in ${days.length} days, at most ${written(most, series.unit)} in one.`}
      >
        <g transform="translate(0 18)">
          <line className="axis" x1={0} x2={width} y1={HEIGHT} y2={HEIGHT} />
          {drawn.map((bar, index) => (
            <rect className="column" key={days[index]} {...bar} />
          ))}
          {most > 0 && (
            <text
              x={peakAt > width - 30 ? width : peakAt < 30 ? 0 : peakAt}
              y={HEIGHT - (peak?.height ?? 0) - 3}
              textAnchor={peakAt > width - 30 ? 'end' : peakAt < 30 ? 'start' : 'middle'}
            >
              {written(most, series.unit)}
            </text>
          )}
          <text x={0} y={HEIGHT + 16}>
            {days[0] && dayWords(days[0])}
          </text>
          <text x={width} y={HEIGHT + 16} textAnchor="end">
            today
          </text>
        </g>
      </svg>
    </section>
  )
}

function written(value: number | undefined, unit: Series['unit']): string {
  if (value === undefined) return '–'
  if (unit === 'money') return money(value)
  return unit === 'share' ? percent(value) : short(value)
}

function Table({ days }: { days: Answer<'insights', 'days'>['days'] }) {
  return (
    <div className="wide-table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {[
              'Day',
              'Sessions',
              'Actions',
              'Drift',
              'Recovered',
              'Injected',
              'Tokens',
              'Memories',
              'Recalled',
              'Helped',
              'Learned',
              'Rejected',
              'Judge',
            ].map((name) => (
              <th scope="col" key={name} className={name === 'Day' ? '' : 'right'}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((day) => (
            <tr key={day.day}>
              <td className="num">{day.day}</td>
              {[
                day.sessions,
                day.actions,
                day.drifted,
                day.recovered,
                day.injectedTokens,
                day.tokens,
                day.memories,
                day.memoriesShown,
                day.memoriesUsed,
                day.learned,
                day.turnedDown,
              ].map((value, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns stand still
                <td key={index} className="right num">
                  {count(value)}
                </td>
              ))}
              <td className="right num">{money(day.judgeCostUsd)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function ProjectLearning({ insights }: { insights: Answer<'insights', 'list'>['projects'][number] }) {
  const { project, learnings, reflections, candidates, skipped, tripped, hitRate, findings } = insights
  return (
    <section className="part">
      <h3>{project.name}</h3>
      <p className="dim">
        {plural(learnings.active, 'learning')} in use;{' '}
        {reflections === 0
          ? 'no reflection so far'
          : `${plural(reflections, 'reflection')} gave ${plural(candidates.produced, 'candidate')}, of which ${candidates.accepted} ${candidates.accepted === 1 ? 'was' : 'were'} kept`}
        {skipped > 0 && `; ${skipped} skipped`}
        {tripped > 0 && `; ${plural(tripped, 'agent')} let go without`}.{' '}
        {hitRate !== undefined && `${percent(hitRate)} of what was shown was used.`}
      </p>
      {findings.map(({ kind, what, recommendation }) => (
        <Note key={kind}>
          <span>
            {what} <b>{recommendation}</b>
          </span>
        </Note>
      ))}
    </section>
  )
}
