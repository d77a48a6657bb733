import type { Learning } from '#core/learning/learning.ts'
import { bestFirst, type LearningBackend, passes, relevances } from '#core/learning/query.ts'

/** Learnings that last as long as the process, for tests. */
export function inMemoryBackend(learnings: Learning[] = []): LearningBackend {
  return {
    name: 'in-memory',
    async write(learning) {
      learnings.push(learning)
    },
    async search(query, filters) {
      const kept = learnings.filter((learning) => passes(learning, filters))
      return bestFirst(relevances(kept, query), filters)
    },
    ping: async () => true,
  }
}
