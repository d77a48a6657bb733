import { useAsk } from '../api/queries.ts'
import { Mark } from '../ui/mark.tsx'
import { Command } from '../ui/small.tsx'

/** Whether the memories of projects go to a database of the team, and how that stands. */
export function SharedMemory() {
  const settings = useAsk('settings', 'list', {}).data?.settings ?? []
  const url = settings.find(({ key }) => key === 'database.url')
  const isOn = url !== undefined && url.source !== 'default'
  const doctor = useAsk('settings', 'doctor', {}, { enabled: isOn })
  const found = doctor.data?.findings.filter(({ check }) => check === 'team') ?? []
  return (
    <section className="stack">
      <h2>Shared memory</h2>
      {isOn && !doctor.data && <p className="dim">Asking the database …</p>}
      {isOn ? (
        <ul className="brief">
          {found.map(({ detail, status, fix }) => (
            <li key={detail}>
              <Mark shape={status === 'ok' ? 'works' : 'wrong'} />
              <div>
                <p className="text">{detail}</p>
                {fix && <p className="text dim">{fix}</p>}
              </div>
              <span />
            </li>
          ))}
        </ul>
      ) : (
        <>
          <p className="dim">
            Memories stay on this machine. A team shares those of the projects that you name, through a PostgreSQL
            database of its own:
          </p>
          <Command text="grove team join postgresql://you@host/grove" />
        </>
      )}
    </section>
  )
}
