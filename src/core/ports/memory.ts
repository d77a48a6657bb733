import type { WorkPlace } from '../memory/branch.ts'
import type { Memory } from '../memory/memory.ts'
import type { Clock, Log, Store } from './store.ts'

/** What the memory use cases need beside the store. */
export interface MemoryWorld {
  store: Pick<Store, 'memories' | 'memoryUses' | 'states' | 'projects'>
  clock: Clock
  log: Log
  find: FindMemories
  /** Where a daemon gets ready to be asked about a project. */
  readAhead?: (projectId: string) => Promise<void>
  /** Where the work in this folder is done. */
  workPlace(cwd: string): Promise<WorkPlace>
  /** Where a daemon can tell at a glance that the folder stands on what was the default branch at the last look. */
  isOnDefaultBranch?: (cwd: string) => boolean
  /** The memories among these whose branch has reached the default branch. */
  mergedAmong(root: string, memories: Memory[]): Promise<Set<string>>
  /** How this person is called in memories; git's own name for them where it is not set. */
  user?: string
  settings: MemorySettings
}

export interface MemorySettings {
  /** At most so many memories are shown in one agent session. */
  perSession: number
  /** How likely a memory must be to help before an agent is shown it, from 0 to 1. */
  confidence: number
}

/** Asks the ranking, best first. Only what an agent may be shown: nothing of its own session. */
export type FindMemories = (projectId: string, query: MemoryQuestion) => Promise<Found[]>

export interface MemoryQuestion {
  text: string
  /** Files that are open or were named. */
  files?: string[]
  /** The asking session. */
  sessionId?: string
  limit: number
  /** Nothing rather than something when the ranking doubts that anything answers. */
  sure?: boolean
  /** What may be the same work: everything done to the files, or what is near in words where there are none. */
  copies?: boolean
}

export interface Found {
  memoryId: string
  /** How likely it bears on the question, from 0 to 1. */
  confidence: number
  /** In words, for people and for the agent; empty when nothing but its date speaks for it. */
  why: string
  /** How many words and files it has in common with the question. */
  shared: { words: number; files: number }
}
