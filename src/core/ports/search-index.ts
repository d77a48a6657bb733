import type { MemoryVectors } from '../search/embeddings.ts'

/** What the ranker asks of a store. Every answer is exact and ordered, so two stores with the same entries give the same hits. */

/** An entry as it comes back from the store: its terms, not its text. */
export interface Candidate {
  id: string
  at: number
  group?: string
  files: string[]
  title: string[]
  body: string[]
}

export interface WeightedTerm {
  term: string
  /** A whole number, so that sums do not depend on their order. */
  weight: number
}

export interface Touch {
  id: string
  at: number
}

/** From here on, how often a file was touched makes no difference; a store may stop counting. */
export const MANY_TOUCHES = 200

export interface FileStats {
  path: string
  touches: number
  lastAt: number
}

/** Who touched a file. A moved file carries on the history of the path it had before. */
export interface FileHistory {
  path: string
  touches: number
  /** The newest first; at most `perFile` of them. */
  recent: Touch[]
  first: Touch
}

/** "The newest first" means by time, then by id. */
export interface MemoryIndex {
  /** Its answers come from memory, so caching them gains nothing. */
  isAtHand?: true
  size(): Promise<number>
  /** In how many entries each term stands; unknown terms are left out. */
  frequencies(terms: string[]): Promise<Map<string, number>>
  /** Entries by the sum of the weights of the terms they hold, then the newest first. */
  byTerms(terms: WeightedTerm[], limit: number): Promise<Candidate[]>
  /** In the order asked for; unknown ids are left out. */
  byIds(ids: string[]): Promise<Candidate[]>
  /** The newest first. */
  recent(limit: number): Promise<Candidate[]>
  /** Known paths by the sum of the weights of the terms in them, then the last touched first, then by path. */
  filesByTerms(terms: WeightedTerm[], limit: number): Promise<string[]>
  /** In the order asked for; paths no entry touches are left out, here and in `histories`. */
  fileStats(paths: string[]): Promise<FileStats[]>
  /** A path's own touches, then those of the paths with the same `tail` that were last touched when this one first was, or before. */
  histories(paths: string[], perFile: number): Promise<FileHistory[]>
}

/** The search indexes of all projects, kept up to date from the queue that every change of a memory joins. */
export interface MemoryIndexes {
  /** The project's index. A long queue is not waited for: the rest follows with `catchUp`. */
  of(projectId: string): Promise<MemoryIndex>
  /** Works off the whole queue, with pauses, until told that it is enough; answers how much it was. */
  catchUp(enough?: (done: number) => boolean): Promise<number>
  /** Where embeddings are configured. */
  vectors: MemoryVectors
  close(): void
}
