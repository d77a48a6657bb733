import type { MemoryIndex } from './index-port.ts'

/** The search indexes of all projects, kept up to date from the line that every change of a memory joins. */
export interface MemoryIndexes {
  /** The project's index. A long line is not waited for: what was not worked off follows with `catchUp`. */
  of(projectId: string): Promise<MemoryIndex>
  /** Works off the whole line, with pauses; answers how much it was. */
  catchUp(progress?: (done: number) => void): Promise<number>
  close(): void
}
