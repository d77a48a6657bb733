import { useMemo, useRef, useState } from 'react'
import type { SessionSnapshot } from '#protocol/api/sessions.ts'
import { useAsk } from '../api/queries.ts'
import { plural } from '../ui/format.ts'
import { Button, Note, Path, Skeleton } from '../ui/small.tsx'
import { toast } from '../ui/toasts.ts'
import { Trouble } from '../ui/trouble.tsx'
import { plainly } from '../ui/visible-text.ts'
import { type DiffLine, type FileDiff, lineBeside, readPatch } from './derive-diff.ts'
import { CommentBox } from './plan-tree.tsx'
import { type LineDrafts, useComments, useLineDrafts } from './use-comments.ts'
import type { FeatureAction } from './use-feature.ts'

/** Shown at once: of one file, and of all together. */
const LINES = 400
const ALL_LINES = 1_500

/** What the session has changed, commented line by line; the comments become one change request. */
export function Changes({ snapshot, run }: { snapshot: SessionSnapshot; run: FeatureAction }) {
  const { summary, plan, session, actions } = snapshot
  const params = { projectId: summary.projectId, featureId: summary.featureId }
  const [step, setStep] = useState('')
  const [wanted, setWanted] = useState<string>()
  const { data, error, refetch } = useAsk(
    'sessionRecords',
    'diff',
    { params, query: step ? { step } : {} },
    { keep: true },
  )
  const [comments, setComments] = useComments(session.id, 'changes')
  const drafts = useLineDrafts(session.id, 'changes')
  const files = useMemo(() => (data ? readPatch(data.patch) : []), [data])
  const done = plan?.steps.filter(({ metadata }) => metadata.checkpoint) ?? []
  const asRequest = actions.includes('comment') && plan !== null
  const mayTalk = actions.includes('message')
  const send = async () => {
    const list = comments.map(({ quote, text }) => ({ ...(quote && { quote }), text }))
    const sent = asRequest
      ? await run('sessionPlans', 'comment', { planHash: plan.hash, comments: list }, { label: 'Change request' })
      : await run(
          'sessions',
          'message',
          { text: list.map(({ quote, text }) => `About ${quote}:\n${text}`).join('\n\n') },
          { label: 'Comments to Claude' },
        )
    if (sent !== 'done' && sent !== 'kept') return
    setComments(undefined)
    if (sent === 'done')
      toast({
        tone: 'go',
        text: asRequest ? 'Sent as one change request.' : 'Sent. Claude reads it in the middle of its work.',
      })
  }
  if (error) return <Trouble error={error} what="The changes" onRetry={() => void refetch()} />
  if (!data) return <Skeleton rows={4} />
  return (
    <div className="stack-2">
      <div className="row">
        <span className="grow dim">
          {plural(data.files.length, 'file')}, +{data.files.reduce((sum, { added }) => sum + added, 0)} −
          {data.files.reduce((sum, { removed }) => sum + removed, 0)}
        </span>
        {done.length > 0 && (
          <label className="row small">
            Since
            <select
              className="input"
              style={{ width: 'auto', maxWidth: 'min(100%, 240px)' }}
              value={step}
              onChange={({ target }) => setStep(target.value)}
            >
              <option value="">the beginning</option>
              {done.map(({ id, title }) => (
                <option key={id} value={id}>
                  step {id} {title.slice(0, 40)}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      {comments.length > 0 && (
        <Note>
          <span className="grow">{plural(comments.length, 'comment')} that Claude has not seen yet.</span>
          <Button look="quiet" onClick={() => setComments(undefined)}>
            Throw away
          </Button>
          <Button disabled={!asRequest && !mayTalk} onClick={() => void send()}>
            {asRequest
              ? `Send ${plural(comments.length, 'comment')} as one change request`
              : `Tell Claude now (${plural(comments.length, 'comment')})`}
          </Button>
        </Note>
      )}
      {data.truncated && <Note>The diff is too large to show whole; git has the rest.</Note>}
      {data.files.length === 0 && <p className="dim">Nothing has been changed yet.</p>}
      <ul className="files-list dense">
        {data.files.length > 3 &&
          data.files.map(({ path, added, removed, status, binary }) => (
            <li key={path}>
              <a href={`#file-${encodeURIComponent(path)}`} onClick={() => setWanted(path)}>
                <Path path={path} />
              </a>
              <span className="faint num">
                {status !== 'modified' && `${status} `}
                {binary ? 'binary' : `+${added} −${removed}`}
              </span>
            </li>
          ))}
      </ul>
      {roomFor(files).map(({ file, room }) => (
        <File
          key={file.path}
          file={file}
          first={file.path === wanted ? LINES : room}
          drafts={drafts}
          comments={comments.filter(({ quote }) => quote?.startsWith(`${file.path}:`))}
          onSay={asRequest || mayTalk ? (quote, text) => setComments([...comments, { quote, text }]) : undefined}
        />
      ))}
    </div>
  )
}

/** The first files are open, as far as the page stays light; the others open when they are wanted. */
function roomFor(files: FileDiff[]): { file: FileDiff; room: number }[] {
  let left = ALL_LINES
  return files.map((file) => {
    const room = Math.min(LINES, left)
    left = Math.max(0, left - Math.min(LINES, file.lines.length))
    return { file, room }
  })
}

interface FileProps {
  file: FileDiff
  /** How many of its lines are shown at first. */
  first: number
  drafts: LineDrafts
  comments: { quote?: string; text: string }[]
  onSay: ((quote: string, text: string) => void) | undefined
}

function File({ file, first, drafts, comments, onSay }: FileProps) {
  const quoteOf = ({ line, text }: DiffLine) => `${file.path}:${line ?? ''} ${text.trim().slice(0, 200)}`
  // What was being written before a reload is open again.
  const [at, setAt] = useState(() => file.lines.findIndex((line) => drafts.of(quoteOf(line)) !== ''))
  const [more, setMore] = useState(0)
  const shown = Math.max(first, at + 1) + more
  /** To the line beside, with what is written. */
  const move = (from: number, by: 1 | -1) => {
    const to = lineBeside(file.lines, from, by)
    if (to === undefined) return
    const [was, is] = [quoteOf(file.lines[from]!), quoteOf(file.lines[to]!)]
    const text = drafts.of(was)
    drafts.write(was, '')
    if (text) drafts.write(is, text)
    setAt(to)
  }
  const code = useRef<HTMLElement>(null)
  // The focus goes back to the line when the field that had it is gone.
  const close = (index: number) => {
    setAt(-1)
    code.current?.children[index]?.querySelector('button')?.focus({ preventScroll: true })
  }
  return (
    <div className="diff" id={`file-${file.path}`}>
      <div className="diff-file">
        <span className="grow cut">
          <Path path={file.path} />
        </span>
        <span className="num">{file.isBinary ? 'binary' : `+${file.added} −${file.removed}`}</span>
      </div>
      <section ref={code} className="diff-code" tabIndex={0} aria-label={`Changes in ${file.path}`}>
        {file.lines.slice(0, shown).map((line, index) => {
          const said = line.type === 'hunk' ? [] : comments.filter(({ quote }) => quote === quoteOf(line))
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of a diff have no other name
            <div key={index}>
              <div className={`diff-line ${line.type}${at === index ? ' commented' : ''}`}>
                <span className="at">
                  {line.line !== undefined &&
                    (onSay ? (
                      <button type="button" aria-label={`Comment on line ${line.line}`} onClick={() => setAt(index)}>
                        {line.line}
                      </button>
                    ) : (
                      line.line
                    ))}
                </span>
                <span aria-hidden="true">{{ added: '+', removed: '−', context: ' ', hunk: '⋯' }[line.type]}</span>
                <span>{plainly(line.text) || ' '}</span>
              </div>
              {said.map(({ text }) => (
                <div className="diff-comment" key={text}>
                  <p className="small faint">You · draft</p>
                  <p className="text">{text}</p>
                </div>
              ))}
              {at === index && onSay && line.line !== undefined && (
                <div className="diff-comment">
                  <CommentBox
                    about={quoteOf(line)}
                    text={drafts.of(quoteOf(line))}
                    onText={(text) => drafts.write(quoteOf(line), text)}
                    onClose={() => close(index)}
                    onMove={(by) => move(index, by)}
                    onSay={(text) => {
                      onSay(quoteOf(line), text)
                      drafts.write(quoteOf(line), '')
                      close(index)
                    }}
                  />
                </div>
              )}
            </div>
          )
        })}
      </section>
      {file.lines.length > shown && (
        <Button look="quiet" onClick={() => setMore(more + 2_000)}>
          Show {plural(Math.min(2_000, file.lines.length - shown), 'line')}
        </Button>
      )}
    </div>
  )
}
