import type { IndexEntry } from '../search/terms.ts'
import { isPath, type Memory } from './memory.ts'

/** A memory as the search index sees it. A memory that was edited is as young as its new words. */
export function memoryEntry(memory: Memory): IndexEntry {
  const { id, goal, instruction, reasoningTrace, decisions, constraints, files, sessionId } = memory
  const { createdAt, updatedAt, updatedBy } = memory
  const said = decisions.map(({ choice, reason }) => `${choice} because ${reason}`)
  const body = [...(instruction === goal ? [] : [instruction]), ...reasoningTrace, ...said, ...constraints]
  return {
    id,
    at: updatedBy === undefined ? createdAt : (updatedAt ?? createdAt),
    title: goal || instruction,
    body: body.join('\n'),
    files: files.filter(isPath),
    ...(sessionId !== undefined && { group: sessionId }),
  }
}
