import { useSyncExternalStore } from 'react'
import type { OutputLine } from '#protocol/workflow/output.ts'

/** Lines that came over the socket since the page was opened; the rest is read in pages. */

interface Tail {
  lines: OutputLine[]
  /** The number of the newest line. */
  last: number
}

const MOST = 2_000
const EMPTY: Tail = { lines: [], last: 0 }
const tails = new Map<string, Tail>()
const pending = new Map<string, OutputLine[]>()
const watchers = new Set<() => void>()

/** Notes a line of a feature session. Lines are gathered and told once a frame, however fast they come. */
export function noteOutput(sessionId: string, line: OutputLine): void {
  if (pending.size === 0) requestAnimationFrame(settle)
  const waiting = pending.get(sessionId)
  if (waiting) waiting.push(line)
  else pending.set(sessionId, [line])
}

function settle(): void {
  for (const [sessionId, lines] of pending) tails.set(sessionId, appended(tails.get(sessionId) ?? EMPTY, lines))
  pending.clear()
  for (const watcher of watchers) watcher()
}

/** A line that comes twice counts once; of all of them only the newest are kept. */
export function appended({ lines, last }: Tail, more: OutputLine[]): Tail {
  const fresh = more.filter(({ number }) => number > last)
  return { lines: [...lines, ...fresh].slice(-MOST), last: fresh.at(-1)?.number ?? last }
}

export function useLiveLines(sessionId: string): Tail {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => tails.get(sessionId) ?? EMPTY,
  )
}
