import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useAsk } from '../api/queries.ts'
import { takeLateClick, useKeys } from '../shell/keys.ts'
import { ago, plural } from '../ui/format.ts'
import { useNow } from '../ui/now.ts'
import { Segments } from '../ui/segments.tsx'
import { Button, Command, Skeleton } from '../ui/small.tsx'
import { useTitle } from '../ui/title.ts'
import { Trouble } from '../ui/trouble.tsx'
import { WindowList, type WindowListHandle } from '../ui/window-list.tsx'
import { Answered, KeysHere, Running, WorkingFeatures } from './aside.tsx'
import type { InboxItem } from './derive-inbox.ts'
import { Item } from './item.tsx'
import { useReplaced } from './replaced.ts'
import { useInbox } from './use-inbox.ts'
import './inbox.css'

type Filter = 'all' | 'stops' | 'snoozed'
const NOTHING: InboxItem[] = []

export default function Inbox() {
  const inbox = useInbox()
  const now = useNow()
  const [filter, setFilter] = useState<Filter>('all')
  const [chosen, setChosen] = useState<string>()
  const list = useRef<WindowListHandle>(null)
  const [told, setTold] = useState('')
  const [, go] = useLocation()
  useTitle('Inbox')

  const { open, resting } = inbox
  const stops = open.filter(({ stopsWork }) => stopsWork)
  // Before everything was read, what came first would be opened instead of what is first.
  const shown = inbox.isLoading ? NOTHING : filter === 'snoozed' ? resting : filter === 'stops' ? stops : open
  const lastAt = useRef(0)
  const found = shown.findIndex(({ id }) => id === chosen)
  // After what is gone comes what stood below it.
  const at = found >= 0 ? found : Math.max(0, Math.min(lastAt.current, shown.length - 1))
  const current = shown[at]
  // A phone opens as a list: the answer is what a tap opens. Elsewhere the first one is open from the start.
  const isNarrow = useIsNarrow()
  const openId = isNarrow ? chosen : current?.id
  useReplaced(
    [...open, ...resting].map(({ id }) => id),
    openId,
  )
  // What is open stays open when something else comes before it.
  useEffect(() => {
    lastAt.current = at
    if (!isNarrow && openId !== undefined) setChosen(openId)
  }, [at, isNarrow, openId])

  // What is opened closes what stood above it: a clicked item stays under the pointer, one that a key chose comes into sight.
  const opened = useRef<{ index: number; top?: number }>(undefined)
  useLayoutEffect(() => {
    const last = opened.current
    opened.current = undefined
    if (!last) return
    if (last.top === undefined) return list.current?.show(last.index)
    const now = list.current?.topOf(last.index)
    if (now === undefined) return
    // The browser keeps something in place, too: together it would be twice.
    const page = document.documentElement
    page.style.overflowAnchor = 'none'
    window.scrollBy(0, now - last.top)
    requestAnimationFrame(() => requestAnimationFrame(() => page.style.removeProperty('overflow-anchor')))
  })

  const move = (step: number) => {
    const to = Math.min(shown.length - 1, Math.max(0, at + step))
    const next = shown[to]
    if (!next) return
    setChosen(next.id)
    opened.current = { index: to }
    setTold(`${to + 1} of ${shown.length}: ${next.kind}, ${next.title}`)
  }
  useKeys('Inbox', {
    j: ['next', () => move(1)],
    k: ['previous', () => move(-1)],
    ArrowDown: ['next', () => move(1)],
    ArrowUp: ['previous', () => move(-1)],
    s: ['snooze for an hour', () => current && snooze(current)],
    o: ['open the feature or agent', () => current?.href && go(current.href)],
  })
  const snooze = (item: InboxItem) => inbox.snooze(item.id, filter === 'snoozed' ? undefined : now + 3_600_000)

  return (
    <div className="page">
      <header className="page-head">
        <div className="grow">
          <h1>Inbox</h1>
          <p className="about">{(!inbox.isLoading && summary(open, now)) || '\u00a0'}</p>
        </div>
        {!inbox.isLoading && (open.length > 0 || resting.length > 0 || filter !== 'all') && (
          <Segments
            label="Which ones"
            value={filter}
            onChoose={setFilter}
            choices={[
              { value: 'all', label: 'All', count: open.length },
              { value: 'stops', label: 'Stops work', count: stops.length },
              { value: 'snoozed', label: 'Snoozed', count: resting.length },
            ]}
          />
        )}
      </header>
      <div className="split">
        <div onClickCapture={takeLateClick}>
          {/* The keys move what is open, not the focus: Enter stays the answer. */}
          <p className="hidden-label" aria-live="polite">
            {told}
          </p>
          {inbox.error && <Trouble error={inbox.error} what="The inbox" />}
          {inbox.isLoading ? (
            <Skeleton rows={4} />
          ) : shown.length === 0 ? (
            !inbox.error && <Empty filter={filter} />
          ) : (
            <WindowList
              label="What waits for you"
              className="inbox"
              handle={list}
              count={shown.length}
              keyOf={(index) => shown[index]!.id}
              estimate={() => 96}
              kept={openId === undefined ? -1 : shown.findIndex(({ id }) => id === openId)}
              render={(index) => {
                const item = shown[index]!
                return (
                  <Item
                    item={item}
                    isOpen={item.id === openId}
                    onOpen={() => {
                      const top = list.current?.topOf(index)
                      if (top !== undefined) opened.current = { index, top }
                      setChosen(item.id === openId && isNarrow ? undefined : item.id)
                    }}
                    snooze={
                      <Button look="quiet" onClick={() => snooze(item)} keys="s">
                        {filter === 'snoozed' ? 'Bring back' : 'Snooze for an hour'}
                      </Button>
                    }
                  />
                )
              }}
            />
          )}
        </div>
        <aside className="stack-3 beside">
          <Running />
          <Answered />
          <KeysHere />
        </aside>
      </div>
    </div>
  )
}

function summary(items: InboxItem[], now: number): string {
  const waiting = items.filter(({ tone }) => tone !== 'rest')
  const notices = items.length - waiting.length
  if (waiting.length === 0) return notices > 0 ? plural(notices, 'notice') : ''
  const oldest = Math.min(...waiting.map(({ at }) => at))
  const since = ago(oldest, now)
  const how = since === 'now' ? '' : `, the oldest for ${since}`
  const more = notices > 0 ? ` · ${plural(notices, 'notice')}` : ''
  return `${plural(waiting.length, 'thing waits', 'things wait')} for you${how}${more}`
}

function Empty({ filter }: { filter: Filter }) {
  const words = {
    all: ['Nothing waits for you.', 'When an agent needs you, it shows up here and in the title of this tab.'],
    stops: ['Nothing stands still.', 'No agent or feature waits for an answer.'],
    snoozed: ['Nothing is snoozed.', 'What you snooze comes back by itself after an hour.'],
  }[filter]
  return (
    <div className="empty">
      <h2>{words[0]}</h2>
      <p>{words[1]}</p>
      {filter === 'all' && <WorkingFeatures />}
      {filter === 'all' && <Beginning />}
    </div>
  )
}

/** Where nothing runs and nothing ever ran: how to begin. */
function Beginning() {
  const agents = useAsk('agents', 'list', {}).data?.agents
  const features = useAsk('sessions', 'list', { query: { filter: 'all', limit: 500 } }).data
  if (!agents || !features || agents.length > 0 || features.total > 0) return null
  return (
    <section className="working stack">
      <h3>To begin</h3>
      <p>Start Claude Code with Grove in one of your projects:</p>
      <Command text="grove claude" />
      <p>
        Or <Link href="/features/new">describe a feature</Link>: Claude plans it, you approve the plan, and it goes up
        to a pull request.
      </p>
    </section>
  )
}

function useIsNarrow(): boolean {
  const query = '(max-width: 640px)'
  const [is, set] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const media = matchMedia(query)
    const onChange = () => set(media.matches)
    media.addEventListener('change', onChange)
    return () => media.removeEventListener('change', onChange)
  }, [])
  return is
}
