import type { SharedLearnings } from '#core/ports/sharing.ts'
import type { Store } from '#core/ports/store.ts'
import { type LearningsFile, learningsFile } from '#storage/files/learnings-md.ts'
import type { LearningWorld } from '#supervisor/learning/world.ts'
import { projectLearnings } from './project-folder.ts'

/** The learnings that this home keeps for all worktrees and clones of a project, as the team gets them. */
export function teamLearnings(
  home: string,
  { projects }: Pick<Store, 'projects'>,
  world: LearningWorld,
): SharedLearnings {
  const files = new Map<string, LearningsFile>()
  const fileOf = (projectId: string) => {
    const file = files.get(projectId) ?? learningsFile(projectLearnings(home, projectId))
    files.set(projectId, file)
    return file
  }
  return {
    read: async (projectId) => (await fileOf(projectId).read()).filter(({ scope }) => scope !== 'personal'),
    async takenOut(projectId, ids) {
      const root = (await projects.get(projectId))?.root
      return root === undefined ? new Set() : world.libraryAt(root, world.settingsAt(root)).takenOut(ids)
    },
    merge: (projectId, learnings, gone) => fileOf(projectId).merge(learnings, gone),
  }
}
