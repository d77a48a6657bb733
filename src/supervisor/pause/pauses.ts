import {
  hasProjectPause,
  isOver,
  isPausedBy,
  keysOfSession,
  NO_PAUSES,
  type Pause,
  type PauseBook,
  type PauseScope,
  pauseKey,
  scopeOf,
  withoutPauses,
  withoutUnread,
  withPause,
  withPausedSession,
} from '#core/pause.ts'
import type { Clock } from '#core/ports/runtime.ts'
import type { StateStore } from '#core/ports/state.ts'
import { SLOTS } from '../state-slots.ts'

interface Needs {
  states: StateStore
  clock: Clock
  projectAt(cwd: string): Promise<{ id: string }>
}

/** An agent session, and how to find out where it works if that matters. */
export interface PausedWho {
  sessionId: string | undefined
  cwd(): string | undefined
}

export interface ListedPause extends Omit<Pause, 'sessions'> {
  scope: PauseScope
}

/** Whether Grove is switched off for now, decided here for hooks, proxy, MCP tools and the team. */
export interface Pauses {
  /** Every request asks twice, so what another process has changed is seen within moments only. */
  isPaused(who: PausedWho): Promise<boolean>
  /** True where a moment ago nothing at all was paused, which is nearly always, and then there is nothing to ask. */
  isNothingPaused(): boolean
  /** As `isPaused`, for a hook event. Also removes pauses whose time is over: the first event after it gets `ended`, once. */
  atHook(who: PausedWho): Promise<'paused' | 'ended' | 'working'>
  isProjectPaused(projectId: string): Promise<boolean>
  /** Whether the session goes on after a pause. True once: what its transcript has gained meanwhile is skipped. */
  takeUnread(sessionId: string): Promise<boolean>
  /** The pauses that hold now. */
  list(): Promise<ListedPause[]>
  pause(scope: PauseScope, until: number | undefined): Promise<void>
  /** Ends the pauses of these scopes, or all; answers with those that held. */
  resume(scopes?: readonly PauseScope[]): Promise<ListedPause[]>
}

const KEY = 'all'
/** No person notices so little time between a command in one process and its effect in another. */
const RECENT_MS = 20

export function pausesIn({ states, clock, projectAt }: Needs): Pauses {
  const slot = SLOTS.pauses
  // Every event asks, and mostly there has never been a pause: one look at what is kept in memory.
  const look = async () => (await states.get(slot, KEY)) ?? NO_PAUSES
  let recent: { book: Promise<PauseBook>; isEmpty: boolean; at: number } | undefined
  const isRecent = ({ at }: { at: number }) => Math.abs(clock.now() - at) <= RECENT_MS
  const lookRecently = () => {
    if (recent && isRecent(recent)) return recent.book
    const looked = { book: look(), isEmpty: false, at: clock.now() }
    recent = looked
    void looked.book.then(
      ({ pauses }) => {
        looked.isEmpty = Object.keys(pauses).length === 0
      },
      () => undefined, // the caller awaits `book` itself and gets the rejection
    )
    return looked.book
  }
  const change = async (to: (before: PauseBook) => PauseBook) => {
    const changed = await states.update(slot, KEY, clock.now(), (before) => to(before ?? NO_PAUSES))
    recent = undefined
    return changed
  }

  async function keysFor(book: PauseBook, { sessionId, cwd }: PausedWho): Promise<string[]> {
    const keys = keysOfSession(book, sessionId ?? '')
    if (isPausedBy(book, keys, clock.now()) || !hasProjectPause(book)) return keys
    const folder = cwd()
    return folder === undefined ? keys : [...keys, pauseKey({ type: 'project', id: (await projectAt(folder)).id })]
  }

  async function met(book: PauseBook, keys: string[], sessionId: string | undefined): Promise<boolean> {
    if (!isPausedBy(book, keys, clock.now())) return false
    const isNew = keys.some((key) => book.pauses[key] && !book.pauses[key].sessions.includes(sessionId ?? ''))
    if (sessionId && isNew) await change((before) => withPausedSession(before, keys, sessionId))
    return true
  }

  return {
    async isPaused(who) {
      const book = await lookRecently()
      return Object.keys(book.pauses).length > 0 && met(book, await keysFor(book, who), who.sessionId)
    },
    isNothingPaused: () => recent?.isEmpty === true && isRecent(recent),
    async atHook(who) {
      const book = await look()
      if (Object.keys(book.pauses).length === 0) return 'working'
      const keys = await keysFor(book, who)
      if (await met(book, keys, who.sessionId)) return 'paused'
      if (!keys.some((key) => book.pauses[key])) return 'working'
      let ended = false
      await change((before) => {
        const over = keys.filter((key) => before.pauses[key] && isOver(before.pauses[key], clock.now()))
        ended = over.length > 0
        return withoutPauses(before, over)
      })
      return ended ? 'ended' : 'working'
    },
    async isProjectPaused(projectId) {
      const keys = [pauseKey({ type: 'all' }), pauseKey({ type: 'project', id: projectId })]
      return isPausedBy(await look(), keys, clock.now())
    },
    async takeUnread(sessionId) {
      if (!(await look()).unread.includes(sessionId)) return false
      await change((before) => withoutUnread(before, sessionId))
      return true
    },
    list: async () => listed(await look(), clock.now()),
    async pause(scope, until) {
      await change((before) => withPause(before, scope, { at: clock.now(), ...(until !== undefined && { until }) }))
    },
    async resume(scopes) {
      const book = await look()
      const keys = scopes?.map(pauseKey) ?? Object.keys(book.pauses)
      await change((before) => withoutPauses(before, keys))
      return listed(book, clock.now()).filter(({ scope }) => keys.includes(pauseKey(scope)))
    },
  }
}

function listed({ pauses }: PauseBook, now: number): ListedPause[] {
  return Object.entries(pauses).flatMap(([key, pause]) => {
    if (isOver(pause, now)) return []
    const { sessions: _seen, ...rest } = pause
    return { scope: scopeOf(key), ...rest }
  })
}
