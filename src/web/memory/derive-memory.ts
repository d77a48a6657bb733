import type { Answer } from '../api/client.ts'

export type MemoryEntry = Answer<'memories', 'show'>
type Hit = Answer<'memories', 'search'>['hits'][number]

/** A line of the list: a memory, and why it was found when something was searched for. */
export type Listed = Pick<Hit, 'entry'> & Partial<Hit>

export function listed(memories: MemoryEntry[], hits: Hit[] | undefined): Listed[] {
  return hits ?? memories.map((entry) => ({ entry }))
}

/** The words of a search, to be marked where they stand. */
export function wordsOf(search: string): string[] {
  return [...new Set(search.toLowerCase().match(/[\p{L}\p{N}_./-]{2,}/gu) ?? [])]
}

/** The first reason worth reading, for the list. */
export function gist({ reasoningTrace, decisions, instruction, goal }: MemoryEntry): string {
  const decided = decisions[0] && `${decisions[0].choice}: ${decisions[0].reason}`
  return reasoningTrace[0] ?? decided ?? (instruction === goal ? '' : instruction)
}

/** What a person has changed: only these fields are sent. */
export interface Draft {
  goal: string
  reasoningTrace: string
  decisions: { choice: string; reason: string }[]
  constraints: string
  tags: string
}

export function draftOf({ goal, reasoningTrace, decisions, constraints, tags }: MemoryEntry): Draft {
  return {
    goal,
    reasoningTrace: reasoningTrace.join('\n'),
    decisions,
    constraints: constraints.join('\n'),
    tags: tags.join(', '),
  }
}

export function editOf(entry: MemoryEntry, draft: Draft) {
  const lines = (text: string) =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
  const wanted = {
    goal: draft.goal.trim(),
    reasoningTrace: lines(draft.reasoningTrace),
    decisions: draft.decisions.filter(({ choice }) => choice.trim() !== ''),
    constraints: lines(draft.constraints),
    tags: draft.tags
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean),
  }
  const changed = Object.entries(wanted).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(entry[field as keyof typeof wanted]),
  )
  return Object.fromEntries(changed) as Partial<typeof wanted>
}

/** How many memories each project has without those that are leaving; one of which nothing is loaded is counted on. */
export function countsWithout<P extends { id: string; memories: number }>(
  projects: readonly P[],
  loaded: readonly Pick<MemoryEntry, 'id' | 'projectId'>[],
  waiting: Leaving[],
): P[] {
  const gone = new Map(loaded.filter(({ id }) => isLeaving(waiting, id)).map(({ id, projectId }) => [id, projectId]))
  const left = [...gone.values()]
  return projects.map((one) => ({ ...one, memories: one.memories - left.filter((id) => id === one.id).length }))
}

type Leaving = { method: string; url: string }

/** Whether its deletion waits to be sent: it is out of sight already, and can still be brought back. */
export function isLeaving(waiting: Leaving[], id: string): boolean {
  return waiting.some(({ method, url }) => method === 'DELETE' && url === `/api/memories/${encodeURIComponent(id)}`)
}

/** How an agent showed that a memory had helped it. */
export const HOW_USED = {
  files: 'the agent went to its files',
  words: 'the agent spoke its words',
  opened: 'the agent looked it up',
}
