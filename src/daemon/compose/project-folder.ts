import { createHash } from 'node:crypto'
import { join } from 'node:path'

/** Where the home keeps what belongs to a project, whichever of its worktrees and clones is meant. */
export function projectFolder(home: string, projectId: string): string {
  return join(home, 'projects', createHash('sha256').update(projectId).digest('hex').slice(0, 24))
}

/** The learnings of all of them. */
export function projectLearnings(home: string, projectId: string): string {
  return join(projectFolder(home, projectId), 'learnings.md')
}
