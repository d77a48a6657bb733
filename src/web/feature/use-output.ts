import { useCallback, useSyncExternalStore } from 'react'
import type { OutputLine } from '#protocol/workflow/output.ts'

/** Lines that came over the socket since the page was opened; the rest is read in pages. */

interface Tail {
  lines: OutputLine[]
  /** The number of the newest line. */
  last: number
}

/** How many lines are kept of a session that is looked at, and of one that is not. */
const MOST = { seen: 2_000, unseen: 50 }
const GATHER_MS = 50
const EMPTY: Tail = { lines: [], last: 0 }
const tails = new Map<string, Tail>()
const pending = new Map<string, OutputLine[]>()
const watchers = new Map<string, Set<() => void>>()

/** Notes a line of a feature session. Lines are gathered by time, not by frame: a tab in the background draws none. */
export function noteOutput(sessionId: string, line: OutputLine): void {
  if (pending.size === 0) setTimeout(settle, GATHER_MS)
  const waiting = pending.get(sessionId)
  if (waiting) waiting.push(line)
  else pending.set(sessionId, [line])
}

function settle(): void {
  for (const [sessionId, lines] of pending) {
    const own = watchers.get(sessionId)
    tails.set(sessionId, appended(tails.get(sessionId) ?? EMPTY, lines, own ? MOST.seen : MOST.unseen))
    for (const watcher of own ?? []) watcher()
  }
  pending.clear()
}

/** A line that comes twice counts once; of all of them only the newest are kept. */
export function appended({ lines, last }: Tail, more: OutputLine[], most = MOST.seen): Tail {
  const fresh = more.filter(({ number }) => number > last)
  return { lines: [...lines, ...fresh].slice(-most), last: fresh.at(-1)?.number ?? last }
}

export function useLiveLines(sessionId: string): Tail {
  const watch = useCallback(
    (watcher: () => void) => {
      const own = watchers.get(sessionId) ?? new Set()
      watchers.set(sessionId, own.add(watcher))
      return () => {
        own.delete(watcher)
        if (own.size > 0) return
        watchers.delete(sessionId)
        const tail = tails.get(sessionId)
        if (tail) tails.set(sessionId, appended(tail, [], MOST.unseen))
      }
    },
    [sessionId],
  )
  return useSyncExternalStore(watch, () => tails.get(sessionId) ?? EMPTY)
}
