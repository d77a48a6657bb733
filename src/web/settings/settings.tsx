import { useState } from 'react'
import { useLocation } from 'wouter'
import { act } from '../api/actions.ts'
import { refresh, useAsk } from '../api/queries.ts'
import { NOTIFY } from '../shell/attention.ts'
import { setTheme, type Theme, useTheme } from '../shell/theme.ts'
import { clock, plural } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { Mark } from '../ui/mark.tsx'
import { useNow } from '../ui/now.ts'
import { Segments } from '../ui/segments.tsx'
import { Button, CopyButton, Note, Skeleton } from '../ui/small.tsx'
import { useStored } from '../ui/stored.ts'
import { useTitle } from '../ui/title.ts'
import { Trouble } from '../ui/trouble.tsx'
import { commandIn, filterSettings, groupSettings } from './derive-settings.ts'
import './settings.css'

const PARTS = { general: 'General', configuration: 'Configuration', doctor: 'Doctor', attachments: 'Attachments' }
type Part = keyof typeof PARTS

export default function Settings({ part = 'general' }: { part: string | undefined }) {
  const [, go] = useLocation()
  const shown = part in PARTS ? (part as Part) : 'general'
  useTitle('Settings')
  return (
    <div className="page middle">
      <header className="page-head">
        <div className="grow">
          <h1>Settings</h1>
        </div>
        <Segments
          label="Part"
          value={shown}
          onChoose={(value) => go(`/settings/${value}`)}
          choices={(Object.keys(PARTS) as Part[]).map((value) => ({ value, label: PARTS[value] }))}
        />
      </header>
      {shown === 'general' && <General />}
      {shown === 'configuration' && <Configuration />}
      {shown === 'doctor' && <Doctor />}
      {shown === 'attachments' && <Attachments />}
    </div>
  )
}

function General() {
  const theme = useTheme()
  const [notify, setNotify] = useStored(NOTIFY, false)
  const wish = async (isOn: boolean) => {
    if (isOn && 'Notification' in window && Notification.permission !== 'granted')
      await Notification.requestPermission()
    setNotify(isOn)
  }
  const isBlocked = 'Notification' in window && Notification.permission === 'denied'
  return (
    <div className="stack-3">
      <Pauses />
      <section>
        <h2>This browser</h2>
        <dl className="pairs" style={{ marginTop: 8 }}>
          <dt>Theme</dt>
          <dd>
            <Segments
              label="Theme"
              value={theme}
              onChoose={(value: Theme) => setTheme(value)}
              choices={[
                { value: 'system', label: 'As the system' },
                { value: 'light', label: 'Light' },
                { value: 'dark', label: 'Dark' },
              ]}
            />
          </dd>
          <dt>Notifications</dt>
          <dd>
            <label className="row">
              <input type="checkbox" checked={notify} onChange={({ target }) => void wish(target.checked)} />
              Tell me when something new waits and this tab is not in front
            </label>
            {isBlocked && (
              <p className="problem">The browser forbids notifications for this address; allow them in its settings.</p>
            )}
          </dd>
        </dl>
      </section>
      <section>
        <h2>Another browser or a teammate</h2>
        <p className="dim">
          A second browser is paired by opening the link that <code>grove open</code> prints; on another machine it
          comes with a QR code.
        </p>
      </section>
    </div>
  )
}

const SPANS = [
  { minutes: 15, label: '15 minutes' },
  { minutes: 60, label: 'an hour' },
  { minutes: undefined, label: 'until I end it' },
]

function Pauses() {
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

function Configuration() {
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
      {shown.length === 0 && <p className="empty">No setting fits.</p>}
      {[...groupSettings(shown)].map(([group, settings]) => (
        <section key={group} className="settings-group">
          <h2 className="group">{group}</h2>
          <dl>
            {settings.map(({ key, value, source, about, environment }) => (
              <div key={key} className="setting">
                <dt>
                  <code>{key}</code>
                  <p className="small dim">{about}</p>
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

function Doctor() {
  const { data, error, isFetching, refetch } = useAsk('settings', 'doctor', {})
  if (error) return <Trouble error={error} what="The doctor" onRetry={() => void refetch()} />
  const findings = data?.findings ?? []
  const bad = findings.filter(({ status }) => status !== 'ok')
  return (
    <section>
      <div className="row">
        <p className="grow dim">
          {!data || isFetching
            ? 'Checking the machine, this takes a second or two …'
            : bad.length === 0
              ? `All ${findings.length} checks are fine.`
              : `${bad.length} of ${findings.length} checks could be better. Each names what to do.`}
        </p>
        <Button onClick={() => void refetch()} disabled={isFetching}>
          Check again
        </Button>
      </div>
      {!data ? (
        <Skeleton rows={8} />
      ) : (
        <ul className="brief">
          {[...bad, ...findings.filter(({ status }) => status === 'ok')].map(({ check, status, detail, fix }) => (
            <li key={check + detail}>
              <Mark shape={status === 'ok' ? 'done' : status === 'warn' ? 'open' : 'wrong'} />
              <div>
                <b>{check}</b>{' '}
                <span className={status === 'fail' ? 'wrong small' : 'small faint'}>
                  {{ ok: 'fine', warn: 'could be better', fail: 'broken' }[status]}
                </span>
                <p className="text dim">{detail}</p>
                {fix && <p className="text">{fix}</p>}
              </div>
              {fix && commandIn(fix) ? <CopyButton text={commandIn(fix)!} label="Copy the command" /> : <span />}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Attachments() {
  const { data } = useAsk('agents', 'list', {})
  const canary = useAsk('canary', 'list', {})
  const seen = new Set(data?.agents.flatMap(({ attachments }) => attachments) ?? [])
  return (
    <div className="stack-3">
      <section>
        <h2>How Grove sees Claude Code</h2>
        <ul className="brief">
          <li>
            <Mark shape={seen.has('hooks') ? 'works' : 'open'} />
            <div>
              <b>Hooks</b>
              <p className="dim">
                Context, guard, trace and reflection. Attached with <code>grove init</code>, detached with{' '}
                <code>grove unregister</code>.
              </p>
            </div>
            <span className="faint">{seen.has('hooks') ? 'in use now' : 'no live session'}</span>
          </li>
          <li>
            <Mark shape={seen.has('proxy') ? 'works' : 'open'} />
            <div>
              <b>Proxy</b>
              <p className="dim">
                Tokens, corrections in the conversation, clearing a full window. Entered with <code>grove claude</code>.
              </p>
            </div>
            <span className="faint">{seen.has('proxy') ? 'in use now' : 'no live session'}</span>
          </li>
        </ul>
      </section>
      <section>
        <h2>Client versions</h2>
        {canary.data?.findings.length === 0 && (
          <p className="dim">Everything of the Claude Code versions seen in the last month is understood.</p>
        )}
        <ul className="brief">
          {canary.data?.findings.map((finding) => (
            <li key={`${finding.version}${finding.kind}${finding.subject ?? ''}`}>
              <Mark shape="wrong" tone="rest" />
              <div>
                <b>{finding.version}</b> <span className="text">{finding.noticed}</span>
                <p className="dim text">
                  {finding.affected} {finding.fallback}
                </p>
              </div>
              <span />
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}
