import type { Memory } from '#core/memory/memory.ts'
import type { Store } from '#core/ports.ts'

/** One page of memories, newest first; `next` is the `before` of the page after it. */
export interface MemoryPage {
  memories: Memory[]
  next?: number
}

/** A page of one project's memories, or of all projects'. */
export async function memoryPage(
  store: Store,
  { limit, before, projectId }: { limit: number; before?: number; projectId?: string },
): Promise<MemoryPage> {
  const projects = projectId === undefined ? (await store.projects.list()).map(({ id }) => id) : [projectId]
  const page = { limit: limit + 1, ...(before === undefined ? {} : { before }) }
  const found = (await Promise.all(projects.map((id) => store.memories.list(id, page)))).flat()
  const newest = found.sort((a, b) => b.createdAt - a.createdAt).slice(0, limit)
  const last = newest.at(-1)
  return found.length > limit && last ? { memories: newest, next: last.createdAt } : { memories: newest }
}
