import { useQueries } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import type { SessionSnapshot } from '#protocol/api/sessions.ts'
import type { OutputLine } from '#protocol/workflow/output.ts'
import { linesWith, plainLine } from '#protocol/workflow/output-text.ts'
import { call } from '../api/client.ts'
import { useAsk } from '../api/queries.ts'
import { useKeys } from '../shell/keys.ts'
import { copyText } from '../ui/copy.ts'
import { plural } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { Button, Marked } from '../ui/small.tsx'
import { toast } from '../ui/toasts.ts'
import { isStillShown, Trouble } from '../ui/trouble.tsx'
import { plainly } from '../ui/visible-text.ts'
import { lineClass, PAGE, pagesOf } from './derive-output.ts'
import { useLiveLines } from './use-output.ts'

const LONGEST = 4_000

/** Everything that Claude did and said, line by line. Only what is in sight is there; pages are read as they come into view. */
export function Output({ snapshot: { summary, session } }: { snapshot: SessionSnapshot }) {
  const params = { projectId: summary.projectId, featureId: summary.featureId }
  const newest = useAsk('sessionRecords', 'output', {
    params,
    query: { before: String(Number.MAX_SAFE_INTEGER), view: 'raw', limit: 1 },
  })
  const trouble = newest.error && !isStillShown(newest.error, newest.data) ? newest.error : undefined
  const live = useLiveLines(session.id)
  const total = Math.max(newest.data?.last ?? 0, live.last)
  const box = useRef<HTMLDivElement>(null)
  const [isFollowing, setFollowing] = useState(true)
  const [search, setSearch] = useState('')
  const hits = useSearch(params, search, live.lines)
  const [at, setAt] = useState(0)

  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => box.current,
    estimateSize: () => 19,
    overscan: 30,
  })
  const items = virtual.getVirtualItems()
  const known = new Map(live.lines.map((line) => [line.number, line]))
  const pages = pagesOf(items.map(({ index }) => index + 1).filter((number) => !known.has(number)))
  const read = useQueries({
    queries: pages.map((page) => ({
      queryKey: ['output-page', params, page],
      queryFn: () => pageOf(params, page),
      // The last page grows; what is missing of it comes over the socket.
      staleTime: (page + 1) * PAGE <= total ? Number.POSITIVE_INFINITY : 5_000,
      gcTime: 15_000,
    })),
  })
  for (const { data } of read) for (const line of data ?? []) known.set(line.number, line)

  // Lines grow when their words come, so the end moves without a new line.
  const height = virtual.getTotalSize()
  useEffect(() => {
    if (isFollowing && height > 0) virtual.scrollToIndex(total - 1, { align: 'end' })
  }, [isFollowing, total, height, virtual])
  const goTo = (next: number) => {
    const number = hits.found[next]
    if (number === undefined) return
    setFollowing(false)
    setAt(next)
    virtual.scrollToIndex(number - 1, { align: 'center' })
  }
  const field = useRef<HTMLInputElement>(null)
  useKeys('Output', {
    '/': ['search the output', () => field.current?.focus()],
    n: ['next hit', () => goTo((at + 1) % Math.max(1, hits.found.length))],
    'Shift+n': ['hit before', () => goTo((at - 1 + hits.found.length) % Math.max(1, hits.found.length))],
    'Shift+g': ['to the end', () => setFollowing(true)],
  })
  const copy = async () => {
    const text = await wholeText(params, total).catch(() => undefined)
    if (text === undefined) toast({ tone: 'wrong', text: 'Not copied: not all lines could be read.' })
    else if (await copyText(text)) toast({ tone: 'go', text: `${plural(total, 'line')} copied.` })
  }
  return (
    <>
      <div className="foot-tabs">
        <div className="search">
          <Icon name="search" />
          <input
            ref={field}
            className="input"
            type="search"
            aria-label="Search the output"
            placeholder="Search"
            value={search}
            onChange={({ target }) => {
              setSearch(target.value)
              setAt(0)
            }}
            onKeyDown={({ key, currentTarget }) => {
              if (key === 'Enter') goTo(hits.found.length === 0 ? 0 : (at + 1) % hits.found.length)
              else if (key === 'Escape' && search === '') currentTarget.blur()
            }}
          />
        </div>
        {search && (
          <span className="small faint num">{plural(hits.found.length, 'hit') + (hits.isDone ? '' : ' so far')}</span>
        )}
        <span className="grow" />
        <span className="small faint num wide-only">{plural(total, 'line')}</span>
        <label className="tick small">
          <input type="checkbox" checked={isFollowing} onChange={({ target }) => setFollowing(target.checked)} /> Follow
        </label>
        <Button look="quiet" icon="copy" onClick={() => void copy()}>
          Copy all
        </Button>
      </div>
      <section
        className="output"
        ref={box}
        tabIndex={0}
        aria-label="Output"
        onWheel={({ deltaY }) => deltaY < 0 && setFollowing(false)}
        onPointerDown={() => setFollowing(false)}
        onKeyDown={({ key }) => {
          if (key === 'End') setFollowing(true)
          else if (['ArrowUp', 'PageUp', 'Home'].includes(key)) setFollowing(false)
        }}
      >
        {trouble ? (
          <Trouble error={trouble} what="The output" onRetry={() => void newest.refetch()} />
        ) : (
          total === 0 && !newest.isPending && <p className="faint">Nothing yet.</p>
        )}
        <div style={{ height, position: 'relative' }}>
          {items.map(({ index, start, key }) => {
            const line = known.get(index + 1)
            const isHit = hits.found[at] === index + 1 && search !== ''
            return (
              <div
                key={key}
                data-index={index}
                ref={virtual.measureElement}
                className={`output-line ${line ? lineClass(line) : ''} ${isHit ? 'found' : ''}`}
                style={{ transform: `translateY(${start}px)` }}
              >
                <span className="nr">{index + 1}</span>
                <span dir="auto">
                  {line ? (
                    <Marked
                      text={plainly(plainLine(line).slice(0, LONGEST))}
                      words={search.length > 1 ? [search] : []}
                    />
                  ) : (
                    '…'
                  )}
                </span>
              </div>
            )
          })}
        </div>
      </section>
    </>
  )
}

interface Where {
  projectId: string
  featureId: string
}

async function pageOf(params: Where, page: number): Promise<OutputLine[]> {
  const { lines } = await call('sessionRecords', 'output', {
    params,
    query: { after: page * PAGE, view: 'raw', limit: PAGE },
  })
  return lines
}

/** The server looks through all lines; those that came since are looked through here. */
function useSearch(params: Where, search: string, live: OutputLine[]): { found: number[]; isDone: boolean } {
  const words = useLater(search.trim(), 200)
  const isAsked = words.length > 1
  const { data, isFetching, refetch } = useAsk(
    'sessionRecords',
    'found',
    { params, query: { words } },
    { enabled: isAsked },
  )
  const isBehind = data !== undefined && (live[0]?.number ?? 0) > data.last + 1
  useEffect(() => {
    if (isBehind) void refetch()
  }, [isBehind, refetch])
  if (!isAsked) return { found: [], isDone: true }
  const since = live.filter(({ number }) => number > (data?.last ?? Number.POSITIVE_INFINITY))
  return {
    found: [...(data?.numbers ?? []), ...linesWith(since, words)],
    isDone: !isFetching && words === search.trim(),
  }
}

/** A value once it has rested. */
function useLater<T>(value: T, ms: number): T {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return rested
}

async function wholeText(params: Where, total: number): Promise<string> {
  const parts: string[] = []
  for (let page = 0; page * PAGE < total; page++) parts.push((await pageOf(params, page)).map(plainLine).join('\n'))
  return parts.join('\n')
}
