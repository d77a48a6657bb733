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
}

const EXAMPLES = 3

export async function previewShare(
  { sharing, memories }: Pick<Store, 'sharing' | 'memories'>,
  { id, name }: Project,
): Promise<SharePreview> {
  const [extent, newest] = await Promise.all([sharing.extent(id), memories.list(id, { limit: EXAMPLES })])
  const examples = newest.map(({ goal, user, createdAt }) => ({
    goal: redact(goal),
    ...(user && { user: redact(user) }),
    createdAt,
  }))
  return { projectId: id, name, ...extent, examples }
}
