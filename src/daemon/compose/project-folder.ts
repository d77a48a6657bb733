import { createHash } from 'node:crypto'
import { join } from 'node:path'

const MOST_KNOWN = 200
/** Every prompt asks for its project's folder, several times. */
const names = new Map<string, string>()

/** Where the home keeps what belongs to a project, whichever of its worktrees and clones is meant. */
export function projectFolder(home: string, projectId: string): string {
  const name = names.get(projectId) ?? createHash('sha256').update(projectId).digest('hex').slice(0, 24)
  if (names.size >= MOST_KNOWN) names.clear()
  names.set(projectId, name)
  return join(home, 'projects', name)
}

/** The learnings of all of them. */
export function projectLearnings(home: string, projectId: string): string {
  return join(projectFolder(home, projectId), 'learnings.md')
}
