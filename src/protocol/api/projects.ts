import { z } from 'zod'
import { route } from './route.ts'

const KnownProject = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    root: z.string().describe('The folder in which it was worked on last'),
    folders: z.array(z.string()).describe('Its clones and worktrees on this machine'),
    memories: z.int(),
  })
  .meta({ id: 'KnownProject', description: 'A project that Grove has seen at work.' })

export const projectRoutes = {
  list: route({
    method: 'GET',
    path: '/api/projects',
    summary: 'Lists the projects that Grove knows, newest first.',
    answer: z.strictObject({ projects: z.array(KnownProject) }),
  }),
}
