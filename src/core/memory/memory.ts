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
  linkedCommit?: string
  parentId?: string
  createdAt: number
}

export interface Decision {
  choice: string
  reason: string
}
