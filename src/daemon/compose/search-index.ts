import type { MemoryIndex } from '#core/ports/search-index.ts'
import type { IndexEntry } from '#core/search/terms.ts'
import { InMemoryIndex } from '#storage/search/in-memory.ts'

/** An in-memory index of a few entries, for one query. */
export function indexOf(entries: IndexEntry[]): MemoryIndex {
  const index = new InMemoryIndex()
  index.add(entries)
  return index
}
