import { type BranchState, isOpen, type WorkPlace } from '#core/memory/branch.ts'
import { changed, type Memory } from '#core/memory/memory.ts'
import type { MemoryWorld } from './world.ts'

type Needs = Pick<MemoryWorld, 'store' | 'clock' | 'mergedAmong'>

/**
 * Where each memory's work stands. What is found to be merged is noted for good, for the whole team: a merge is not undone
 * by looking again from a clone that has not fetched it.
 */
export async function standingOf(
  { store, clock, mergedAmong }: Needs,
  memories: Memory[],
  root: string,
  place: WorkPlace,
): Promise<Map<string, BranchState>> {
  const open = memories.filter((memory) => isOpen(memory, place))
  const merged = open.length === 0 ? new Set<string>() : await mergedAmong(root, open)
  const news = open.filter(({ id }) => merged.has(id))
  await store.memories.put(...news.map((memory) => changed(memory, { merged: true }, clock.now())))
  return new Map(memories.map((memory) => [memory.id, stateOf(memory, place, open.includes(memory), merged)]))
}

function stateOf(memory: Memory, place: WorkPlace, open: boolean, merged: Set<string>): BranchState {
  if (!open || merged.has(memory.id)) return 'main'
  return memory.branch === place.branch ? 'here' : 'open'
}
