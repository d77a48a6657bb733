import type { IndexEntry } from './index-terms.ts'
import type { Memory } from './memory.ts'

/** A memory as the search index sees it. */
export function memoryEntry(memory: Memory): IndexEntry {
  const { id, goal, instruction, reasoningTrace, decisions, constraints, files, createdAt, sessionId } = memory
  const said = decisions.map(({ choice, reason }) => `${choice} because ${reason}`)
  const body = [...(instruction === goal ? [] : [instruction]), ...reasoningTrace, ...said, ...constraints]
  return {
    id,
    at: createdAt,
    title: goal || instruction,
    body: body.join('\n'),
    files,
    ...(sessionId !== undefined && { group: sessionId }),
  }
}
