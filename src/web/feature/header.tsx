import { useState } from 'react'
import type { SessionSnapshot } from '#protocol/api/sessions.ts'
import { act } from '../api/actions.ts'
import { newId } from '../api/new-id.ts'
import { cache } from '../api/queries.ts'
import { deleteWords, pauseWords } from '../features/derive-features.ts'
import { Dialog } from '../ui/dialog.tsx'
import { duration, money, percent, plural, times } from '../ui/format.ts'
import { Menu } from '../ui/menu.tsx'
import { useNow } from '../ui/now.ts'
import { Button, Command, Note } from '../ui/small.tsx'
import type { FeatureAction } from './use-feature.ts'

export function Header({ snapshot, run }: { snapshot: SessionSnapshot; run: FeatureAction }) {
  const { summary, session, actions } = snapshot
  const [isRolling, setRolling] = useState(false)
  const now = useNow()
  const { usage } = session
  const can = (action: (typeof actions)[number]) => actions.includes(action)
  const simple = (
    name: 'pause' | 'resume' | 'cancel' | 'interrupt' | 'archive' | 'unarchive' | 'delete' | 'undelete',
    label: string,
  ) => ({
    label,
    run: () => void run('sessions', name, {}, { label }),
  })
  // What works is not cut short by it.
  const pause = simple('pause', pauseWords(summary))
  return (
    <header>
      <div className="grow">
        <Title text={summary.title} />
        <p className="facts">
          <b className="phone-only">{summary.stageText}</b>
          <span className="mono">{summary.projectName}</span>
          <span className="mono wide-only cut" title={session.folder}>
            {summary.branch}
          </span>
          <span className="facts num">
            <span>{money(summary.costUsd)}</span>
            <span>{duration(now - Date.parse(summary.createdAt))}</span>
          </span>
          {usage.window > 0 && usage.contextTokens > 0 && (
            <span className={usage.contextTokens / usage.window >= 0.8 ? 'strong' : 'wide-only'}>
              {percent(usage.contextTokens / usage.window)} of the window
            </span>
          )}
          {session.mode === 'in_place' && <span className="wide-only">in your checkout</span>}
          {summary.replanningCount > 0 && (
            <span className="wide-only">re-planned {times(summary.replanningCount)}</span>
          )}
          {session.recalled.length > 0 && (
            <span className="wide-only roomy-only" title={session.recalled.map(({ title }) => title).join('\n')}>
              {plural(session.recalled.length, 'memory', 'memories')} given
            </span>
          )}
        </p>
      </div>
      {can('pause') && !summary.archived && (
        <span className="wide-only">
          <Button onClick={pause.run}>{pause.label}</Button>
        </span>
      )}
      {can('resume') && summary.status !== 'active' && !session.hold && (
        <Button look="primary" onClick={simple('resume', 'Continue').run}>
          Continue
        </Button>
      )}
      <Menu
        label="More about this feature"
        items={[
          can('pause') && !summary.archived && { ...pause, isPhone: true },
          can('interrupt') && simple('interrupt', 'Interrupt Claude and say something'),
          can('cancel') && { ...simple('cancel', 'Stop Claude at once; changes stay'), danger: true },
          '-',
          can('rollback') && { label: 'Roll back to the base commit…', danger: true, run: () => setRolling(true) },
          can('archive') && simple('archive', 'Archive'),
          can('unarchive') && simple('unarchive', 'Bring back from the archive'),
          can('delete') && { ...simple('delete', deleteWords(summary)), danger: true },
          can('undelete') && simple('undelete', 'Undo the deletion'),
        ]}
      />
      {isRolling && <Rollback snapshot={snapshot} onClose={() => setRolling(false)} />}
    </header>
  )
}

const SHORT = 60

/** In two lines; where that is not all of it, pressing it shows the rest. */
function Title({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false)
  const words = (
    <span className={isWhole ? 'text' : 'two-lines'} title={text}>
      {text}
    </span>
  )
  if (text.length <= SHORT) return <h1>{words}</h1>
  return (
    <h1>
      <button type="button" className="as-text" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
        {words}
      </button>
    </h1>
  )
}

/** The one thing that takes work away: it says what is saved, where, and how to get it back. */
export function Rollback({ snapshot, onClose }: { snapshot: SessionSnapshot; onClose(): void }) {
  const { summary, session } = snapshot
  const [way, setWay] = useState<{ savedAs: string; restore: string }>()
  const [problem, setProblem] = useState<string>()
  const params = { projectId: summary.projectId, featureId: summary.featureId }
  const roll = async () => {
    const done = await act(
      'sessions',
      'rollback',
      { params, body: { confirm: true, requestId: newId() } },
      { label: 'Roll back', quiet: true },
    )
    if ('refused' in done) setProblem(done.refused.words)
    else if ('sent' in done) {
      cache.setQueryData(['sessions', 'show', { params }], { session: done.sent.session })
      setWay({ savedAs: done.sent.savedAs, restore: done.sent.restore })
    } else onClose()
  }
  if (way) {
    return (
      <Dialog
        title="Rolled back"
        about="Everything that was there, untracked files too, is kept in the repository."
        onClose={onClose}
      >
        <dl className="pairs">
          <dt>Saved as</dt>
          <dd className="mono">{way.savedAs}</dd>
        </dl>
        <p>This brings it back:</p>
        <Command text={way.restore} />
        <div className="dialog-actions">
          <Button look="primary" onClick={onClose}>
            Close
          </Button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog
      title="Roll back this feature?"
      about={
        <>
          <code>{summary.branch}</code> goes back to <code>{session.baseCommitSha.slice(0, 10)}</code>, where the
          session began, and what is not committed is removed from{' '}
          {session.mode === 'in_place' ? 'your checkout' : 'the worktree'}.
        </>
      }
      onClose={onClose}
    >
      <p>
        Everything is saved first, and you get the command that brings it back. The session itself cannot be resumed.
      </p>
      {problem && <Note tone="wrong">{problem}</Note>}
      <div className="dialog-actions">
        <Button look="quiet" onClick={onClose}>
          Keep everything
        </Button>
        <Button look="danger" onClick={() => void roll()}>
          Save everything and roll back
        </Button>
      </div>
    </Dialog>
  )
}
