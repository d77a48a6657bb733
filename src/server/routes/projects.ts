import { existsSync } from 'node:fs'
import type { Project } from '#core/session.ts'
import type { projectRoutes } from '#protocol/api/projects.ts'
import type { MemoryWorld } from '#supervisor/memory/world.ts'
import type { Handlers } from '../serve-route.ts'

interface Needs {
  projects(): Promise<Project[]>
  memory: Pick<MemoryWorld, 'store'>
}

/** `/api/projects`: what Grove has seen at work on this machine. */
export function projectHandlers({ projects, memory }: Needs): Handlers<typeof projectRoutes> {
  return {
    async list() {
      const folders = await memory.store.projects.folders()
      const known = (await projects()).map(async ({ id, name, root }) => ({
        id,
        name,
        root,
        folders: (folders.get(id) ?? []).filter((folder) => folder === root || existsSync(folder)),
        memories: await memory.store.memories.count(id),
      }))
      return { projects: await Promise.all(known) }
    },
  }
}
