import type { MemoryUse, Usefulness } from '../memory/use.ts'

export interface MemorySettings {
  /** Whether finished work is kept at all. */
  remember: boolean
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

/** Whether what was shown to agents helped them, by memory and session. */
export interface MemoryUseStore {
  /** Once per memory and session; again is nothing new. */
  shown(sessionId: string, memoryIds: string[], at: number): Promise<void>
  used(sessionId: string, memoryId: string, how: NonNullable<MemoryUse['how']>, at: number): Promise<void>
  /** The agent has had its chance with these. */
  settled(sessionId: string, memoryIds: string[], at: number): Promise<void>
  /** In the order in which they were shown. */
  ofSession(sessionId: string): Promise<MemoryUse[]>
  /** Newest first. */
  ofMemory(memoryId: string, limit: number): Promise<MemoryUse[]>
  /** Memories that were never shown are left out. */
  totals(memoryIds: string[]): Promise<Map<string, Usefulness>>
  /** The same of a project, of what was used or settled only: before that, it is unknown whether it was shown in vain. */
  ofProject(projectId: string): Promise<Map<string, Usefulness>>
}
