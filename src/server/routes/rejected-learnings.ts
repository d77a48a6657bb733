import type { Library } from '#core/ports/learning.ts'
import { refusal } from '#core/refusal.ts'
import type { rejectedLearningRoutes } from '#protocol/api/rejected-learnings.ts'
import { learningEntry } from '#protocol/learning-json.ts'
import { isRefusal } from '#protocol/refusal.ts'
import { findEntry } from '#supervisor/learning/catalogue.ts'
import { listRejected, type RejectedCandidate, restoreRejected } from '#supervisor/learning/rejected.ts'
import { supersede } from '#supervisor/learning/supersede.ts'
import { fewAtATime } from '../few-at-a-time.ts'
import type { Handlers } from '../serve-route.ts'
import { type LearningNeeds, librariesOf } from './learnings.ts'

/** `/api/rejected-learnings`: what the write gate rejected; a person may restore it. */
export function rejectedLearningHandlers(needs: LearningNeeds): Handlers<typeof rejectedLearningRoutes> {
  const { learning: world } = needs

  async function shown({ candidate, raw, ...one }: RejectedCandidate, library: Library) {
    const named = one.stage === 'contradiction' ? /contradicts ([\w.:-]+): /.exec(one.reasons[0] ?? '')?.[1] : undefined
    const other = named === undefined ? undefined : await findEntry(world, library, named)
    return {
      ...one,
      ...((candidate?.detail ?? raw) !== undefined && { detail: candidate?.detail ?? raw! }),
      ...(candidate && { category: candidate.category }),
      restorable: candidate !== undefined,
      ...(other && !isRefusal(other) && { contradicts: { id: other.id, summary: other.summary } }),
    }
  }

  return {
    async list({ query }) {
      const libraries = await librariesOf(needs, query.project)
      const found = await fewAtATime(libraries, async ({ project: { id, name }, library }) => {
        const kept = await listRejected(world, library)
        return Promise.all(kept.map(async (one) => ({ project: { id, name }, ...(await shown(one, library)) })))
      })
      return { candidates: found.flat().sort((a, b) => b.at - a.at) }
    },

    async restore({ params, query, body }) {
      for (const { project, library } of await librariesOf(needs, query.project)) {
        const kept = await listRejected(world, library)
        if (!kept.some(({ id }) => id === params.id)) continue
        const restored = await restoreRejected(world, library, params.id, project.root)
        if (isRefusal(restored)) return restored
        if (body.supersedes !== undefined) {
          const done = await supersede(world, library, { older: body.supersedes, newer: restored.id })
          if (isRefusal(done)) return done
        }
        const entry = await findEntry(world, library, restored.id)
        return isRefusal(entry) ? entry : { learning: learningEntry(entry) }
      }
      return refusal('learning_not_found', `There is no candidate ${params.id}.`, 'List what was turned down.')
    },
  }
}
