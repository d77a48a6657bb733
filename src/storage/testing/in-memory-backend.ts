import type { Learning } from '#core/learning/learning.ts'
import { findAmong } from '#core/learning/query.ts'
import type { LearningBackend } from '#core/ports/learning.ts'

/** Learnings that last as long as the process, for tests. */
export function inMemoryBackend(learnings: Learning[] = []): LearningBackend {
  return {
    name: 'in-memory',
    async write(learning) {
      learnings.push(learning)
    },
    async search(query, filters) {
      return findAmong([...learnings], query, filters)
    },
    ping: async () => true,
  }
}
