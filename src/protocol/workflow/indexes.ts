import { z } from 'zod'
import { fileVersion, isoTime } from './fields.ts'

/** projects.json: which project is which folder. */
export const ProjectsFile = z.object({
  version: fileVersion,
  projects: z.array(z.object({ projectId: z.string(), id: z.string(), name: z.string(), path: z.string() })),
})
export type ProjectsFile = z.infer<typeof ProjectsFile>

/** <project>/index.json: its feature sessions. */
export const IndexFile = z.object({
  version: fileVersion,
  projectId: z.string(),
  features: z.array(z.object({ featureId: z.string(), id: z.string(), title: z.string(), createdAt: isoTime })),
})
export type IndexFile = z.infer<typeof IndexFile>
