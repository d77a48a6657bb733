import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createProject, type Project, tempDir } from './project.ts'

/** A project whose `origin` is a bare repository on the same disk, with the first commit pushed. */
export interface ProjectWithRemote extends Project {
  remote: string
}

export async function createProjectWithRemote(files: Record<string, string> = {}): Promise<ProjectWithRemote> {
  const project = await createProject(files)
  const folder = await tempDir('remote')
  const remote = join(folder, 'app.git')
  await project.git('init', '--quiet', '--bare', '--initial-branch=main', remote)
  await project.git('remote', 'add', 'origin', remote)
  await project.git('push', '--quiet', 'origin', 'main')
  const remove = async () => {
    await project.remove()
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
  return { ...project, remote, remove }
}
