import { keywordsOf } from '#core/goal.ts'
import { pruneTerms, queryTerms, rarity, terms } from '#core/memory/index-terms.ts'
import type { MemoryIndexes } from '#core/memory/indexes.ts'
import type { FindMemories } from './world.ts'

/** Asks a project's index. */
export function findIn(indexes: Pick<MemoryIndexes, 'of'>): FindMemories {
  return async (projectId, { text, sessionId, limit, confidence = 0 }) => {
    const index = await indexes.of(projectId)
    const telling = new Set(keywordsOf(text).flatMap(terms))
    const asked = queryTerms(text).filter(({ term }) => telling.has(term))
    const frequencies = await index.frequencies(asked.map(({ term }) => term))
    const size = await index.size()
    const lookup = pruneTerms(asked, frequencies, size, { terms: 24, postings: 5000 })
    const known = asked.filter(({ term }) => frequencies.has(term))
    const mass = known.reduce((sum, { term, weight }) => sum + weight * rarity(frequencies.get(term) ?? 0, size), 0)
    const found = await index.byTerms(lookup, limit + 20)
    return found
      .filter(({ group }) => group === undefined || group !== sessionId)
      .map((entry) => {
        const words = new Set([...entry.title, ...entry.body])
        const shared = known.filter(({ term }) => words.has(term))
        const hit = shared.reduce((sum, { term, weight }) => sum + weight * rarity(frequencies.get(term) ?? 0, size), 0)
        return {
          memoryId: entry.id,
          confidence: hit / mass,
          why: `shares ${shared.map(({ term }) => term).join(', ')}`,
        }
      })
      .filter((hit) => hit.confidence >= confidence)
      .slice(0, limit)
  }
}
