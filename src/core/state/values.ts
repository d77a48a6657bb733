import type { Stats } from '../learning/stats.ts'
import type { WorkPlace } from '../memory/branch.ts'
import type { Project } from '../session.ts'

/** Values of the state store whose readers and writers stand in rooms that do not know each other. */

/** What git said about a folder, while its repository was in the state that the stamp tells of. */
export interface GitAnswer {
  at: number
  stamp: string
  answer: Project | WorkPlace
}

/** What a stats log adds up to, as far as it was read. */
export interface StatsCache {
  version: 4
  /** How many bytes of the log are in the sums. */
  size: number
  /** The bytes before that place: other bytes there mean another log. */
  tail: string
  stats: Stats
  damaged: number
}

/** Which agent is about to call a tool of Grove's. */
export interface CallerNote {
  sessionId: string
  agentId?: string
}
