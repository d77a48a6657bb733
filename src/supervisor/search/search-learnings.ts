import type { Learning } from '#core/learning/learning.ts'
import type { MemoryIndex } from '#core/ports/search-index.ts'
import { retrieve } from '#core/search/retrieve.ts'
import type { IndexEntry } from '#core/search/terms.ts'
import { convincing, inWords } from './find.ts'

export interface LearningHit {
  learning: Learning
  confidence: number
  why: string
}

export interface LearningQuestion {
  text: string
  files: string[]
  limit: number
  now: number
}

/** The learnings that bear on a question, by the same ranking as memories. They are few, so their index is made on the spot. */
export async function searchLearnings(
  learnings: Learning[],
  { text, files, limit, now }: LearningQuestion,
  indexOf: (entries: IndexEntry[]) => MemoryIndex,
): Promise<LearningHit[]> {
  const active = learnings.filter(({ status }) => status === 'active')
  if (active.length === 0) return []
  const byId = new Map(active.map((learning) => [learning.id, learning]))
  const hits = await retrieve(indexOf(active.map(entryOf)), { text, files, now }, { limit, minAnswer: 0 })
  return hits
    .map(({ id, confidence, why }) => {
      return { learning: byId.get(id)!, confidence, why: inWords(convincing(why, active.length), text) }
    })
    .filter(({ why }) => why !== '')
}

function entryOf({ id, at, summary, detail, tags, contextFiles }: Learning): IndexEntry {
  return { id, at, title: summary, body: `${detail}\n${tags.join(' ')}`, files: contextFiles }
}
