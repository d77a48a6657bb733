import type { Recalled } from '#core/intent/text-for-agents.ts'
import { dayOf } from '#core/text/day.ts'
import { words } from '#core/text/words.ts'
import type { GitCache } from '#exec/git/cache.ts'
import type { GuardWorld } from '#supervisor/guard/world.ts'
import { reflect } from '#supervisor/learning/reflect.ts'
import { findLearnings } from '#supervisor/learning/retrieve.ts'
import type { LearningWorld } from '#supervisor/learning/world.ts'
import { searchMemories } from '#supervisor/memory/catalogue.ts'
import type { MemoryWorld } from '#supervisor/memory/world.ts'

interface Needs {
  memory: MemoryWorld
  learning: LearningWorld
  projectAt: GitCache['projectAt']
}

const MOST = 4
/** Learnings that only share a common word are no help. */
const LEAST_RELEVANCE = 0.3

/** What ties the guard to memory and learnings; it works without either. */
export function guardLinks({ memory, learning, projectAt }: Needs): Pick<GuardWorld, 'recall' | 'offerLesson'> {
  return {
    async recall(about, { root }) {
      const [memories, learnings] = await Promise.all([
        projectAt(root).then(({ id }) => memoriesFor(memory, about, root, id)),
        learningsFor(learning, about, root),
      ])
      return [...memories, ...learnings]
    },
    async offerLesson(lesson, sessionId, { root }) {
      await reflect(learning, { cwd: root, candidates: [candidate(lesson)], ...(sessionId && { sessionId }) })
    },
  }
}

async function memoriesFor(memory: MemoryWorld, about: string, root: string, projectId: string): Promise<Recalled[]> {
  const settings = memory.settingsAt(root)
  if (settings.perSession === 0) return []
  const hits = await searchMemories(memory, { text: about, projectId, limit: MOST })
  return hits
    .filter(({ confidence }) => confidence >= settings.confidence)
    .map(({ entry }) => {
      const decisions = entry.decisions.map(({ choice, reason }) => `${choice} (${reason})`)
      const when = dayOf(entry.createdAt)
      return { kind: 'memory', text: [`${when}: ${entry.goal}`, ...decisions].join('; ') }
    })
}

async function learningsFor(learning: LearningWorld, about: string, root: string): Promise<Recalled[]> {
  const library = learning.libraryAt(root, learning.settingsAt(root))
  const query = { prompt: about, files: [], tags: [] }
  const { found } = await findLearnings(learning, library, query, { maxResults: MOST })
  return found
    .filter(({ relevance }) => relevance >= LEAST_RELEVANCE)
    .map(({ learning: { category, summary } }) => ({ kind: 'learning', text: `${category}: ${summary}` }))
}

const MOST_SUMMARY = 200

/** A lesson in the shape of a candidate; the write gate decides whether it becomes a learning. */
function candidate(lesson: string): object {
  const [first = lesson] = lesson.split(/(?<=[.!?])\s/)
  const tags = [...new Set(words(lesson))].filter((word) => word.length > 4).slice(0, 5)
  return {
    category: 'pitfall',
    summary: first.slice(0, MOST_SUMMARY),
    detail: `Learned while working on this project: ${lesson}`,
    tags: tags.length > 0 ? tags : ['lesson'],
    criteria_met: ['behavior_changing'],
  }
}
