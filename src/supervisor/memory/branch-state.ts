import { type BranchState, mayBeOpen } from '#core/memory/branch.ts'
import { changed, type Memory } from '#core/memory/memory.ts'
import type { MemoryWorld } from './world.ts'

type Needs = Pick<MemoryWorld, 'store' | 'clock' | 'mergedAmong' | 'workPlace'>

/**
 * Where each memory's work stands, seen from a folder. What is found to be merged is noted for good, for the whole team: a
 * merge is not undone by looking again from a clone that has not fetched it.
 */
export async function branchStateOf(
  { store, clock, mergedAmong, workPlace }: Needs,
  memories: Memory[],
  root: string,
): Promise<Map<string, BranchState>> {
  const states = new Map<string, BranchState>(memories.map(({ id }) => [id, 'main']))
  // Most work is on the default branch; then git need not be asked at all.
  const marked = memories.filter(mayBeOpen)
  if (marked.length === 0) return states
  const place = await workPlace(root)
  const open = marked.filter(({ branch }) => branch !== place.defaultBranch)
  const merged = open.length === 0 ? new Set<string>() : await mergedAmong(root, open)
  const news = open.filter(({ id }) => merged.has(id))
  await store.memories.put(...news.map((memory) => changed(memory, { merged: true }, clock.now())))
  for (const { id, branch } of open) if (!merged.has(id)) states.set(id, branch === place.branch ? 'here' : 'open')
  return states
}
