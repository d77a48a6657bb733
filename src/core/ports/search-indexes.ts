import type { MemoryVectors } from '../search/embeddings.ts'
import type { MemoryIndex } from './search-index.ts'

/** The search indexes of all projects, kept up to date from the line that every change of a memory joins. */
export interface MemoryIndexes {
  /** The project's index. A long line is not waited for: what was not worked off follows with `catchUp`. */
  of(projectId: string): Promise<MemoryIndex>
  /** Works off the whole line, with pauses, until told that it is enough; answers how much it was. */
  catchUp(enough?: (done: number) => boolean): Promise<number>
  /** Where embeddings are configured. */
  vectors: MemoryVectors
  close(): void
}
