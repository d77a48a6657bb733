import type { MemoryIndex } from '#core/ports/search-index.ts'
import type { IndexEntry } from '#core/search/terms.ts'
import { InMemoryIndex } from '#storage/search/in-memory.ts'

/** An index of a few entries that ends with the question. */
export function indexOf(entries: IndexEntry[]): MemoryIndex {
  const index = new InMemoryIndex()
  index.add(entries)
  return index
}
