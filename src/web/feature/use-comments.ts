import { readStored, useStored, writeStored } from '../ui/stored.ts'
import type { Comment } from './derive-plan.ts'

const NONE: Comment[] = []

/** Comments on a plan or on changes that were not sent yet; they survive a reload. */
export function useComments(sessionId: string, of: 'plan' | 'changes' = 'plan') {
  return useStored<Comment[]>(`grove.draft.comments.${of}.${sessionId}`, NONE)
}

type Drafts = Record<string, string>
const NO_DRAFTS: Drafts = {}

/** What is being written about a line and was not added yet, by that line. */
export interface LineDrafts {
  of(line: string): string
  write(line: string, text: string): void
}

export function useLineDrafts(sessionId: string, of: 'plan' | 'changes' = 'plan'): LineDrafts {
  const name = `grove.draft.lines.${of}.${sessionId}`
  const [drafts] = useStored<Drafts>(name, NO_DRAFTS)
  return {
    of: (line) => drafts[line] ?? '',
    write(line, text) {
      const { [line]: _, ...rest } = readStored(name, NO_DRAFTS)
      const next = text === '' ? rest : { ...rest, [line]: text }
      writeStored(name, Object.keys(next).length > 0 ? next : undefined)
    },
  }
}
