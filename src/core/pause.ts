/** What a pause holds for: one agent session, one project, or everything. */
export type PauseScope = { type: 'session'; id: string } | { type: 'project'; id: string } | { type: 'all' }

export interface Pause {
  at: number
  /** Absent when it lasts until a person ends it. */
  until?: number
  /** Agent sessions that were seen while it held, so that one that changes its folder stays paused. */
  sessions: string[]
}

/** Every pause of a home, by scope. One value, so that an event that meets no pause costs one look. */
export interface PauseBook {
  pauses: Record<string, Pause>
  /** Sessions that were paused and go on: what their transcripts hold so far is not read any more. */
  unread: string[]
}

export const NO_PAUSES: PauseBook = { pauses: {}, unread: [] }

const MOST_SESSIONS = 500
/** Nothing of a session that was paused longer ago can be resumed. */
const FORGOTTEN_MS = 40 * 86_400_000

const ALL = 'all'
const SESSION = 'session '
const PROJECT = 'project '

export function pauseKey(scope: PauseScope): string {
  return scope.type === 'all' ? ALL : `${scope.type} ${scope.id}`
}

export function scopeOf(key: string): PauseScope {
  if (key.startsWith(SESSION)) return { type: 'session', id: key.slice(SESSION.length) }
  return key.startsWith(PROJECT) ? { type: 'project', id: key.slice(PROJECT.length) } : { type: 'all' }
}

export function isOver({ until }: Pause, now: number): boolean {
  return until !== undefined && until <= now
}

/** The pauses, also those that are over, that hold for a session wherever it works. */
export function keysOfSession({ pauses }: PauseBook, sessionId: string): string[] {
  return Object.entries(pauses).flatMap(([key, { sessions }]) =>
    key === ALL || key === SESSION + sessionId || sessions.includes(sessionId) ? [key] : [],
  )
}

/** Whether it matters in which project a session works. */
export function hasProjectPause({ pauses }: PauseBook): boolean {
  return Object.keys(pauses).some((key) => key.startsWith(PROJECT))
}

export function isPausedBy({ pauses }: PauseBook, keys: readonly string[], now: number): boolean {
  return keys.some((key) => pauses[key] !== undefined && !isOver(pauses[key], now))
}

export function withPause(book: PauseBook, scope: PauseScope, { at, until }: Omit<Pause, 'sessions'>): PauseBook {
  const kept = withoutPauses(book, forgottenIn(book, at))
  const key = pauseKey(scope)
  const before = kept.pauses[key]?.sessions ?? []
  const sessions = scope.type === 'session' ? [scope.id] : before
  return { ...kept, pauses: { ...kept.pauses, [key]: { at, ...(until !== undefined && { until }), sessions } } }
}

function forgottenIn({ pauses }: PauseBook, now: number): string[] {
  return Object.entries(pauses).flatMap(([key, pause]) =>
    isOver(pause, now) || (key.startsWith(SESSION) && now - pause.at > FORGOTTEN_MS) ? [key] : [],
  )
}

/** Without these pauses: their sessions go on, from here. */
export function withoutPauses({ pauses, unread }: PauseBook, ended: readonly string[]): PauseBook {
  const seen = ended.flatMap((key) => pauses[key]?.sessions ?? [])
  return {
    pauses: Object.fromEntries(Object.entries(pauses).filter(([key]) => !ended.includes(key))),
    unread: [...new Set([...unread, ...seen])].slice(-MOST_SESSIONS),
  }
}

/** Notes that a session was met by these pauses. */
export function withPausedSession(
  { pauses, unread }: PauseBook,
  keys: readonly string[],
  sessionId: string,
): PauseBook {
  const noted = Object.entries(pauses).map(([key, pause]): [string, Pause] => {
    if (!keys.includes(key) || pause.sessions.includes(sessionId)) return [key, pause]
    return [key, { ...pause, sessions: [...pause.sessions, sessionId].slice(-MOST_SESSIONS) }]
  })
  return { pauses: Object.fromEntries(noted), unread }
}

export function withoutUnread({ pauses, unread }: PauseBook, sessionId: string): PauseBook {
  return { pauses, unread: unread.filter((id) => id !== sessionId) }
}
