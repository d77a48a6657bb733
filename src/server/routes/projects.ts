import { existsSync } from 'node:fs'
import type { projectRoutes } from '#protocol/api/projects.ts'
import type { MemoryWorld } from '#supervisor/memory/world.ts'
import { fewAtATime } from '../few-at-a-time.ts'
import type { KnownProjects } from '../projects-at-hand.ts'
import type { Handlers } from '../serve-route.ts'

interface Needs {
  projects: KnownProjects
  memory: Pick<MemoryWorld, 'store'>
}

/** `/api/projects`: what Grove has seen at work on this machine. */
export function projectHandlers({ projects, memory }: Needs): Handlers<typeof projectRoutes> {
  return {
    async list() {
      const folders = await memory.store.projects.folders()
      const known = await fewAtATime(await projects(), async ({ id, name, root }) => ({
        id,
        name,
        root,
        folders: (folders.get(id) ?? []).filter((folder) => folder === root || existsSync(folder)),
        memories: await memory.store.memories.count(id),
      }))
      return { projects: known }
    },
  }
}
