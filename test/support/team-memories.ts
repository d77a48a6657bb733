import type { Memory } from '../../src/core/memory/memory.ts'
import type { Store } from '../../src/core/ports/store.ts'

export const PROJECT = 'example.com/team/app'

export function memoryOf(id: string, createdAt: number, user: string, more: Partial<Memory> = {}): Memory {
  return {
    id,
    projectId: PROJECT,
    user,
    instruction: `Do ${id}`,
    goal: `${id} is done`,
    reasoningTrace: [`Changed src/${id}.ts because it was slow`],
    decisions: [{ choice: 'a cache', reason: 'reads are many' }],
    constraints: [],
    files: [`src/${id}.ts`],
    tags: [],
    status: 'complete',
    trigger: 'complete',
    createdAt,
    ...more,
  }
}

/** Everything a home knows, by id. */
export async function knownTo(store: Store): Promise<Map<string, Memory>> {
  const all = await store.memories.list(undefined, { limit: 1_000_000 })
  return new Map(all.map((memory) => [memory.id, memory] as const).sort(([a], [b]) => (a < b ? -1 : 1)))
}
