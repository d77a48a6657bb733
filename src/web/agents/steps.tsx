import { useState } from 'react'
import { type Action, scoreWord } from '#protocol/agent-actions.ts'
import { State } from '../ui/mark.tsx'
import { Segments } from '../ui/segments.tsx'
import { Ago, Button, Capped, Path } from '../ui/small.tsx'
import { plainly } from '../ui/visible-text.ts'
import { type ActionFilter, filterActions } from './derive-agent.ts'

const SHOWN = 60

/** Each action with its score and why. */
export function Steps({ actions }: { actions: Action[] }) {
  const [filter, setFilter] = useState<ActionFilter>('all')
  const [shown, setShown] = useState(SHOWN)
  const wanted = filterActions(actions, filter).toReversed()
  return (
    <section>
      <div className="row">
        <h2>Actions</h2>
        <span className="grow">
          <span className="small faint wide-only">newest first</span>
        </span>
        <Segments
          label="Which actions"
          value={filter}
          onChoose={setFilter}
          choices={(['all', 'corrected', 'refused'] as const).map((value) => ({
            value,
            label: { all: 'All', corrected: 'Corrected', refused: 'Refused' }[value],
            count: filterActions(actions, value).length,
          }))}
        />
      </div>
      {wanted.length === 0 ? (
        <p className="empty">None.</p>
      ) : (
        <ul className="actions-list">
          {wanted.slice(0, shown).map((action) => (
            <li key={action.id} className={action.isRejected ? 'action off' : 'action'}>
              <span className="nr num">{action.number}</span>
              <span className="cut" title={action.tool}>
                {action.tool}
              </span>
              <span className="cut">
                {action.isPath ? (
                  <Path path={action.what} />
                ) : (
                  <code title={action.what}>{plainly(action.what) || '–'}</code>
                )}
              </span>
              <span className="scored">
                <State shape={action.isRejected ? 'refused' : action.level ? 'turn' : 'done'}>
                  {action.score ?? ''} {scoreWord(action)}
                </State>
              </span>
              <span className="when num">
                <Ago at={action.at} />
              </span>
              {(action.reason || action.subagent) && (
                <span className="reason text">
                  {action.subagent && <span className="tag">subagent</span>}{' '}
                  {action.reason && <Capped text={action.reason} most={240} />}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {wanted.length > shown && (
        <Button look="quiet" onClick={() => setShown(shown + 200)}>
          Show {Math.min(200, wanted.length - shown)} more
        </Button>
      )}
    </section>
  )
}
