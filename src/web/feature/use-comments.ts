import { useStored } from '../ui/stored.ts'
import type { Comment } from './derive-plan.ts'

const NONE: Comment[] = []

/** Comments on a plan or on changes that were not sent yet; they survive a reload. */
export function useComments(sessionId: string, of: 'plan' | 'changes' = 'plan') {
  return useStored<Comment[]>(`grove.draft.comments.${of}.${sessionId}`, NONE)
}
