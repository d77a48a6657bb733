import { useState } from 'react'
import { useAsk } from '../api/queries.ts'
import { plural } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { Note, Skeleton } from '../ui/small.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { WithCode } from '../ui/with-code.tsx'
import { filterSettings, groupSettings } from './derive-settings.ts'

/** Every setting with its value, and where that came from. */
export function Configuration() {
  const { data, error } = useAsk('settings', 'list', {})
  const [search, setSearch] = useState('')
  const [isChanged, setChanged] = useState(false)
  if (error) return <Trouble error={error} what="The configuration" />
  if (!data) return <Skeleton rows={8} />
  const shown = filterSettings(data.settings, search, isChanged)
  return (
    <>
      {data.problems.map((problem) => (
        <Note tone="wrong" key={problem}>
          {problem}
        </Note>
      ))}
      <div className="tools">
        <div className="search">
          <Icon name="search" />
          <input
            className="input"
            type="search"
            aria-label="Search settings"
            placeholder="Name or purpose"
            value={search}
            onChange={({ target }) => setSearch(target.value)}
          />
        </div>
        <label className="row">
          <input type="checkbox" checked={isChanged} onChange={({ target }) => setChanged(target.checked)} />
          Only what is not at its default
        </label>
        <span className="small faint end">{plural(shown.length, 'setting')}</span>
      </div>
      {shown.length === 0 && <p className="empty">No setting matches.</p>}
      {[...groupSettings(shown)].map(([group, settings]) => (
        <section key={group} className="settings-group">
          <h2 className="group">{group}</h2>
          <dl>
            {settings.map(({ key, value, source, about, environment }) => (
              <div key={key} className="setting">
                <dt>
                  <code>{key}</code>
                  <p className="small dim">
                    <WithCode text={about} />
                  </p>
                </dt>
                <dd>
                  <code>{value || '–'}</code>
                  <p className={source === 'default' ? 'small faint' : 'small'}>
                    {source === 'default' ? 'default' : `from ${source}`}
                    {environment[0] && source === 'default' && <span className="faint"> · {environment[0]}</span>}
                  </p>
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <p className="small faint">
        Settings are changed in <code>config.toml</code> of the home folder, in <code>.grove/config.toml</code> of a
        project, or by the environment.
      </p>
    </>
  )
}
