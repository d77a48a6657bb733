import { Link } from 'wouter'
import type { Waiting } from '#protocol/api/sessions.ts'
import { actionsOn } from '../feature/use-feature.ts'
import { deafen } from '../shell/keys.ts'
import { CodeWords } from '../ui/code-words.tsx'
import { Mark, type Shape } from '../ui/mark.tsx'
import { Ago, Button } from '../ui/small.tsx'
import { plainly } from '../ui/visible-text.ts'
import { WithCode } from '../ui/with-code.tsx'
import { ApprovalBody } from './approval.tsx'
import { type InboxItem, likelyChoice } from './derive-inbox.ts'
import { FeatureBody } from './feature-body.tsx'

const SHAPES: Record<InboxItem['tone'], Shape> = { wait: 'waits', wrong: 'wrong', rest: 'open' }

const LINKS = { approval: 'Show the agent', finding: 'Doctor' }

interface Props {
  item: InboxItem
  isOpen: boolean
  onOpen(): void
  snooze: React.ReactNode
}

/** One thing that waits; the open one is answered where it stands. */
export function Item({ item, isOpen, onOpen, snooze }: Props) {
  return (
    <div className={isOpen ? 'item open' : 'item'}>
      <Mark shape={SHAPES[item.tone]} />
      <div>
        <p className="item-kind">
          <b className={item.tone}>{item.kind}</b>
          {item.about && ` · ${item.about}`}
        </p>
        <button type="button" className="title" aria-expanded={isOpen} onClick={onOpen}>
          {item.isCode ? (
            <code dir="ltr">
              <CodeWords text={plainly(item.title)} />
            </code>
          ) : (
            item.title
          )}
        </button>
        {item.why && !(isOpen && isHold(item)) && (
          <p className="why text">
            <WithCode text={item.why} />
          </p>
        )}
        <p className="facts">
          {item.source.type === 'feature' ? (
            <Link href={item.href!} className="text cut" title={item.source.waiting.sessionTitle}>
              {item.where ?? 'Open the feature'}
            </Link>
          ) : (
            <>
              {item.where && <span className="mono">{item.where}</span>}
              {item.href && <Link href={item.href}>{LINKS[item.source.type]}</Link>}
            </>
          )}
        </p>
      </div>
      <div className="side">
        <Ago at={item.at} />
        {!isOpen && item.source.type === 'feature' && <Likely waiting={item.source.waiting} />}
      </div>
      {isOpen && (
        <div className="item-body">
          {item.source.type === 'approval' && <ApprovalBody approval={item.source.approval} snooze={snooze} />}
          {item.source.type === 'feature' && <FeatureBody waiting={item.source.waiting} snooze={snooze} />}
          {item.source.type === 'finding' && <div className="row">{snooze}</div>}
        </div>
      )}
    </div>
  )
}

/** What was said is part of the card that explains the stop. */
function isHold({ source }: InboxItem): boolean {
  return source.type === 'feature' && source.waiting.kind === 'hold'
}

/** The one likely answer, without opening what has no more to read. */
function Likely({ waiting }: { waiting: Waiting }) {
  const likely = likelyChoice(waiting)
  if (!likely) return null
  const { choice, label } = likely
  const run = actionsOn({ projectId: waiting.projectId, featureId: waiting.featureId })
  return (
    <Button
      aria-label={`${label}: ${waiting.sessionTitle}`}
      onClick={() => {
        // What takes its place is not answered by the second half of a double click.
        void run('sessions', 'choose', { choice, text: '' } as never, { label }).then(deafen)
      }}
    >
      {label}
    </Button>
  )
}
