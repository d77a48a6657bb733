import type { Memory } from '#core/memory/memory.ts'
import type { MemoryStore } from '#core/ports/store.ts'

/** Those among the memories that another one has taken the place of. One whose successor was deleted stands for itself again. */
export async function supersededAmong(
  memories: Pick<MemoryStore, 'byIds'>,
  found: Memory[],
  counts: (successors: Memory[]) => Promise<Memory[]> = async (successors) => successors,
): Promise<Set<string>> {
  const named = new Set(found.flatMap(({ supersededBy }) => supersededBy ?? []))
  if (named.size === 0) return named
  const living = new Set((await counts(await memories.byIds([...named]))).map(({ id }) => id))
  const superseded = found.filter(({ supersededBy }) => supersededBy !== undefined && living.has(supersededBy))
  return new Set(superseded.map(({ id }) => id))
}
