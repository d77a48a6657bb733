import type { WorkPlace } from '#core/memory/branch.ts'
import type { Memory } from '#core/memory/memory.ts'
import type { FindMemories, MemorySettings } from '#core/ports/memory.ts'
import type { Clock, Log } from '#core/ports/runtime.ts'
import type { Store } from '#core/ports/store.ts'

/** What the memory use cases need. Built in `daemon/compose/memory.ts`. */
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
  /** The settings as they hold in a folder: a project may have its own. */
  settingsAt(cwd: string): MemorySettings
}
