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
  weight: number
}

export interface Touch {
  id: string
  at: number
}

/** Who touched a file. A moved file carries on the history of the path it had before (see `tail`). */
export interface FileHistory {
  path: string
  touches: number
  lastAt: number
  /** Newest first, ties by id; the last `perFile` of them. */
  recent: Touch[]
  first: Touch
}

export interface MemoryIndex {
  /** How many entries there are. */
  size(): Promise<number>
  /** In how many entries each term stands; unknown terms are left out. */
  frequencies(terms: string[]): Promise<Map<string, number>>
  /** Entries by the sum of the weights of the terms they hold; ties newest first, then by id. */
  byTerms(terms: WeightedTerm[], limit: number): Promise<Candidate[]>
  byIds(ids: string[]): Promise<Candidate[]>
  recent(limit: number): Promise<Candidate[]>
  /** Known paths by the sum of the weights of the terms in them; ties last touched first, then by path. */
  filesByTerms(terms: WeightedTerm[], limit: number): Promise<string[]>
  histories(paths: string[], perFile: number): Promise<FileHistory[]>
}
