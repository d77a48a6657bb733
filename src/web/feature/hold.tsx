import { useState } from 'react'
import type { SessionSnapshot, Waiting } from '#protocol/api/sessions.ts'
import { toneOf } from '../features/derive-features.ts'
import { useKeys } from '../shell/keys.ts'
import { clock, countdown } from '../ui/format.ts'
import { Mark } from '../ui/mark.tsx'
import { useSeconds } from '../ui/now.ts'
import { Button, Command } from '../ui/small.tsx'
import { useStored } from '../ui/stored.ts'
import { plainly } from '../ui/visible-text.ts'
import { holdWords } from './derive-hold.ts'
import { Rollback } from './header.tsx'
import type { FeatureAction } from './use-feature.ts'

interface Props {
  waiting: Waiting
  snapshot: SessionSnapshot
  run: FeatureAction
  /** Stands in the row of the button. */
  beside?: React.ReactNode
}

/** What keeps the session from going on: what happened, what it means, what can be done. Words beside a choice are kept. */
export function HoldCard({ waiting, snapshot, run, beside }: Props) {
  const { session, status } = snapshot
  const now = useSeconds()
  const kind = session.hold?.kind
  const [text, setText] = useStored(`grove.draft.hold.${session.id}.${kind}`, '')
  const [kept, setChosen] = useStored(`grove.draft.hold.choice.${session.id}.${kind}`, '')
  const [isRolling, setRolling] = useState(false)
  const words = kind ? holdWords(kind, waiting.title) : undefined
  const choice =
    waiting.choices.find((one) => one.choice === kept) ??
    waiting.choices.find(({ recommended }) => recommended) ??
    waiting.choices[0]
  const chosen = choice?.choice
  const until = waiting.until ? Date.parse(waiting.until) : undefined
  const send = async () => {
    if (!choice) return
    if (choice.choice === 'rollback') return setRolling(true)
    const done = await run(
      'sessions',
      'choose',
      { choice: choice.choice, text: choice.needsText ? text.trim() : '' } as never,
      { label: choice.label },
    )
    if (done !== 'done') return
    setText(undefined)
    setChosen(undefined)
  }
  const isReady = choice !== undefined && (!choice.needsText || text.trim() !== '')
  useKeys('Stopped', {
    ...Object.fromEntries(
      waiting.choices
        .slice(0, 9)
        .map((one, index) => [String(index + 1), [one.label, () => setChosen(one.choice)]] as const),
    ),
    'mod+Enter': ['go on with this choice', () => isReady && void send()],
  })
  return (
    <section aria-label="Stopped" className="stack">
      <div className="marked repeated">
        <Mark shape={toneOf(waiting) === 'wrong' ? 'wrong' : 'waits'} />
        <h2>{words?.title ?? 'Stopped'}</h2>
      </div>
      {!words?.saysAll && <p className="text repeated">{waiting.title}</p>}
      {until !== undefined && (
        <p>
          {until > now ? (
            <>
              Goes on by itself at {clock(until, now)}, in <b>{countdown(until - now)}</b>.
            </>
          ) : (
            'Goes on now.'
          )}
        </p>
      )}
      {words?.about && <p className="dim">{words.about}</p>}
      {kind === 'gh_login' && <Command text="gh auth login" />}
      {kind === 'rebase_conflict' && <Command text={`cd '${session.folder.replaceAll("'", "'\\''")}' && git status`} />}
      {kind === 'usage_limit' && (
        <p className="small faint">
          {status.callsThisHour} of {status.maxCallsPerHour} calls in this hour.
        </p>
      )}
      {waiting.detail && (
        <details open={!words?.saysAll && waiting.detail.length < 600}>
          <summary className="small">{words?.detail ?? 'What was said'}</summary>
          <pre className="log">{plainly(waiting.detail)}</pre>
        </details>
      )}
      <div className="options">
        {waiting.choices.map((one, index) => (
          <label className="option" key={one.choice}>
            <input type="radio" name="hold" checked={chosen === one.choice} onChange={() => setChosen(one.choice)} />
            <span>
              {one.label} {one.recommended && <span className="recommended">recommended</span>}
            </span>
            <kbd>{index + 1}</kbd>
          </label>
        ))}
      </div>
      {choice?.needsText &&
        (choice.choice === 'rename_branch' ? (
          <input
            className="input mono"
            aria-label="The name of the branch"
            placeholder="feature/…"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        ) : (
          <textarea
            className="input"
            rows={3}
            aria-label="What to tell Claude"
            placeholder="What should Claude do?"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        ))}
      <div className="row decide">
        <Button look="primary" disabled={!isReady} onClick={() => void send()} keys="Ctrl Enter">
          {choice?.label ?? 'Choose'}
        </Button>
        {choice?.needsText && !text.trim() && (
          <span className="small">
            {choice.choice === 'rename_branch' ? 'Type the name first.' : 'First write what Claude should do.'}
          </span>
        )}
        {beside}
      </div>
      {isRolling && <Rollback snapshot={snapshot} onClose={() => setRolling(false)} />}
    </section>
  )
}
