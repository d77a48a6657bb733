import type { PullMark, PullPage, SharedItem, TeamProject } from '../memory/sync.ts'

/** The team's database, when it can be reached. Every call may be repeated without harm. */
export interface TeamDatabase {
  /** One look at all of them, so that a round without news costs one question. */
  survey(projectIds: string[]): Promise<Map<string, TeamProject>>
  /** One transaction: all of them or none. */
  push(projectId: string, items: SharedItem[]): Promise<void>
  pull(kind: string, projectId: string, after: PullMark | undefined, limit: number): Promise<PullPage>
  close(): Promise<void>
}

/** The local side: what waits to be sent, and where what arrives is put. */
export interface SharingStore {
  /** Projects with something to send, and how much. */
  waiting(): Promise<{ projectId: string; items: number }[]>
  /** The oldest of what waits, as it is now. */
  outgoing(projectId: string, limit: number): Promise<SharedItem[]>
  /** The team has these versions; what has changed since stays in line. */
  sent(items: SharedItem[]): Promise<void>
  /** Everything of the project is sent again: after joining, or when the team's database has lost something. */
  resend(projectId: string): Promise<void>
  mark(kind: string, projectId: string): Promise<PullMark | undefined>
  /** One transaction: the page and how far it reads. Answers how many things it changed here. */
  take(kind: string, projectId: string, page: PullPage): Promise<number>
  /** Forgets how far anything was read: the next pull begins anew. */
  unmark(): Promise<void>
}
