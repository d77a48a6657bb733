import { useState } from 'react'
import { act } from '../api/actions.ts'
import { refresh, useAsk } from '../api/queries.ts'
import { clock } from '../ui/format.ts'
import { useNow } from '../ui/now.ts'
import { Button, Note } from '../ui/small.tsx'

const SPANS = [
  { minutes: 15, label: '15 minutes' },
  { minutes: 60, label: 'an hour' },
  { minutes: undefined, label: 'until I end it' },
]

/** Switches Grove off for a while, everywhere or in a project. */
export function Pauses() {
  const { data } = useAsk('pauses', 'list', {})
  const projects = useAsk('projects', 'list', {}).data?.projects ?? []
  const [where, setWhere] = useState('')
  const now = useNow()
  const begin = async (minutes: number | undefined) => {
    const scope = where ? { type: 'project' as const, id: where } : { type: 'all' as const }
    await act('pauses', 'begin', { body: { scope, ...(minutes !== undefined && { minutes }) } }, { label: 'Pause' })
    refresh(['pauses'])
  }
  const name = (id: string) => projects.find((one) => one.id === id)?.name ?? id
  return (
    <section>
      <h2>Pause Grove</h2>
      <p className="dim">
        While it is paused, Grove records nothing, corrects nothing and stops nothing there. Claude Code works as usual.
      </p>
      {data?.pauses.map(({ scope, at, until }) => (
        <Note key={JSON.stringify(scope)} shape="paused">
          <span className="grow">
            Paused for{' '}
            {scope.type === 'all'
              ? 'everything'
              : scope.type === 'project'
                ? name(scope.id)
                : `session ${scope.id.slice(0, 8)}`}{' '}
            since {clock(at, now)}
            {until === undefined ? ', until you end it' : `, until ${clock(until, now)}`}.
          </span>
          <Button
            onClick={() =>
              void act('pauses', 'end', { body: { scope } }, { label: 'End of a pause' }).then(() =>
                refresh(['pauses']),
              )
            }
          >
            End this pause
          </Button>
        </Note>
      ))}
      <div className="row" style={{ marginTop: 8 }}>
        <label htmlFor="pause-where">Pause</label>
        <select
          id="pause-where"
          className="input pause-where"
          value={where}
          onChange={({ target }) => setWhere(target.value)}
        >
          <option value="">everything</option>
          {projects.map(({ id, name: label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
        {SPANS.map(({ minutes, label }) => (
          <Button key={label} onClick={() => void begin(minutes)}>
            {minutes === undefined ? label : `for ${label}`}
          </Button>
        ))}
      </div>
    </section>
  )
}
