import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { PlanFile, PlanStep } from '#protocol/workflow/plan.ts'
import { Icon } from '../ui/icon.tsx'
import { Mark } from '../ui/mark.tsx'
import { Button, fits, TooLong } from '../ui/small.tsx'
import { type Comment, linesOf, planRows, type StepRow, stepFacts, stepShape, stepsAbove } from './derive-plan.ts'
import type { LinkedStep } from './linked-step.ts'
import type { LineDrafts } from './use-comments.ts'

interface Said {
  person: string
  stepId?: string
  quote?: string
  text: string
}

interface Props {
  plan: PlanFile
  /** At most so many rows, from the first on. */
  most?: number | undefined
  /** The step that a link has led to: it is brought into sight, and gets the focus. */
  linked?: LinkedStep | undefined
  drafts: LineDrafts
  comments: Comment[]
  /** What teammates have said about this version. */
  said: Said[]
  onComment: ((comment: Comment) => void) | undefined
  onRemove(index: number): void
}

const MANY = 200
const SHOWN_PATHS = 4

/** The plan as a tree; every line of it can be commented on. Long plans keep number, title and state, and open what has the focus. */
export function PlanTree({ plan, most, linked, drafts, comments, said, onComment, onRemove }: Props) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [sought, setSought] = useState(linked)
  const [followed, setFollowed] = useState(linked)
  if (linked !== followed) {
    setFollowed(linked)
    setSought(linked)
    const above = linked ? stepsAbove(plan.steps, linked.id) : []
    if (above.some((id) => closed.has(id))) setClosed(new Set([...closed].filter((id) => !above.includes(id))))
  }
  const rows = planRows(plan.steps, closed).slice(0, most)
  const toggle = (id: string) => {
    const next = new Set(closed)
    if (!next.delete(id)) next.add(id)
    setClosed(next)
  }
  const one = (row: StepRow, isBrief: boolean) => (
    <Step
      key={row.step.uid}
      row={row}
      isBrief={isBrief}
      isSought={row.step.id === sought?.id}
      onSeen={() => setSought(undefined)}
      drafts={drafts}
      comments={comments}
      said={said}
      onToggle={() => toggle(row.step.id)}
      onComment={onComment}
      onRemove={onRemove}
    />
  )
  if (rows.length <= MANY) return <div className="few-steps">{rows.map((row) => one(row, false))}</div>
  const soughtAt = sought ? rows.findIndex(({ step }) => step.id === sought.id) : -1
  return <ManySteps rows={rows} soughtAt={soughtAt} render={(row) => one(row, true)} />
}

interface ManyProps {
  rows: StepRow[]
  /** The row to bring into sight; negative for none. */
  soughtAt: number
  render(row: StepRow): React.ReactNode
}

function ManySteps({ rows, soughtAt, render }: ManyProps) {
  const list = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  // What stands above the list comes and goes.
  useLayoutEffect(() => {
    const box = list.current && scrolled(list.current)
    if (box)
      setTop(Math.round(list.current!.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop))
  })
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => list.current && scrolled(list.current),
    estimateSize: () => 30,
    overscan: 20,
    scrollMargin: top,
  })
  useEffect(() => {
    if (soughtAt >= 0) virtual.scrollToIndex(soughtAt, { align: 'start' })
  }, [soughtAt, virtual])
  return (
    <div ref={list} className="many-steps" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
      {virtual.getVirtualItems().map(({ index, start }) => (
        <div
          key={rows[index]!.step.uid}
          ref={virtual.measureElement}
          data-index={index}
          style={{ position: 'absolute', insetInline: 0, top: 0, transform: `translateY(${start - top}px)` }}
        >
          {render(rows[index]!)}
        </div>
      ))}
    </div>
  )
}

const scrolled = (list: HTMLElement) => list.closest<HTMLElement>('.plan-steps, .band-body')

interface StepProps extends Omit<Props, 'plan' | 'most' | 'linked'> {
  row: StepRow
  isBrief: boolean
  isSought: boolean
  onSeen(): void
  onToggle(): void
}

function Step({ row, isBrief, isSought, onSeen, drafts, comments, said, onToggle, onComment, onRemove }: StepProps) {
  const { step, depth, hasChildren, isOpen } = row
  const self = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isSought) return
    self.current?.scrollIntoView()
    self.current?.focus({ preventScroll: true })
    onSeen()
  }, [isSought, onSeen])
  const draftName = (line: string) => `${step.id} ${line}`
  // What was being written before a reload is open again.
  const [at, setAt] = useState(() => linesOf(step).find((line) => drafts.of(draftName(line)) !== ''))
  // The focus stays with the step when the field that had it is gone.
  const close = () => {
    setAt(undefined)
    self.current?.focus({ preventScroll: true })
  }
  const [isRead, setRead] = useState(false)
  const [title, ...description] = linesOf(step)
  const own = comments.map((comment, index) => ({ comment, index })).filter(({ comment }) => comment.stepId === step.id)
  const theirs = said.filter(({ stepId }) => stepId === step.id)
  const shown = isBrief && !isRead ? [] : description
  const line = (text: string, isTitle: boolean) => (
    <div className="commentable" key={text}>
      <span className={isTitle ? 'step-title text' : 'text'}>{text}</span>
      {onComment && (
        <button
          type="button"
          className="button quiet say"
          aria-label={`Comment on: ${text.slice(0, 60)}`}
          onClick={() => setAt(text)}
        >
          <Icon name="comment" />
        </button>
      )}
    </div>
  )
  return (
    <div style={{ paddingInlineStart: depth * 22 }}>
      <div ref={self} className={depth === 0 ? 'tree-step top' : 'tree-step'} id={`step-${step.id}`} tabIndex={-1}>
        {hasChildren ? (
          <button
            type="button"
            className="toggle"
            aria-expanded={isOpen}
            aria-label={`${isOpen ? 'Close' : 'Open'} step ${step.id}`}
            onClick={onToggle}
          >
            <Icon name={isOpen ? 'down' : 'right'} />
          </button>
        ) : (
          <Mark shape={stepShape(step)} />
        )}
        {/* What Grove does itself has a name instead of a number, and the title says it. */}
        <span className="step-id">{/^\d/.test(step.id) && step.id}</span>
        {line(title!, true)}
        <span className="step-facts">
          <span className="hidden-label">{step.status.replaceAll('_', ' ')}. </span>
          {step.status === 'needs_review' && <span className="changed-tag">changed</span>}{' '}
          {stepFacts(step, step.ownedPaths.length > SHOWN_PATHS)}
          {isBrief && description.length > 0 && (
            <button type="button" className="link small" onClick={() => setRead(!isRead)}>
              {isRead ? 'less' : 'more'}
            </button>
          )}
        </span>
        {shown.length > 0 && <div className="step-lines">{shown.map((text) => line(text, false))}</div>}
        {step.metadata.summary && <p className="step-lines">Done: {step.metadata.summary}</p>}
        <StepMore step={step} />
      </div>
      {(own.length > 0 || theirs.length > 0 || at !== undefined) && (
        <div className="thread">
          {theirs.map(({ person, quote, text }) => (
            <div key={person + text}>
              <p className="small faint">
                {person}
                {quote && quote !== step.title && ` on “${quote.slice(0, 60)}”`}
              </p>
              <p className="text">{text}</p>
            </div>
          ))}
          {own.map(({ comment, index }) => (
            <div key={`${index}${comment.text}`} className="row">
              <div className="grow">
                <p className="small faint">
                  You · draft{comment.quote && comment.quote !== step.title && ` on “${comment.quote.slice(0, 60)}”`}
                </p>
                <p className="text">{comment.text}</p>
              </div>
              <Button look="quiet" icon="close" aria-label="Remove this comment" onClick={() => onRemove(index)} />
            </div>
          ))}
          {at !== undefined && at !== title && <p className="small faint">On “{at.slice(0, 60)}”</p>}
          {at !== undefined && onComment && (
            <CommentBox
              about={at}
              text={drafts.of(draftName(at))}
              onText={(text) => drafts.write(draftName(at), text)}
              onClose={close}
              onSay={(text) => {
                onComment({ stepId: step.id, quote: at, text })
                drafts.write(draftName(at), '')
                close()
              }}
            />
          )}
        </div>
      )}
    </div>
  )
}

function StepMore({ step: { criteria, ownedPaths } }: { step: PlanStep }) {
  if (criteria.length === 0 && ownedPaths.length === 0) return null
  return (
    <p className="step-lines small faint">
      {ownedPaths.slice(0, SHOWN_PATHS).map((path) => (
        <code key={path}>{path} </code>
      ))}
      {criteria.length > 0 && <span>serves: {criteria.join('; ')}</span>}
    </p>
  )
}

interface BoxProps {
  about: string
  text: string
  onText(text: string): void
  onSay(text: string): void
  onClose(): void
  /** To the line before or after, where a finger has met the wrong one. */
  onMove?(by: 1 | -1): void
}

/** As many letters as one comment may have. */
const MOST = 5_000

/** A box for a comment; Ctrl Enter adds it, Escape closes it and keeps what is written. */
export function CommentBox({ about, text, onText, onSay, onClose, onMove }: BoxProps) {
  const isReady = text.trim() !== '' && fits(text, MOST)
  return (
    <div className="stack">
      <textarea
        className="input"
        aria-label={`Comment on ${about.slice(0, 80)}`}
        placeholder="What should be different here?"
        value={text}
        // biome-ignore lint/a11y/noAutofocus: the person has just asked to write here
        autoFocus
        onChange={({ target }) => onText(target.value)}
        onKeyDown={(event) => {
          // What is pressed here is meant for this comment, not for the answers beside it.
          if (event.key === 'Escape') onClose()
          else if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          else if (isReady) onSay(text.trim())
          event.preventDefault()
        }}
      />
      <TooLong text={text} most={MOST} />
      <div className="row">
        <Button onClick={() => onSay(text.trim())} disabled={!isReady} keys="Ctrl Enter">
          Add comment
        </Button>
        <Button
          look="quiet"
          onClick={() => {
            onText('')
            onClose()
          }}
        >
          Cancel
        </Button>
        {onMove && (
          <span className="comment-other end">
            <Button look="quiet" icon="up" aria-label="The line before instead" onClick={() => onMove(-1)} />
            <Button look="quiet" icon="down" aria-label="The line after instead" onClick={() => onMove(1)} />
          </span>
        )}
      </div>
    </div>
  )
}
