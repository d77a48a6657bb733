/** A memory is the summary of finished work that the team shares. */
export interface Memory {
  id: string
  projectId: string
  user?: string
  /** The user's own words. */
  instruction: string
  goal: string
  reasoningTrace: string[]
  decisions: Decision[]
  constraints: string[]
  files: string[]
  tags: string[]
  status: 'complete' | 'partial' | 'abandoned'
  trigger: 'complete' | 'threshold' | 'abandoned' | 'import'
  branch?: string
  /** The work of `branch` has reached the default branch. */
  merged?: boolean
  linkedCommit?: string
  parentId?: string
  /** The agent session it was made in; it is never offered back there. */
  sessionId?: string
  /** A later memory that says the same better, or the opposite with reason. */
  supersededBy?: string
  createdAt: number
  /** Absent until it is changed. */
  updatedAt?: number
  updatedBy?: string
}

export interface Decision {
  choice: string
  reason: string
}

/** Which of two copies of a memory is the newer: the higher one. */
export function versionOf({ createdAt, updatedAt }: Pick<Memory, 'createdAt' | 'updatedAt'>): number {
  return updatedAt ?? createdAt
}

/** A changed copy. Its version is higher than the one it was made from, even where the clock has been set back. */
export function changed(memory: Memory, change: Partial<Memory>, at: number, by?: string): Memory {
  const updatedAt = Math.max(at, versionOf(memory) + 1)
  return { ...memory, ...change, id: memory.id, updatedAt, ...(by !== undefined && { updatedBy: by }) }
}

/** Whether it can be a path: something, without line breaks. Stores keep paths as lines, and not every path comes from Grove. */
export function isPath(file: string): boolean {
  return file !== '' && !/[\n\r\0]/.test(file)
}
