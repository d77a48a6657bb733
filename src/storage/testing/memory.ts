import type { Memory } from '#core/memory/memory.ts'

/** A memory that says as little as one can. */
export function memory(id: string, createdAt = 1, more: Partial<Memory> = {}): Memory {
  return {
    id,
    projectId: 'p',
    instruction: 'Fix it',
    goal: 'It is fixed',
    reasoningTrace: [],
    decisions: [],
    constraints: [],
    files: [],
    tags: [],
    status: 'complete',
    trigger: 'complete',
    createdAt,
    ...more,
  }
}
