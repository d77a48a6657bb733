import { Link } from 'wouter'
import type { SessionSnapshot, Waiting } from '#protocol/api/sessions.ts'
import { featurePath, toneOf } from '../features/derive-features.ts'
import { PlanReviews } from '../people/plan-reviews.tsx'
import { duration } from '../ui/format.ts'
import { Mark } from '../ui/mark.tsx'
import { Away } from '../ui/markdown.tsx'
import { useSeconds } from '../ui/now.ts'
import { Ago, Button, Command, Note } from '../ui/small.tsx'
import { ApprovalGate } from './approval-gate.tsx'
import { SILENT_MS, type Tab } from './derive-stages.ts'
import { EvidenceList } from './evidence.tsx'
import { FinalApproval } from './final-approval.tsx'
import { HoldCard } from './hold.tsx'
import { LiveTail } from './live-tail.tsx'
import { Questions } from './questions.tsx'
import { Todos } from './todos.tsx'
import type { FeatureAction } from './use-feature.ts'

/** What was at the moment since when it waits. */
const SINCE: Record<Waiting['kind'], string> = {
  questions: 'asked',
  plan_approval: 'ready',
  plan_review: 'asked',
  final_approval: 'ready',
  hold: 'stopped',
}
const BRING_BACK = 'Bring it back to the list'
const UNDELETE = 'Undo the deletion'

interface Props {
  snapshot: SessionSnapshot
  run: FeatureAction
  /** What is open below: it is not shown twice. */
  tab: Tab
  quiet: React.ReactNode
}

/** What this feature waits for, answered here; while it waits for nothing, what it proves and what it does. */
export function WaitsBand({ snapshot, run, tab, quiet }: Props) {
  const { summary, questions, held, session, actions, pr } = snapshot
  // What is out of the list asks for nothing until it is brought back.
  const isAside = summary.archived || summary.deleted
  const waiting = isAside ? [] : summary.waiting
  const hold = waiting.find(({ kind }) => kind === 'hold')
  const isTrouble = hold !== undefined && toneOf(hold) === 'wrong'
  const pendingTodos = snapshot.todos.filter(({ status }) => status === 'pending')
  const isDeciding = questions.length > 0 && !hold && !isAside
  // A paused feature asks for nothing until it is resumed.
  const mayApprove = actions.includes('approve') && summary.status !== 'paused' && !isAside
  return (
    <section className="band waits" aria-label="Waits for you">
      <div className="band-head">
        <h2>{waiting.length > 0 ? 'Waits for you' : 'Nothing waits for you'}</h2>
        {waiting.length > 0 && (
          <span className={`row ${isTrouble ? 'wrong' : 'wait'}`}>
            <Mark shape={isTrouble ? 'wrong' : 'waits'} /> {isDeciding ? questions.length : waiting.length}
          </span>
        )}
        <span className="grow" />
        {waiting[0] ? (
          <span className="small faint">
            {SINCE[waiting[0].kind]} <Ago at={Date.parse(waiting[0].since)} inWords />
            {isDeciding && ', drafts are kept'}
          </span>
        ) : (
          summary.executing && <LastNews at={Date.parse(snapshot.status.lastActionAt)} />
        )}
      </div>
      {isDeciding ? (
        <Questions key={questions[0]!.batch} questions={questions} held={held} run={run} sessionId={session.id}>
          {mayApprove && <ApprovalGate snapshot={snapshot} run={run} />}
          {summary.stage === 2 && <PlanReviews snapshot={snapshot} run={run} />}
          <Filtered snapshot={snapshot} />
        </Questions>
      ) : (
        <div className="band-body stack-2" tabIndex={0}>
          {quiet}
          {summary.deleted && (
            <Note shape="back">
              <span className="grow">Deleted from the list. Its branch and files are as they were.</span>
              <Button onClick={() => void run('sessions', 'undelete', {}, { label: UNDELETE })}>{UNDELETE}</Button>
            </Note>
          )}
          {summary.archived && (
            <Note shape="back">
              <span className="grow">Archived: it is out of the list, and asks for nothing.</span>
              <Button onClick={() => void run('sessions', 'unarchive', {}, { label: BRING_BACK })}>{BRING_BACK}</Button>
            </Note>
          )}
          {summary.status === 'completed' && (
            <Note shape="done">
              This feature is complete. Merging stays with you
              {pr.pullRequest?.prUrl ? (
                <>
                  : <Away href={pr.pullRequest.prUrl}>pull request #{pr.pullRequest.prNumber}</Away>
                </>
              ) : (
                '.'
              )}
            </Note>
          )}
          {summary.status === 'rolled_back' && (
            <div>
              <Note shape="back">
                Rolled back. A new session can begin from the form.
                {session.rolledBack && ' Everything that was there is saved; this brings it back:'}
              </Note>
              {session.rolledBack && <Command text={session.rolledBack.restore} />}
            </div>
          )}
          {summary.status === 'paused' && !hold && (
            <Note shape="paused">
              Paused. Changes and the conversation are kept; “Continue” goes on where it stopped.
            </Note>
          )}
          {hold && <HoldCard waiting={hold} snapshot={snapshot} run={run} />}
          {pendingTodos.length > 0 && <Todos items={pendingTodos} run={run} sessionId={session.id} />}
          {mayApprove && <ApprovalGate snapshot={snapshot} run={run} isMain={!hold} isOpen={hold !== undefined} />}
          {summary.stage === 2 && !hold && !isAside && <PlanReviews snapshot={snapshot} run={run} />}
          {actions.includes('final_approval') && !isAside && <FinalApproval snapshot={snapshot} run={run} />}
          {!hold && <Filtered snapshot={snapshot} />}
          {/* What it does now comes before what it has to prove in the end. */}
          {summary.executing && tab !== 'output' && <LiveTail snapshot={snapshot} />}
          {summary.stage >= 3 && tab !== 'evidence' && <EvidenceList snapshot={snapshot} isShort />}
          {waiting.length === 0 && !summary.executing && summary.status === 'active' && !isAside && (
            <p className="dim">Grove gets ready for the next turn.</p>
          )}
        </div>
      )}
    </section>
  )
}

function LastNews({ at }: { at: number }) {
  const now = useSeconds()
  // From then on the note below says it.
  if (now - at >= SILENT_MS) return null
  return <span className="small faint num">last news {duration(now - at)} ago</span>
}

function Filtered({ snapshot: { filtered, summary } }: { snapshot: SessionSnapshot }) {
  if (filtered === 0) return null
  const isOne = filtered === 1
  return (
    <p className="small faint">
      {isOne ? 'One concern was' : `${filtered} concerns were`} set aside after a look at the code.{' '}
      <Link href={`${featurePath(summary)}/story`}>The story</Link> names {isOne ? 'it' : 'them'} and can bring{' '}
      {isOne ? 'it' : 'them'} back.
    </p>
  )
}
