import type { SharedLearnings } from '#core/ports/sharing.ts'
import type { Store } from '#core/ports/store.ts'
import { redact } from '#core/redact/redact.ts'
import type { Project } from '#core/session.ts'

/** What the team would get of a project, for the person who is asked. */
export interface SharePreview {
  projectId: string
  name: string
  memories: number
  /** When the oldest and the newest were made. */
  from?: number
  to?: number
  /** The newest, as they would be sent. */
  examples: { goal: string; user?: string; createdAt: number }[]
  /** Project learnings; personal ones stay here. */
  learnings: number
  learned: { summary: string; author?: string; at: number }[]
}

const EXAMPLES = 3

export async function previewShare(
  { sharing, memories }: Pick<Store, 'sharing' | 'memories'>,
  shelf: Pick<SharedLearnings, 'read'>,
  { id, name }: Project,
): Promise<SharePreview> {
  const [extent, newest, learnings] = await Promise.all([
    sharing.extent(id),
    memories.list(id, { limit: EXAMPLES }),
    shelf.read(id),
  ])
  const examples = newest.map(({ goal, user, createdAt }) => ({
    goal: redact(goal),
    ...(user && { user: redact(user) }),
    createdAt,
  }))
  const last = learnings.toSorted((a, b) => b.at - a.at).slice(0, EXAMPLES)
  const learned = last.map(({ summary, author, at }) => ({
    summary: redact(summary),
    ...(author && { author: redact(author) }),
    at,
  }))
  return { projectId: id, name, ...extent, examples, learnings: learnings.length, learned }
}
