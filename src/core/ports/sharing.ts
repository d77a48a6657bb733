import type { Learning } from '../learning/learning.ts'
import type { PullMark, PullPage, SharedItem, TeamProject } from '../memory/sync.ts'

/** The team's database, when it can be reached. Every call may be repeated without harm. */
export interface TeamDatabase {
  /** One look at all of them, so that a round without news costs one question. */
  survey(projectIds: string[]): Promise<Map<string, TeamProject>>
  /** One transaction: all of them or none. */
  push(projectId: string, items: SharedItem[]): Promise<void>
  pull(kind: string, projectId: string, after: PullMark | undefined, limit: number): Promise<PullPage>
  /** Single rows, as they are now: those that could not be taken before. */
  pick(kind: string, projectId: string, ids: string[]): Promise<Pick<PullPage, 'items' | 'unreadable'>>
  /** The projects that the login can see and that hold anything. */
  projects(): Promise<string[]>
  /** What stands there under this author's name, or was last sent through our login. */
  sentBy(projectId: string, author: string): Promise<SentItem[]>
  close(): Promise<void>
}

/** Something in the team's database, by who sent it. */
export interface SentItem extends Pick<SharedItem, 'kind' | 'id' | 'version'> {
  /** The name it was written under. */
  author?: string
  /** The login through which it was last sent. */
  login: string
  isOurLogin: boolean
}

/** The local side: what waits to be sent, and where what arrives is put. */
export interface SharingStore {
  /** Projects with something to send, and how much. */
  waiting(): Promise<{ projectId: string; items: number }[]>
  /** The oldest of what waits, as it is now. */
  outgoing(projectId: string, limit: number): Promise<SharedItem[]>
  /** The team has these versions; what has changed since stays queued. */
  sent(items: SharedItem[]): Promise<void>
  /** What would be sent of a project: how many memories there are, and from when to when. */
  extent(projectId: string): Promise<{ memories: number; from?: number; to?: number }>
  /** Everything of the project is sent again: after joining, or when the team's database has lost something. */
  resend(projectId: string): Promise<void>
  mark(kind: string, projectId: string): Promise<PullMark | undefined>
  /** One transaction: the page and how far it reads. Answers how many things it changed here. */
  take(kind: string, projectId: string, page: PullPage): Promise<number>
  /** The projects that have been read from a team. */
  marked(): Promise<string[]>
  /** Forgets how far a project, or any, was read: the next pull begins anew. */
  unmark(projectId?: string): Promise<void>
}

/** The learnings of a project that are for everybody who works on it, as this home keeps them. */
export interface SharedLearnings {
  read(projectId: string): Promise<Learning[]>
  /** Which of them people have taken out of the project's file here. */
  takenOut(projectId: string, ids: readonly string[]): Promise<ReadonlySet<string>>
  /** Puts in what came, each where it stands or at the end, and takes out what was deleted. */
  merge(projectId: string, learnings: readonly Learning[], gone: ReadonlySet<string>): Promise<void>
}
