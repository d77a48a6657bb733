import { useInfiniteQuery } from '@tanstack/react-query'
import type { SessionSnapshot } from '#protocol/api/sessions.ts'
import { call } from '../api/client.ts'
import { clock } from '../ui/format.ts'
import { Markdown } from '../ui/markdown.tsx'
import { useNow } from '../ui/now.ts'
import { Button, Skeleton } from '../ui/small.tsx'
import { useStored } from '../ui/stored.ts'
import { toast } from '../ui/toasts.ts'
import { Trouble } from '../ui/trouble.tsx'
import type { FeatureAction } from './use-feature.ts'
import { useLiveLines } from './use-output.ts'

const PAGE = 100

/** What was said between Claude and the people, and a place to say something in the middle of the work. */
export function Conversation({ snapshot, run }: { snapshot: SessionSnapshot; run: FeatureAction }) {
  const { summary, session, actions } = snapshot
  const params = { projectId: summary.projectId, featureId: summary.featureId }
  const { data, error, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['sessionRecords', 'output', { params }, 'talk'],
    queryFn: ({ pageParam }) =>
      call('sessionRecords', 'output', { params, query: { before: String(pageParam), view: 'talk', limit: PAGE } }),
    initialPageParam: Number.MAX_SAFE_INTEGER,
    getNextPageParam: ({ lines, first }) => (lines.length < PAGE ? undefined : first),
  })
  const live = useLiveLines(session.id)
  const [text, setText] = useStored(`grove.draft.message.${session.id}`, '')
  const now = useNow()
  const spoken = live.lines.filter(({ kind }) => kind === 'text' || kind === 'prompt')
  const known = new Map(
    [...(data?.pages.flatMap(({ lines }) => lines) ?? []), ...spoken].map((one) => [one.number, one]),
  )
  const said = [...known.values()].sort((a, b) => b.number - a.number)
  const mayTalk = actions.includes('message')
  const send = async () => {
    if (!text.trim()) return
    const done = await run('sessions', 'message', { text: text.trim() }, { label: 'Message to Claude' })
    if (done === 'done' || done === 'kept') setText(undefined)
    if (done === 'done')
      toast({
        tone: 'go',
        text: summary.executing
          ? 'Queued. Claude reads it after the tool that runs now.'
          : 'Sent. Claude reads it with its next turn.',
      })
  }
  return (
    <>
      {mayTalk && (
        <form
          className="say-box"
          onSubmit={(event) => {
            event.preventDefault()
            void send()
          }}
        >
          <textarea
            className="input"
            rows={1}
            aria-label="Say something to Claude"
            placeholder={
              summary.executing
                ? 'Say something; Claude reads it in the middle of its work'
                : 'Say something for the next turn'
            }
            value={text}
            onChange={({ target }) => setText(target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
              event.preventDefault()
              void send()
            }}
          />
          <Button type="submit" disabled={!text.trim()} keys="Ctrl Enter">
            {summary.executing ? 'Queue message' : 'Send'}
          </Button>
        </form>
      )}
      <div className="foot-body" tabIndex={0}>
        {error && <Trouble error={error} what="The conversation" />}
        {!data && !error && <Skeleton rows={3} />}
        {data && said.length === 0 && <p className="dim">Nothing was said yet.</p>}
        <ul className="talk">
          {said.map((line) => (
            <li key={line.number}>
              <p className="who">
                <b>
                  {line.kind === 'prompt' ? 'Grove, for you' : line.subagent ? `Claude’s ${line.subagent}` : 'Claude'}
                </b>{' '}
                {clock(Date.parse(line.at), now)}
              </p>
              {line.kind === 'prompt' ? (
                <details>
                  <summary className="text">{line.text.split('\n', 1)[0]}</summary>
                  <Markdown text={line.text} />
                </details>
              ) : (
                <Markdown text={line.text} />
              )}
            </li>
          ))}
        </ul>
        {hasNextPage && (
          <Button look="quiet" onClick={() => void fetchNextPage()}>
            Show earlier words
          </Button>
        )}
      </div>
    </>
  )
}
