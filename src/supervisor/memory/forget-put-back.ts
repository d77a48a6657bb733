import { changed, type Memory } from '#core/memory/memory.ts'
import { covers } from '#core/text/covers.ts'
import type { SessionState } from '../session/session-state.ts'
import { inProject } from './project-paths.ts'
import type { MemoryWorld } from './world.ts'

/** Work of the same session lies among the newest. */
const MOST_LOOKED_AT = 20

/**
 * What a session puts back as it was, its earlier tasks have not changed after all: their memories name it no more, and one
 * that names nothing any more goes. What was committed stays changed, and what a person has edited stays theirs.
 */
export async function forgetPutBack(
  { store, clock }: Pick<MemoryWorld, 'store' | 'clock'>,
  { sessionId, place, work }: SessionState,
  restored: readonly string[],
): Promise<void> {
  if (!place) return
  const paths = restored.map(inProject(place))
  const isBack = (file: string) => restored.includes('.') || covers(paths, file)
  const newest = await store.memories.list(place.projectId, { limit: MOST_LOOKED_AT })
  // The memory of the task that goes on is made anew from its steps.
  const isOwn = ({ id, sessionId: from }: Memory) => from === sessionId && id !== work.remembered?.memoryId
  for (const memory of newest.filter(isOwn)) {
    const { files, linkedCommit, updatedBy } = memory
    if (linkedCommit !== undefined || updatedBy !== undefined) continue
    const left = files.filter((file) => !isBack(file))
    if (left.length === files.length) continue
    if (left.length === 0) await store.memories.remove(memory.id)
    else await store.memories.put(changed(memory, { files: left }, clock.now()))
  }
}
